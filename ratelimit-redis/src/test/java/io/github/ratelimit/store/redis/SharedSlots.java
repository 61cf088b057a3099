package io.github.ratelimit.store.redis;

import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;

import io.github.ratelimit.Limit;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.store.tck.AlgorithmOnStore;
import io.github.ratelimit.redis.process.RedisProcess;
import io.github.ratelimit.store.RuleCounts;
import io.github.ratelimit.store.StoredKey;
import io.github.ratelimit.store.redis.SlotInstance.SlotClock;

/**
 * Two instances that share the three slots of a key, by a given clock.
 */
@Tag("every-redis")
abstract class SharedSlots {

	static final Duration LEASE = Duration.ofSeconds(3);

	static final RateLimitRule RULE = rule(3);

	final String key = AlgorithmOnStore.freshKey();

	final String prefix = "slots-" + this.key;

	final SlotClock clock = new SlotClock();

	final SlotInstance one = new SlotInstance(this.clock, this.prefix);

	final SlotInstance other = new SlotInstance(this.clock, this.prefix);

	@AfterEach
	void close() {
		Stream.of(this.one, this.other).forEach((instance) -> {
			instance.disconnect(false);
			instance.loseReplies(false);
			instance.close();
		});
		forgetAll();
	}

	static RateLimitRule rule(long max) {
		return RateLimitRule.named("export").limit(Limit.ofConcurrency(max).withLease(LEASE)).build();
	}

	private static void forgetAll(String prefix) {
		RedisUnderTest.process()
			.command("EVAL", "for _, key in ipairs(redis.call('KEYS', ARGV[1])) do redis.call('DEL', key) end", "0",
					prefix + ":*");
	}

	void forgetAll() {
		forgetAll(this.prefix);
	}

	String keysInRedis() {
		return String.valueOf(RedisUnderTest.process()
			.command("EVAL", "return table.concat(redis.call('KEYS', ARGV[1]), ' ')", "0", this.prefix + ":*"));
	}

	/**
	 * Copy the slots of the key and all leases, as a replica or a dump has them.
	 * @return restores the copy
	 */
	Runnable snapshot() {
		RedisProcess redis = RedisUnderTest.process();
		List<String> names = List.of(name(), this.prefix + ":{leases}:leases");
		names.forEach((name) -> redis.command("COPY", name, name + ":copy", "REPLACE"));
		return () -> names.forEach((name) -> redis.command("COPY", name + ":copy", name, "REPLACE"));
	}

	String name() {
		return new String(RedisUnderTest.keys(this.prefix).counters(RuleCounts.of(RULE)).of(StoredKey.of(this.key))[0]);
	}

}
