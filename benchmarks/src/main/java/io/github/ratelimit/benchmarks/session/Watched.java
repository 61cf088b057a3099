package io.github.ratelimit.benchmarks.session;

import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.github.ratelimit.benchmarks.lane.AnnotatedCall;
import io.github.ratelimit.benchmarks.lane.LocalDecision;
import io.github.ratelimit.benchmarks.lane.RecordedDenial;
import io.github.ratelimit.benchmarks.lane.RedisAttack;
import io.github.ratelimit.benchmarks.lane.RedisHotKey;
import io.github.ratelimit.benchmarks.lane.RedisManyKeys;
import io.github.ratelimit.benchmarks.lane.RedisOneThread;
import io.github.ratelimit.benchmarks.peer.Contenders;

/**
 * Ratio of two rows of a lane, which must not become worse.
 *
 * @param lane the lane
 * @param row the row of this library
 * @param reference the row of another contender, or of this library with less to do
 * @param column the column of the times of both
 */
record Watched(Class<?> lane, String row, String reference, String column) {

	private static final String NANOS = "ns, 1 thread";

	private static final String MICROS = "Redis µs/decision";

	private static final String FAILED = "failed";

	static final List<Watched> ALL = List.of(local("allowed"), local("denied"),
			new Watched(AnnotatedCall.class, "**this library**, `token-bucket`", "a proxy with an empty interceptor",
					NANOS),
			recorded("remembered denial of one key"), recorded("remembered denials of 10,000 keys"),
			recorded("local denial of one key"), overRedis(RedisOneThread.class), overRedis(RedisManyKeys.class),
			overRedis(RedisHotKey.class), overRedis(RedisAttack.class));

	private static Watched local(String outcome) {
		return new Watched(LocalDecision.class, "**this library**, `token-bucket`, hot key, " + outcome,
				"Guava `RateLimiter` in a `ConcurrentHashMap`, hot key, " + outcome, NANOS);
	}

	private static Watched recorded(String denial) {
		return new Watched(RecordedDenial.class, denial + ", denials recorded", denial + ", nothing recorded", NANOS);
	}

	private static Watched overRedis(Class<?> lane) {
		return new Watched(lane, Contenders.OURS, Contenders.PLAIN, MICROS);
	}

	/**
	 * Return a regular expression that matches the rows of a lane that are compared.
	 */
	static String rows(Class<?> lane) {
		return ALL.stream()
			.filter((each) -> each.lane == lane)
			.flatMap((each) -> Stream.of(each.row, each.reference))
			.distinct()
			.map(Pattern::quote)
			.collect(Collectors.joining("|", "^(", ")$"));
	}

	String section() {
		return "lane." + this.lane.getSimpleName();
	}

	/**
	 * Return the ratio.
	 * @throws IllegalStateException if calls of one of both have failed, or none were
	 * made
	 */
	double ratio(Page page) {
		double ratio = number(page, this.row) / number(page, this.reference);
		if (!(ratio > 0 && ratio < Double.POSITIVE_INFINITY)) {
			throw new IllegalStateException(this + " is " + ratio);
		}
		return ratio;
	}

	private double number(Page page, String row) {
		if (this.column.equals(MICROS) && !page.cell(section(), row, FAILED).equals("0")) {
			throw new IllegalStateException("Calls of " + row + " have failed in " + section());
		}
		return Double.parseDouble(page.cell(section(), row, this.column).replace(",", ""));
	}

	@Override
	public String toString() {
		return section() + ": " + this.row + " of " + this.reference + ", " + this.column;
	}

}
