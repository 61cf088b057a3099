package io.github.ratelimit.store.redis;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.Align;
import io.github.ratelimit.Limit;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.store.Charge;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.Refund;
import io.github.ratelimit.store.Tally;

/**
 * What a script is told: its {@code KEYS}, one per count, and its {@code ARGV}, as
 * {@code decide.lua} and {@code give-back.lua} describe them.
 */
final class Arguments {

	/**
	 * A multiple of any cost that could be admitted, within the numbers Lua keeps exact.
	 */
	private static final long MAX_COST = 1L << 52;

	private final RedisKeys redisKeys;

	private final Set<Algorithm> algorithms = EnumSet.noneOf(Algorithm.class);

	private final List<byte[]> keys = new ArrayList<>();

	private final List<byte[]> values = new ArrayList<>();

	/**
	 * Begin with the time.
	 * @param now the time in microseconds, or 0 for that of the Redis server
	 */
	Arguments(RedisKeys redisKeys, long now) {
		this.redisKeys = redisKeys;
		this.values.add(number(now));
	}

	void demand(Demand demand) {
		add(demand, demand.maxWaitMicros());
	}

	void refund(Refund refund) {
		add(refund.demand(), refund.slot());
	}

	void charge(Charge charge) {
		add(charge.rule(), charge.key(), charge.tallies(), 0);
	}

	private void add(Demand demand, long time) {
		add(demand.rule(), demand.key(), Tally.of(demand.rule(), demand.cost()), time);
	}

	private void add(RateLimitRule rule, String key, List<Tally> tallies, long time) {
		this.values.add(number(tallies.size()));
		this.values.add(number(time));
		for (Tally tally : tallies) {
			this.keys.add(this.redisKeys.name(rule, tally, key));
			this.algorithms.add(tally.limit().algorithm());
			this.values.add(text(CountingScripts.nameOf(tally.limit().algorithm())));
			this.values.add(number(Math.min(tally.cost(), MAX_COST)));
			for (long parameter : parameters(tally.limit())) {
				this.values.add(number(parameter));
			}
		}
	}

	/**
	 * What the Lua twin has to know of a limit.
	 */
	private static long[] parameters(Limit limit) {
		return switch (limit.algorithm()) {
			case SLIDING_LOG -> new long[] { limit.max(), limit.periodMicros(), limit.countDenied() ? 1 : 0 };
			case TOKEN_BUCKET, LEAKY_BUCKET ->
				new long[] { limit.capacity(), limit.rate().units(), limit.rate().micros() };
			case WEIGHTED_WINDOW -> new long[] { limit.max(), limit.periodMicros() };
			case SLIDING_WINDOW -> new long[] { limit.max(), limit.periodMicros(), limit.segments() };
			case FIXED_WINDOW -> new long[] { limit.max(), limit.periodMicros(),
					(limit.align() == Align.FIRST_REQUEST) ? 1 : 0, limit.countDenied() ? 1 : 0 };
			case WARM_UP -> new long[] { limit.max(), limit.rate().units(), limit.rate().micros(),
					limit.coolDownMicros(), limit.coldFactor() };
			case DEFAULT -> throw new IllegalArgumentException("DEFAULT has to be resolved before counting");
		};
	}

	CompletableFuture<byte[]> run(ScriptRunner runner, CountingScripts scripts) {
		return runner.run(scripts.of(this.algorithms), this.keys.toArray(byte[][]::new),
				this.values.toArray(byte[][]::new));
	}

	static byte[] number(long number) {
		return text(Long.toString(number));
	}

	private static byte[] text(String text) {
		return text.getBytes(StandardCharsets.US_ASCII);
	}

}
