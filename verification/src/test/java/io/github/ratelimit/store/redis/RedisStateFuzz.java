package io.github.ratelimit.store.redis;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionException;

import io.github.ratelimit.fuzz.FuzzInput;
import io.github.ratelimit.fuzz.FuzzedRules;
import io.github.ratelimit.store.Correction;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.RuleAnswer;
import io.github.ratelimit.store.StoreException;
import redis.clients.jedis.Jedis;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Bytes of the keys of a call in Redis: a byte for the rule, one for the key of it that
 * has a state, one for its type, then the state. Calls are decided like any others, or
 * fail with the rule and a remedy until the key is reset; no count stays for ever.
 */
public final class RedisStateFuzz {

	private static final RedisKeys KEYS = RedisUnderTest.keys("fuzz");

	private static final Jedis REDIS = new Jedis(RedisUnderTest.process().host(), RedisUnderTest.process().port());

	private static final RedisRateLimitStore STORE = new RedisRateLimitStore(
			new RedisSetup(new SynchronousScriptRunner(RedisUnderTest.process()), "fuzz", Duration.ofSeconds(20),
					RedisSharding.NONE, () -> FuzzedRules.NOW));

	private RedisStateFuzz() {
	}

	public static void fuzzerTestOneInput(byte[] input) {
		FuzzInput from = new FuzzInput(input);
		Demand call = FuzzedRules.call(from);
		byte[][] names = KEYS.counters(call.counts()).of(call.key());
		int which = from.below(names.length);
		store(names[which], from.below(4), from.rest());
		boolean isOfKey = !call.counts().needsEnd() || which < names.length - 1;
		try {
			List<Demand> admitted = FuzzedRules.assertDecided(call, (demand) -> (RuleAnswer) STORE.acquire(demand));
			admitted.forEach(RedisStateFuzz::refund);
			FuzzedRules.assertAnswer(STORE.peek(call.withCost(0)));
			assertThat(REDIS.pttl(names[0])).as("time to live").isNotEqualTo(-1);
		}
		catch (StoreException ex) {
			assertThat(ex).hasMessageContaining("rule \"" + call.rule().name() + '"')
				.hasMessageNotContaining(call.key().text());
			assertThat(ex.isOutage()).isFalse();
			assertThat(ex.remedy()).isNotBlank();
			if (isOfKey) {
				STORE.reset(call.counts(), call.key());
				assertThat(((RuleAnswer) STORE.acquire(call)).isAdmitted()).as("admitted after a reset").isTrue();
				refund(call);
			}
		}
		finally {
			REDIS.del(names);
		}
	}

	private static void store(byte[] name, int form, byte[] state) {
		switch (form) {
			case 0 -> REDIS.hset(name, "held".getBytes(StandardCharsets.US_ASCII), state);
			case 1 -> REDIS.hset(name, new byte[] { 0, 0, 0, 0, 0, 0, 7 }, state);
			default -> REDIS.set(name, state);
		}
	}

	/**
	 * Refund a call. It may fail although the call was decided: only the refund reads
	 * what instances hold.
	 */
	private static void refund(Demand demand) {
		try {
			STORE.correct(List.of(Correction.refund(demand, FuzzedRules.NOW))).toCompletableFuture().join();
		}
		catch (CompletionException ex) {
			throw (ex.getCause() instanceof StoreException failure) ? failure : ex;
		}
	}

}
