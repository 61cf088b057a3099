package io.github.ratelimit.walk;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;

import io.github.ratelimit.document.PageSection;
import io.github.ratelimit.redis.process.RedisProcess;
import org.assertj.core.api.SoftAssertions;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Bounds of what a plain call of an annotated method needs, and the start of an
 * application that has one. They may only fall: lower a number when a walk gets shorter,
 * and draw the table of {@code docs/contributing/architecture.md} with
 * {@code -Dratelimit.test.draw=true}. With {@code -Dratelimit.test.walk=true} the walk is
 * printed: each method, and the numbers of today. A walk of less than half of a bound
 * shows that something was not counted.
 */
class WalkTests {

	private static final Bound LIMITER_BYTES = new Bound("bytes of `tryAcquire`", 40, null, Walk::limiterBytes);

	private static final Bound CALL_BYTES = new Bound("bytes of the call", 152, null, Walk::callBytes);

	private static final List<Bound> BOUNDS = List.of(new Bound("files entered", 15, 50, Walk::files),
			new Bound("methods entered", 45, 166, (walk) -> walk.methods().size()), CALL_BYTES, LIMITER_BYTES,
			new Bound("classes loaded", 181, 242, Walk::classes), new Bound("lambdas loaded", 64, 145, Walk::lambdas));

	@TempDir
	private Path folder;

	@Test
	void walkOnTheLocalStoreStaysWithinItsBounds() throws Exception {
		boolean exact = Boolean.getBoolean("ratelimit.test.walk");
		check(Walk.onLocalStore(this.folder, exact ? 0 : LIMITER_BYTES.local(), exact ? 0 : CALL_BYTES.local()),
				Bound::local);
	}

	@Test
	void walkOverRedisStaysWithinItsBounds() throws Exception {
		try (RedisProcess redis = RedisProcess.start()) {
			Walk walk = Walk.overRedis(this.folder, redis.port());
			for (int again = 0; again < 2 && !isWithin(walk, Bound::redis); again++) {
				walk = Walk.overRedis(this.folder, redis.port());
			}
			check(walk, Bound::redis);
		}
	}

	/**
	 * Return whether a walk is within its bounds. On a busy machine a start may also load
	 * what reports that Redis does not answer in time.
	 */
	private static boolean isWithin(Walk walk, ToLongFunction<Bound> limit) {
		return BOUNDS.stream().allMatch((bound) -> bound.counted().applyAsLong(walk) <= limit.applyAsLong(bound));
	}

	@Test
	void documentedBoundsAreThese() throws IOException {
		String table = "| | local store | Redis |\n| --- | ---: | ---: |\n"
				+ BOUNDS.stream().map(Bound::row).collect(Collectors.joining("\n"));
		PageSection section = new PageSection("contributing/architecture.md", "walk");
		if (Boolean.getBoolean("ratelimit.test.draw")) {
			section.write(table);
		}
		assertThat(section.read()).isEqualTo(table);
	}

	private static void check(Walk walk, ToLongFunction<Bound> limit) {
		if (Boolean.getBoolean("ratelimit.test.walk")) {
			System.out.println(walk.description());
			BOUNDS.forEach((bound) -> System.out.println(bound.what() + ": " + bound.counted().applyAsLong(walk)));
		}
		SoftAssertions all = new SoftAssertions();
		BOUNDS.forEach((bound) -> all.assertThat(bound.counted().applyAsLong(walk))
			.as(bound.what())
			.isBetween(bound.isOfJvm() ? 0 : limit.applyAsLong(bound) / 2, limit.applyAsLong(bound)));
		all.assertAll();
	}

	/**
	 * Bound of a number.
	 *
	 * @param what what is counted
	 * @param local the most on the local store
	 * @param overRedis the most over Redis, if it is counted there
	 * @param counted returns the number of a walk
	 */
	private record Bound(String what, long local, @Nullable Integer overRedis, ToLongFunction<Walk> counted) {

		long redis() {
			return (this.overRedis != null) ? this.overRedis : Long.MAX_VALUE;
		}

		/**
		 * Return whether the compiler of the JVM has a say in it.
		 */
		boolean isOfJvm() {
			return this.overRedis == null;
		}

		String row() {
			return "| %s | %d | %s |".formatted(this.what, this.local, (this.overRedis != null) ? this.overRedis : "");
		}

	}

}
