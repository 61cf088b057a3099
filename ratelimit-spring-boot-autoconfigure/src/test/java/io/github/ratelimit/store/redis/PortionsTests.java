package io.github.ratelimit.store.redis;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.Limit;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.algorithm.CountType;
import io.github.ratelimit.store.AlgorithmOnStore;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.LimitOutcome;
import io.github.ratelimit.store.RuleCounts;
import io.github.ratelimit.store.RuleValue;
import io.github.ratelimit.store.StoredKey;

import org.springframework.data.redis.connection.RedisConnection;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Portions in Redis, call by call. A second has 1,000,000 microseconds, a portion is held
 * for 20,000 of them.
 */
@Tag("every-redis")
class PortionsTests {

	private static final long NOW = AlgorithmOnStore.NOW - AlgorithmOnStore.NOW % 1_000_000;

	private static final long SECOND = 1_000_000;

	private static final long PREFETCH = 20_000;

	private final ScriptRunner runner = new RedisStoreUnderTest.LongLived(
			ScriptRunners.over(RedisUnderTest.connections(), Duration.ofSeconds(20)), new ConcurrentHashMap<>());

	private final RuleValue<EncodedCounts> encoded = EncodedCounts.under(new RedisKeys("portions"));

	private final CountingScripts decisions = new CountingScripts("decide");

	private final StoredKey key = StoredKey.of(AlgorithmOnStore.freshKey());

	private RuleCounts rule = rule(Limit.of(100, Duration.ofSeconds(1)).withAlgorithm(Algorithm.SLIDING_LOG));

	@Test
	void unitsCountAsOfTheEndOfTheirPortion() {
		assertThat(fetch(0, 1, 10).portion()).isEqualTo(new LimitOutcome(10, 0, PREFETCH));
		assertThat(remainingAt(1)).isEqualTo(89);
		assertThat(remainingAt(SECOND)).isEqualTo(90);
		assertThat(remainingAt(SECOND + PREFETCH - 1)).isEqualTo(90);
		assertThat(remainingAt(SECOND + PREFETCH)).isEqualTo(100);
	}

	@Test
	void portionsShrinkToSingleUnitsNearTheLimit() {
		assertThat(fetch(0, 0, 1_000).portion().remaining()).isEqualTo(25);
		assertThat(fetch(1, 50, 1_000).portion().remaining()).isEqualTo(6);
		assertThat(fetch(2, 14, 1_000).portion().remaining()).isOne();
		assertThat(fetch(3, 1, 1_000).portion().remaining()).isZero();
		assertThat(fetch(4, 3, 0).outcome().retryAfter()).isZero();
		assertThat(fetch(5, 1, 0).outcome().retryAfter()).isPositive();
	}

	@ParameterizedTest
	@MethodSource
	void waitingAsLongAsADenialSaysAdmits(Algorithm algorithm, long cost) {
		this.rule = rule(Limit.of(100, Duration.ofSeconds(1)).withAlgorithm(algorithm));
		fetch(0, 50, 1_000);
		fetch(5_000, 10, 1_000);
		long retryAfter = fetch(6_000, cost, 0).outcome().retryAfter();
		assertThat(retryAfter).isPositive();
		assertThat(peek(6_000 + retryAfter - 1, cost)).isPositive();
		assertThat(peek(6_000 + retryAfter, cost)).isZero();
	}

	static Stream<Arguments> waitingAsLongAsADenialSaysAdmits() {
		return Stream
			.of(Algorithm.SLIDING_LOG, Algorithm.SLIDING_WINDOW, Algorithm.WEIGHTED_WINDOW, Algorithm.FIXED_WINDOW,
					Algorithm.TOKEN_BUCKET)
			.flatMap((algorithm) -> Stream.of(30L, 45L, 60L, 100L).map((cost) -> Arguments.of(algorithm, cost)));
	}

	@Test
	void deniedCallsChangeNothingAlsoWhenPortionsHaveEnded() {
		fetch(0, 60, 10);
		fetch(1, 20, 0);
		List<String> stored = stored();
		assertThat(fetch(PREFETCH, 50, 0).outcome().retryAfter()).isPositive();
		assertThat(fetch(PREFETCH + 1, 0, 0).outcome().remaining()).isEqualTo(10);
		assertThat(stored()).isEqualTo(stored);
	}

	@Test
	void unitsLeftComeBackBeforeTheEndOnce() {
		long id = fetch(0, 1, 10).id();
		giveBack(10_000, id, 4);
		giveBack(10_001, id, 4);
		assertThat(remainingAt(10_002)).isEqualTo(93);
		assertThat(remainingAt(SECOND)).isEqualTo(94);
		assertThat(remainingAt(SECOND + PREFETCH)).isEqualTo(100);
	}

	@Test
	void unitsLeftComeBackAfterTheEndOnce() {
		long id = fetch(0, 1, 10).id();
		fetch(PREFETCH + 100, 1, 0);
		giveBack(PREFETCH + 200, id, 4);
		giveBack(PREFETCH + 300, id, 4);
		assertThat(remainingAt(PREFETCH + 400)).isEqualTo(92);
		assertThat(remainingAt(SECOND)).isEqualTo(93);
		assertThat(remainingAt(SECOND + PREFETCH)).isEqualTo(99);
	}

	@Test
	void nothingComesBackAfterAReset() {
		long id = fetch(0, 1, 10).id();
		this.runner.run(Script.of(Script.read("reset")), names(), new byte[0][]).join();
		fetch(PREFETCH + 1, 5, 0);
		giveBack(PREFETCH + 2, id, 10);
		assertThat(remainingAt(PREFETCH + 3)).isEqualTo(95);
	}

	@Test
	void unitsOfAnInstanceThatVanishedComeBackAsIfUsed() {
		fetch(0, 1, 10);
		assertThat(remainingAt(SECOND + PREFETCH - 1)).isEqualTo(90);
		assertThat(remainingAt(SECOND + PREFETCH)).isEqualTo(100);
	}

	@ParameterizedTest
	@EnumSource(names = { "FIXED_WINDOW", "WEIGHTED_WINDOW" })
	void portionEndsWithItsWindow(Algorithm algorithm) {
		this.rule = rule(Limit.of(100, Duration.ofSeconds(1)).withAlgorithm(algorithm));
		assertThat(fetch(SECOND - 5_000, 1, 10).portion()).isEqualTo(new LimitOutcome(10, 0, 4_999));
		assertThat(remainingAt(SECOND - 1)).isEqualTo(89);
		assertThat(remainingAt(SECOND)).isEqualTo((algorithm == Algorithm.FIXED_WINDOW) ? 100 : 89);
	}

	@Test
	void limitWithTheLeastRoomBoundsAPortion() {
		this.rule = RuleCounts.of(RateLimitRule.named("rule")
			.limit(Limit.of(100, Duration.ofSeconds(1)).withAlgorithm(Algorithm.SLIDING_LOG).withName("second"))
			.limit(Limit.of(1_000, Duration.ofMinutes(1)).withAlgorithm(Algorithm.TOKEN_BUCKET).withName("minute"))
			.prefetch(Duration.ofMillis(20))
			.build());
		Answer answer = fetch(0, 1, 1_000);
		assertThat(answer.outcomes()).extracting(LimitOutcome::remaining).containsExactly(75L, 975L, 24L);
		assertThat(fetch(PREFETCH, 0, 0).outcomes()).extracting(LimitOutcome::remaining).containsExactly(75L, 975L, 0L);
	}

	@Test
	void callThatWaitsGoesOnWhenPortionsLeaveRoom() {
		fetch(0, 75, 1_000);
		assertThat(ask(NOW + 10, 30, SECOND, Fetch.NOTHING).outcome().retryAfter()).isEqualTo(SECOND - 10);
		assertThat(fetch(SECOND, 64, 0).outcome().retryAfter()).isZero();
		assertThat(fetch(SECOND, 1, 0).outcome().retryAfter()).isEqualTo(PREFETCH);
	}

	@Test
	void portionsMoveBackWithTheClock() {
		fetch(0, 1, 10);
		assertThat(remainingAt(-100 * SECOND)).isEqualTo(89);
		fetch(-100 * SECOND, 1, 0);
		assertThat(remainingAt(-100 * SECOND + PREFETCH - 1)).isEqualTo(88);
		assertThat(remainingAt(-99 * SECOND)).isEqualTo(90);
		assertThat(remainingAt(-99 * SECOND + PREFETCH)).isEqualTo(100);
	}

	@Test
	void nothingIsStoredLongerThanItMatters() {
		Answer fetched = fetch(0, 1, 10);
		assertThat(fetched.outcome().resetAfter()).isEqualTo(SECOND + PREFETCH);
		fetch(SECOND + PREFETCH, 0, 0);
		assertThat(stored()).containsExactly("null", "null");
	}

	@Test
	void ruleWithoutPrefetchHasNoFurtherKey() {
		RuleCounts plain = RuleCounts
			.of(RateLimitRule.named("rule").limit(5, Duration.ofSeconds(1)).build().withDefault(Algorithm.SLIDING_LOG));
		assertThat(this.encoded.get(plain).names().size()).isOne();
		assertThat(this.encoded.get(plain).call(new Demand(plain, this.key, 1)).algorithms())
			.isEqualTo(EnumSet.of(CountType.SLIDING_LOG));
	}

	private long remainingAt(long after) {
		return fetch(after, 0, 0).outcome().remaining();
	}

	private long peek(long after, long cost) {
		CountingScripts peeks = new CountingScripts("each-count", "peek");
		return run(peeks, NOW + after, cost, 0, Fetch.NOTHING).outcome().retryAfter();
	}

	private Answer fetch(long after, long cost, long wanted) {
		long id = 1 + System.nanoTime() % 1_000_000;
		return ask(NOW + after, cost, 0, (wanted > 0) ? new Fetch(null, wanted, id, 0, 0) : Fetch.NOTHING);
	}

	private void giveBack(long after, long id, long unused) {
		ask(NOW + after, 0, 0, new Fetch(null, 0, 0, id, unused));
	}

	private Answer ask(long now, long cost, long maxWait, Fetch fetch) {
		return run(this.decisions, now, cost, maxWait, fetch);
	}

	private Answer run(CountingScripts scripts, long now, long cost, long maxWait, Fetch fetch) {
		EncodedCall call = this.encoded.get(this.rule).call(new Demand(this.rule, this.key, cost, maxWait), fetch);
		ByteBuffer reply = ByteBuffer.wrap(new io.github.ratelimit.store.redis.Arguments(now).call(call, names())
			.run(this.runner, scripts)
			.join());
		assertThat(reply.getLong()).isEqualTo(now);
		List<LimitOutcome> outcomes = new ArrayList<>();
		while (reply.hasRemaining()) {
			outcomes.add(new LimitOutcome(reply.getLong(), reply.getLong(), reply.getLong()));
		}
		return new Answer(fetch.id(), outcomes);
	}

	private byte[][] names() {
		return this.encoded.get(this.rule).names().of(this.key);
	}

	private List<String> stored() {
		try (RedisConnection connection = RedisUnderTest.connections().getConnection()) {
			return Arrays.stream(names()).map(connection.stringCommands()::get).map(Arrays::toString).toList();
		}
	}

	private static RuleCounts rule(Limit limit) {
		return RuleCounts.of(RateLimitRule.named("rule").limit(limit).prefetch(Duration.ofMillis(20)).build());
	}

	private record Answer(long id, List<LimitOutcome> outcomes) {

		LimitOutcome outcome() {
			return this.outcomes.get(0);
		}

		LimitOutcome portion() {
			return this.outcomes.get(this.outcomes.size() - 1);
		}

	}

}
