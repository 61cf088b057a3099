package io.github.ratelimit.store.redis;

import java.util.List;
import java.util.stream.Stream;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import io.github.ratelimit.store.tck.AlgorithmOnStore;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Overrides of keys that have ended are removed, to the microsecond.
 */
@Tag("every-redis")
class EndedOverridesTests {

	private static final long END = 1_700_000_000_999L;

	private final String overrides = AlgorithmOnStore.freshKey();

	@Test
	void overridesAreRemovedAtTheirEnd() {
		store();
		removeEnded(END * 1000 - 1, 0);
		assertThat(left()).containsExactlyInAnyOrder("ends", "ends later", "never ends");
		removeEnded(END * 1000, 0);
		assertThat(left()).containsExactlyInAnyOrder("ends later", "never ends");
	}

	@Test
	void clockOfTheServerEndsThemIfTheInstanceHasNone() {
		store();
		removeEnded(0, END * 1000 - 1);
		assertThat(left()).containsExactlyInAnyOrder("ends", "ends later", "never ends");
		removeEnded(0, END * 1000);
		assertThat(left()).containsExactlyInAnyOrder("ends later", "never ends");
	}

	@Test
	void keysThatAreNotNamedStay() {
		store();
		new ServerTime(0).run("remove-ended-overrides", this.overrides,
				ServerTime.texts(String.valueOf(END * 1001), "ends later"));
		assertThat(left()).containsExactlyInAnyOrder("ends", "never ends");
	}

	private void store() {
		RedisUnderTest.process()
			.command("HSET", this.overrides, "ends", "until=" + END + " max=1", "ends later",
					"until=" + (END + 1) + " max=1", "never ends", "max=1");
	}

	private void removeEnded(long now, long serverTime) {
		byte[] reply = new ServerTime(serverTime).run("remove-ended-overrides", this.overrides,
				ServerTime.texts(String.valueOf(now), "ends", "missing", "ends later", "never ends"));
		assertThat(reply).isEmpty();
	}

	private Stream<String> left() {
		return ((List<?>) RedisUnderTest.process().command("HKEYS", this.overrides)).stream().map(String::valueOf);
	}

}
