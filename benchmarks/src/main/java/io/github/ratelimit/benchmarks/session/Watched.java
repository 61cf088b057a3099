package io.github.ratelimit.benchmarks.session;

import java.util.List;

import io.github.ratelimit.benchmarks.lane.AnnotatedCall;
import io.github.ratelimit.benchmarks.lane.LocalDecision;
import io.github.ratelimit.benchmarks.lane.RedisHotKey;
import io.github.ratelimit.benchmarks.lane.RedisManyKeys;
import io.github.ratelimit.benchmarks.lane.RedisOneThread;
import io.github.ratelimit.benchmarks.peer.Contenders;

/**
 * Ratio of this library to another contender of its lane, which must not become worse.
 *
 * @param lane the lane
 * @param row the row of this library
 * @param reference the row of the other contender
 * @param column the column of the times of both
 */
record Watched(Class<?> lane, String row, String reference, String column) {

	private static final String MICROS = "Redis µs/decision";

	static final List<Watched> ALL = List.of(local("allowed"), local("denied"),
			new Watched(AnnotatedCall.class, "**this library**, `token-bucket`", "a proxy with an empty interceptor",
					"ns, 1 thread"),
			overRedis(RedisOneThread.class), overRedis(RedisManyKeys.class), overRedis(RedisHotKey.class));

	private static Watched local(String outcome) {
		return new Watched(LocalDecision.class, "**this library**, `token-bucket`, hot key, " + outcome,
				"Guava `RateLimiter` in a `ConcurrentHashMap`, hot key, " + outcome, "ns, 1 thread");
	}

	private static Watched overRedis(Class<?> lane) {
		return new Watched(lane, Contenders.OURS, Contenders.PLAIN, MICROS);
	}

	String section() {
		return "lane." + this.lane.getSimpleName();
	}

	double ratio(Page page) {
		return number(page, this.row) / number(page, this.reference);
	}

	private double number(Page page, String row) {
		return Double.parseDouble(page.cell(section(), row, this.column).replace(",", ""));
	}

	@Override
	public String toString() {
		return section() + ": " + this.row + " of " + this.reference + ", " + this.column;
	}

}
