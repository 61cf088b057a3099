package io.github.ratelimit.store.redis;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.data.redis.connection.RedisConnection;

import io.github.ratelimit.Limit;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.store.Correction;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.Demands;
import io.github.ratelimit.store.LimitOutcome;
import io.github.ratelimit.store.RuleCounts;
import io.github.ratelimit.store.StoredKey;
import io.github.ratelimit.store.tck.AlgorithmOnStore;
import io.github.ratelimit.store.tck.AlgorithmUnderTest;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Laws 1, 4 and 6 in Redis: stored state and its time to live.
 */
class RedisStateTests {

	private static final Duration PERIOD = Duration.ofMinutes(10);

	/**
	 * Longest time in milliseconds between two commands on a busy machine.
	 */
	private static final long MOMENT = 20_000;

	private static final long NOW = AlgorithmOnStore.NOW;

	private long clock = NOW;

	private final RedisRateLimitStore store = RedisUnderTest.store(RedisUnderTest.connections(), "state",
			Duration.ofSeconds(20), () -> this.clock);

	private final String key = AlgorithmOnStore.freshKey();

	private String name;

	@ParameterizedTest
	@MethodSource
	void deniedCallChangesNeitherValueNorTimeToLive(AlgorithmUnderTest algorithm, int used) {
		Limit limit = algorithm.limit(used, PERIOD);
		acquire(limit, used);
		command("PEXPIRE", "100000");
		byte[] before = stored();
		for (int i = 0; i < 2; i++) {
			assertThat(acquire(limit, used).retryAfter()).isPositive();
			assertThat(acquire(limit, used + 1).retryAfter()).isEqualTo(-1);
			this.clock += 1_000_000;
		}
		assertThat(stored()).isNotEmpty().isEqualTo(before);
		assertThat(timeToLive()).isBetween(100_000L - MOMENT, 100_000L);
	}

	@ParameterizedTest
	@MethodSource("deniedCallChangesNeitherValueNorTimeToLive")
	void costZeroWritesNothing(AlgorithmUnderTest algorithm, int used) {
		Limit limit = algorithm.limit(used + 1, PERIOD);
		acquire(limit, used);
		command("PERSIST");
		byte[] before = stored();
		for (long step : new long[] { 1_000_000, -10_000_000, -86_400_000_000L }) {
			this.clock += step;
			acquire(limit, 0);
			acquire(algorithm.limit(1, PERIOD), 0);
		}
		assertThat(stored()).isNotEmpty().isEqualTo(before);
		assertThat(timeToLive()).isEqualTo(-1);
	}

	static Stream<Arguments> deniedCallChangesNeitherValueNorTimeToLive() {
		return Arrays.stream(AlgorithmUnderTest.values())
			.flatMap(
					(algorithm) -> IntStream.of(1, 5, 64, 65, 1_000).mapToObj((used) -> Arguments.of(algorithm, used)));
	}

	@ParameterizedTest
	@EnumSource
	void callThatTakesNothingCreatesNoKey(AlgorithmUnderTest algorithm) {
		Limit limit = algorithm.limit(5, PERIOD);
		acquire(limit, 0);
		acquire(limit, 6);
		acquire(limit, Long.MAX_VALUE);
		assertThat(command("EXISTS")).isEqualTo(0L);
	}

	@ParameterizedTest
	@EnumSource
	void laterAdmissionProlongsTheLife(AlgorithmUnderTest algorithm) {
		Limit limit = algorithm.limit(200, PERIOD);
		for (int i = 0; i < 200; i++) {
			this.clock += 1_000_000;
			letTheLastCallPay(algorithm, limit);
			LimitOutcome outcome = acquire(limit, 1);
			assertThat(timeToLive()).isBetween(millisUntilUnused(outcome) - MOMENT, millisUntilUnused(outcome));
		}
	}

	@ParameterizedTest
	@EnumSource
	void keyOfTheShortestLimitLivesAtLeastOneMillisecond(AlgorithmUnderTest algorithm) {
		this.clock = NOW / 1000 * 1000;
		for (long max : new long[] { 1, algorithm.largestMax() }) {
			for (int i = 0; i < 100; i++) {
				LimitOutcome outcome = acquire(algorithm.limit(max, Duration.ofMillis(1)), 1);
				assertThat(outcome.admitted()).isTrue();
				assertThat(timeToLive()).isNotEqualTo(-1).isLessThanOrEqualTo(Math.max(1, millisUntilUnused(outcome)));
				command("DEL");
			}
		}
	}

	@ParameterizedTest
	@EnumSource
	void keyWithoutTimeToLiveIsMendedByTheNextCall(AlgorithmUnderTest algorithm) {
		for (int used : new int[] { 2, 100 }) {
			Limit limit = algorithm.limit(used + 1, PERIOD);
			acquire(limit, used);
			command("PERSIST");
			letTheLastCallPay(algorithm, limit);
			LimitOutcome admitted = acquire(limit, 1);
			assertThat(admitted.admitted()).isTrue();
			assertThat(timeToLive()).isBetween(1L, millisUntilUnused(admitted));
			command("PERSIST");
			this.clock += 1_000_000;
			LimitOutcome denied = acquire(limit, 1);
			assertThat(denied.admitted()).isFalse();
			assertThat(timeToLive()).isBetween(millisUntilUnused(denied) - MOMENT, millisUntilUnused(denied));
			command("DEL");
		}
	}

	@ParameterizedTest
	@EnumSource
	void keyWithoutTimeToLiveIsMendedByACallThatAnotherLimitDenies(AlgorithmUnderTest algorithm) {
		Limit limit = algorithm.limit(5, PERIOD);
		RateLimitRule other = RateLimitRule.named("other").limit(algorithm.limit(1, PERIOD)).build();
		Demands demands = Demands.of(new Demand(rule(limit), this.key, 1), new Demand(other, this.key, 2));
		for (Demands ordered : List.of(demands, Demands.of(demands.get(1), demands.get(0)))) {
			acquire(limit, 1);
			command("PERSIST");
			this.store.acquire(ordered);
			assertThat(timeToLive()).isPositive();
		}
	}

	@ParameterizedTest
	@EnumSource
	void stateThatAClockTookBackLivesForItsNewTime(AlgorithmUnderTest algorithm) {
		for (int used : new int[] { 5, 100 }) {
			Limit limit = algorithm.limit(used, PERIOD);
			acquire(limit, used);
			command("PEXPIRE", String.valueOf(MOMENT));
			this.clock -= PERIOD.toNanos() / 1000;
			LimitOutcome denied = acquire(limit, 1);
			assertThat(denied.admitted()).isFalse();
			assertThat(timeToLive()).isBetween(millisUntilUnused(denied) - MOMENT, millisUntilUnused(denied));
			command("DEL");
		}
	}

	@ParameterizedTest
	@EnumSource
	void stateLivesForTheRestAfterARefund(AlgorithmUnderTest algorithm) {
		Limit limit = algorithm.limit(4, PERIOD);
		for (long taken : new long[] { 1, 2, 3 }) {
			acquire(limit, 4);
			Demand waiting = new Demand(rule(limit), this.key, 3, limit.period().multipliedBy(3));
			long turn = this.clock + this.store.acquire(waiting).get(0).outcomes().get(0).retryAfter();
			this.clock += 1_000_000;
			Demand refunded = new Demand(rule(limit), this.key, taken);
			AlgorithmOnStore.correct(this.store, List.of(Correction.refund(refunded, turn)));
			long lifetime = millisUntilUnused(acquire(limit, 0));
			assertThat(timeToLive()).isBetween(lifetime - MOMENT, lifetime);
			command("DEL");
		}
	}

	@ParameterizedTest
	@EnumSource
	void deniedCallBehindOneThatGaveUpWritesNothing(AlgorithmUnderTest algorithm) {
		Limit limit = algorithm.limit(4, PERIOD);
		acquire(limit, 4);
		Demand waiting = new Demand(rule(limit), this.key, 1, limit.period().multipliedBy(5));
		long[] turns = new long[3];
		for (int i = 0; i < turns.length; i++) {
			turns[i] = NOW + this.store.acquire(waiting).get(0).outcomes().get(0).retryAfter();
		}
		for (int i = turns.length - 1; i >= 0; i--) {
			AlgorithmOnStore.correct(this.store, List.of(Correction.refund(waiting, turns[i])));
			byte[] before = stored();
			assertThat(acquire(limit, 4).admitted()).isFalse();
			assertThat(stored()).isEqualTo(before);
		}
	}

	@ParameterizedTest
	@EnumSource
	void refundOfNothingWritesNothing(AlgorithmUnderTest algorithm) {
		Limit limit = algorithm.limit(5, PERIOD);
		acquire(limit, 5);
		command("PERSIST");
		byte[] before = stored();
		refund(limit, 0);
		assertThat(stored()).isEqualTo(before);
		assertThat(timeToLive()).isEqualTo(-1);
	}

	@ParameterizedTest
	@EnumSource
	void refundOfUnitsNeverTakenCreatesNoKey(AlgorithmUnderTest algorithm) {
		Limit limit = algorithm.limit(5, PERIOD);
		acquire(limit, 0);
		refund(limit, 5);
		assertThat(command("EXISTS")).isEqualTo(0L);
	}

	@ParameterizedTest
	@EnumSource
	void refundOfAllUnitsDeletesTheKey(AlgorithmUnderTest algorithm) {
		for (int used : new int[] { 5, 100 }) {
			Limit limit = algorithm.limit(used, PERIOD);
			acquire(limit, used);
			refund(limit, used);
			assertThat(command("EXISTS")).isEqualTo(0L);
			assertThat(acquire(limit, used).admitted()).isTrue();
			command("DEL");
		}
	}

	@ParameterizedTest
	@EnumSource
	void refundOfSomeUnitsKeepsTheRestForItsTime(AlgorithmUnderTest algorithm) {
		Limit limit = algorithm.limit(100, PERIOD);
		acquire(limit, 100);
		refund(limit, 40);
		assertThat(timeToLive()).isBetween(1L, millisUntilUnused(acquire(limit, 0)));
	}

	private void refund(Limit limit, long cost) {
		AlgorithmOnStore.correct(this.store,
				List.of(Correction.refund(new Demand(rule(limit), this.key, cost), Correction.NEWEST)));
	}

	/**
	 * Advance the clock to the next call, for algorithms that delay it even if units are
	 * left.
	 */
	private void letTheLastCallPay(AlgorithmUnderTest algorithm, Limit limit) {
		if (!algorithm.admitsUnitByUnit()) {
			this.clock += algorithm.retryAfter(limit, this.clock);
		}
	}

	/**
	 * Return the milliseconds from the start of the current one to the end of the one in
	 * which the state is unused.
	 */
	private long millisUntilUnused(LimitOutcome outcome) {
		long unused = this.clock + outcome.resetAfter();
		return -Math.floorDiv(-unused, 1000) - TimeUnit.MICROSECONDS.toMillis(this.clock);
	}

	private LimitOutcome acquire(Limit limit, long cost) {
		this.name = new String(
				RedisUnderTest.keys("state").counters(RuleCounts.of(rule(limit))).first(StoredKey.of(this.key)),
				StandardCharsets.UTF_8);
		return this.store.acquire(new Demand(rule(limit), this.key, cost)).get(0).outcomes().get(0);
	}

	private static RateLimitRule rule(Limit limit) {
		return RateLimitRule.named("rule").limit(limit).build();
	}

	private long timeToLive() {
		return (Long) command("PTTL");
	}

	/**
	 * Run a command on the key of the state.
	 */
	private Object command(String command, String... arguments) {
		Stream<String> words = Stream.concat(Stream.of(command, this.name), Arrays.stream(arguments));
		return RedisUnderTest.process().command(words.toArray(String[]::new));
	}

	private byte[] stored() {
		try (RedisConnection connection = RedisUnderTest.connections().getConnection()) {
			return connection.stringCommands().get(this.name.getBytes(StandardCharsets.UTF_8));
		}
	}

}
