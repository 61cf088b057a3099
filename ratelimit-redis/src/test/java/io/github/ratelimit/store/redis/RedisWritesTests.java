package io.github.ratelimit.store.redis;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import java.util.stream.Stream;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

import io.github.ratelimit.Limit;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.store.Correction;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.LimitOutcome;
import io.github.ratelimit.store.RuleCounts;
import io.github.ratelimit.store.StoredKey;
import io.github.ratelimit.store.tck.AlgorithmOnStore;
import io.github.ratelimit.store.tck.AlgorithmUnderTest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.LIST;

/**
 * What scripts write, command by command, and for how many milliseconds.
 */
@Tag("every-redis")
class RedisWritesTests {

	private static final Duration PERIOD = Duration.ofMinutes(10);

	private static final long NOW = AlgorithmOnStore.NOW;

	private static final String RECORD_LIFETIMES = """
			local redis = setmetatable({
			  call = function(command, ...)
			    local key, value, unit, lifetime = ...
			    if command == 'SET' and unit == 'PX' then
			      redis.call('HSET', 'lifetimes', key, lifetime)
			    elseif command == 'PEXPIRE' then
			      redis.call('HSET', 'lifetimes', key, value)
			    end
			    return redis.call(command, ...)
			  end
			}, { __index = redis })

			""";

	private final ScriptRunner redis = new SynchronousScriptRunner(RedisUnderTest.process());

	private final ScriptRunner recording = (call) -> this.redis.run(recording(call.script()), call.keys(),
			call.arguments());

	private final RedisRateLimitStore usual = store(CountingScripts.deciding());

	private final RedisRateLimitStore withoutLeanScripts = store(new CountingScripts("decide"));

	private final String key = AlgorithmOnStore.freshKey();

	private long clock = NOW;

	private RedisRateLimitStore store(CountingScripts decisions) {
		return new RedisRateLimitStore(
				new RedisSetup(this.recording, "writes", Duration.ofSeconds(20), RedisSharding.NONE, () -> this.clock),
				true, 10_000, decisions, null);
	}

	private static Script recording(Script script) {
		String text = RECORD_LIFETIMES + script.text();
		return script.text().equals(script.sent()) ? Script.readingNumber(text) : Script.of(text);
	}

	@ParameterizedTest
	@MethodSource
	void keyLivesUntilTheMillisecondInWhichItsStateEqualsAnUnusedOne(AlgorithmUnderTest algorithm, long fraction,
			long used) {
		Limit limit = algorithm.limit(999, PERIOD);
		this.clock = NOW / 1000 * 1000 + fraction;
		for (RedisRateLimitStore store : List.of(this.usual, this.withoutLeanScripts)) {
			LimitOutcome outcome = acquire(store, limit, used);
			assertThat(outcome.admitted()).isTrue();
			assertThat(lifetime(limit)).isEqualTo(Long.toString(millisUntilUnused(outcome)));
			RedisUnderTest.process().command("DEL", name(limit));
		}
	}

	static Stream<Arguments> keyLivesUntilTheMillisecondInWhichItsStateEqualsAnUnusedOne() {
		return Arrays.stream(AlgorithmUnderTest.values())
			.flatMap((algorithm) -> LongStream.of(0, 1, 500, 999)
				.boxed()
				.flatMap((fraction) -> Stream.of(30, 70, 998).map((used) -> Arguments.of(algorithm, fraction, used))));
	}

	/**
	 * Return the milliseconds from the start of the current one to the end of the one in
	 * which the state is unused.
	 */
	private long millisUntilUnused(LimitOutcome outcome) {
		long unused = this.clock + outcome.resetAfter();
		return -Math.floorDiv(-unused, 1000) - TimeUnit.MICROSECONDS.toMillis(this.clock);
	}

	@ParameterizedTest
	@EnumSource
	void deniedCallAtTheMicrosecondOfTheLastWritesNothing(AlgorithmUnderTest algorithm) {
		Limit limit = algorithm.limit(5, PERIOD);
		limit = algorithm.admitsUnitByUnit() ? limit.withMinInterval(Duration.ofSeconds(1)) : limit;
		for (RedisRateLimitStore store : List.of(this.usual, this.withoutLeanScripts)) {
			acquire(store, limit, 5);
			RedisUnderTest.process().command("DEL", "lifetimes");
			assertThat(acquire(store, limit, 1).admitted()).isFalse();
			assertThat(RedisUnderTest.process().command("HGETALL", "lifetimes")).asInstanceOf(LIST).isEmpty();
		}
	}

	@ParameterizedTest
	@EnumSource
	void refundOfAllUnitsDeletesTheKey(AlgorithmUnderTest algorithm) {
		Limit limit = algorithm.limit(100, PERIOD);
		for (long units : new long[] { 5, 100 }) {
			for (long countedAt : new long[] { Correction.NEWEST, NOW }) {
				acquire(this.usual, limit, units);
				RedisUnderTest.process().command("DEL", "lifetimes");
				Correction refund = Correction.refund(new Demand(rule(limit), this.key, units), countedAt);
				AlgorithmOnStore.correct(this.usual, List.of(refund));
				assertThat(RedisUnderTest.process().command("EXISTS", name(limit))).isEqualTo(0L);
				assertThat(lifetime(limit)).as("of a key that was written again").isNull();
			}
		}
	}

	/**
	 * Return the milliseconds to live that were last written, {@code null} if nothing
	 * was.
	 */
	private Object lifetime(Limit limit) {
		return RedisUnderTest.process().command("HGET", "lifetimes", name(limit));
	}

	private LimitOutcome acquire(RedisRateLimitStore store, Limit limit, long cost) {
		return store.acquire(new Demand(rule(limit), this.key, cost)).get(0).outcomes().get(0);
	}

	private String name(Limit limit) {
		return new String(
				RedisUnderTest.keys("writes").counters(RuleCounts.of(rule(limit))).first(StoredKey.of(this.key)),
				StandardCharsets.UTF_8);
	}

	private static RateLimitRule rule(Limit limit) {
		return RateLimitRule.named("rule").limit(limit).build();
	}

}
