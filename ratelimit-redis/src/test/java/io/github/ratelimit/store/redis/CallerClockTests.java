package io.github.ratelimit.store.redis;

import java.time.Duration;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.CalendarUnit;
import io.github.ratelimit.Limit;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.algorithm.Count;
import io.github.ratelimit.store.Correction;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.Demands;
import io.github.ratelimit.store.LimitOutcome;
import io.github.ratelimit.store.RuleAnswer;
import io.github.ratelimit.store.RuleCounts;
import io.github.ratelimit.store.StoreAnswer;
import io.github.ratelimit.store.StoreException;
import io.github.ratelimit.store.StoredKey;
import io.github.ratelimit.store.tck.AlgorithmOnStore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Calls by a calendar of an instance whose clock is wrong: the clock of Redis decides.
 */
@Tag("every-redis")
class CallerClockTests {

	private static final Duration PATIENCE = Duration.ofSeconds(20);

	private static final RuleCounts RULE = RuleCounts.of(RateLimitRule.named("rule")
		.limit(Limit.ofCalendar(5, CalendarUnit.HOUR, ZoneId.of("Europe/Paris")))
		.build());

	private long now = AlgorithmOnStore.NOW;

	private long behind;

	private final AtomicInteger scripts = new AtomicInteger();

	/** The number of the script that fails. */
	private int failing;

	private final RedisRateLimitStore store = new RedisRateLimitStore(
			new RedisSetup(new CountingRunner(), "caller", PATIENCE, RedisSharding.NONE, () -> this.now,
					new CallerClock(() -> this.now - this.behind), System::nanoTime, Scheduler::onTimerThread));

	private final StoredKey key = StoredKey.of(AlgorithmOnStore.freshKey());

	@ParameterizedTest
	@ValueSource(longs = { 1, 60, -60, 3_000, -3_000 })
	void clockThatIsWrongByLessThanAWindowCostsNothing(long seconds) {
		this.behind = seconds * 1_000_000;
		assertThat(acquire(2)).isEqualTo(new LimitOutcome(3, 0, untilTheNextHour()));
		assertThat(acquire(4)).isEqualTo(new LimitOutcome(3, untilTheNextHour(), untilTheNextHour()));
		assertThat(this.scripts).hasValue(2);
	}

	@ParameterizedTest
	@ValueSource(longs = { 3, -3, 24, -24, 24 * 365 * 3, -24 * 365 * 3 })
	void callOfAClockThatIsFarWrongIsSentOnceMore(long hours) {
		this.behind = hours * 3_600_000_000L;
		assertThat(acquire(2)).isEqualTo(new LimitOutcome(3, 0, untilTheNextHour()));
		assertThat(this.scripts).hasValue(2);
		assertThat(acquire(4)).isEqualTo(new LimitOutcome(3, untilTheNextHour(), untilTheNextHour()));
		assertThat(acquire(3).admitted()).isTrue();
		assertThat(this.scripts).as("the clock of Redis is known").hasValue(4);
	}

	@Test
	void clockThatGoesWrongLaterIsNoticed() {
		acquire(1);
		this.behind = 86_400_000_000L;
		assertThat(acquire(1)).isEqualTo(new LimitOutcome(3, 0, untilTheNextHour()));
		this.behind = 0;
		assertThat(acquire(1)).isEqualTo(new LimitOutcome(2, 0, untilTheNextHour()));
		assertThat(this.scripts).hasValue(5);
	}

	@Test
	void peekRefundAndChargeAreSentOnceMore() {
		acquire(2);
		this.behind = 86_400_000_000L;
		assertThat(this.store.peek(demand(1, 0)).outcomes())
			.containsExactly(new LimitOutcome(3, 0, untilTheNextHour()));
		this.behind = 0;
		AlgorithmOnStore.correct(this.store, List.of(Correction.refund(demand(1, 0), Correction.NEWEST)));
		assertThat(acquire(0).remaining()).isEqualTo(4);
		this.behind = -86_400_000_000L;
		AlgorithmOnStore.correct(this.store, List.of(Correction.charge(RULE, this.key, List.of(3L), 0)));
		assertThat(acquire(0).remaining()).isEqualTo(1);
	}

	@Test
	void peekThatFailsWhenItIsSentOnceMoreFails() {
		this.behind = 86_400_000_000L;
		this.failing = 2;
		assertThatExceptionOfType(StoreException.class).isThrownBy(() -> this.store.peek(demand(1, 0)))
			.withMessage("gone");
		assertThat(this.scripts).hasValue(2);
	}

	@Test
	void callsOfOneBatchThatLackEdgesAreSentOnceMoreTogether() {
		this.behind = 86_400_000_000L;
		List<CompletionStage<StoreAnswer>> answers = new ArrayList<>();
		for (int i = 0; i < 7; i++) {
			answers.add(this.store.acquireAsync(demand(1, 0)));
		}
		assertThat(answers.stream().filter((answer) -> answer.toCompletableFuture().join().isAdmitted())).hasSize(5);
	}

	@Test
	void simultaneousCallsOfBothSidesOfAnEdgeCountInTheWindowOfTheServer() {
		long hour = Duration.ofHours(1).toNanos() / 1000;
		this.now = AlgorithmOnStore.NOW - AlgorithmOnStore.NOW % hour;
		this.behind = 1;
		List<CompletionStage<StoreAnswer>> before = List.of(this.store.acquireAsync(demand(2, 0)),
				this.store.acquireAsync(demand(1, 0)));
		this.behind = 0;
		CompletionStage<StoreAnswer> after = this.store.acquireAsync(demand(1, 0));
		before.forEach((answer) -> assertThat(answer.toCompletableFuture().join().isAdmitted()).isTrue());
		assertThat(after.toCompletableFuture().join().isAdmitted()).isTrue();
		assertThat(acquire(0)).isEqualTo(new LimitOutcome(1, 0, hour));
	}

	@Test
	void callBehindALongQueueIsSentOnceMore() {
		long hour = Duration.ofHours(1).toNanos() / 1000;
		long left = untilTheNextHour();
		Duration days = Duration.ofDays(2);
		for (int i = 0; i < 20; i++) {
			assertThat(acquire(5, days).retryAfter()).isEqualTo((i == 0) ? 0 : left + (i - 1) * hour);
		}
		this.scripts.set(0);
		assertThat(acquire(1, Duration.ofHours(1)).retryAfter()).isEqualTo(left + 19 * hour);
		assertThat(acquire(1, Duration.ZERO).retryAfter()).isEqualTo(left + 19 * hour);
		assertThat(acquire(6, Duration.ZERO).retryAfter()).isEqualTo(Count.NEVER);
	}

	@Test
	void callOfSeveralRulesIsSentOnceMore() {
		this.behind = 86_400_000_000L;
		RateLimitRule other = RateLimitRule.named("other")
			.limit(9, Duration.ofMinutes(1))
			.algorithm(Algorithm.TOKEN_BUCKET)
			.build();
		StoreAnswer answer = this.store
			.acquire(Demands.of(new Demand(other, AlgorithmOnStore.freshKey(), 1), demand(1, 0)));
		assertThat(answer.get(0).outcomes()).extracting(LimitOutcome::remaining).containsExactly(8L);
		assertThat(answer.get(1).outcomes()).extracting(LimitOutcome::remaining).containsExactly(4L);
	}

	/**
	 * The edges that are sent with a call reach as far as it may wait by the clock of the
	 * caller, and its turn is later.
	 */
	@Test
	void callThatIsSentOnceMoreHoldsItsSlots() {
		RuleCounts running = RuleCounts.of(RateLimitRule.named("running").limit(Limit.ofConcurrency(1)).build());
		RuleCounts waiting = RuleCounts.of(RateLimitRule.named("waiting")
			.limit(Limit.ofCalendar(1, CalendarUnit.HOUR, ZoneId.of("Europe/Paris")))
			.maxWait(Duration.ofHours(3))
			.build());
		this.now += untilTheNextHour() + 500_000;
		this.behind = 1_000_000;
		for (int i = 0; i < 3; i++) {
			assertThat(this.store.acquire(new Demand(waiting, this.key, 1)).isAdmitted()).isTrue();
		}
		StoreAnswer call = this.store
			.acquire(Demands.of(new Demand(running, this.key, 1), new Demand(waiting, this.key, 1)));
		assertThat(call.isAdmitted()).isTrue();
		assertThat(this.scripts).hasValue(5);
		assertThat(this.store.acquire(new Demand(running, this.key, 1)).isAdmitted()).isFalse();
		AlgorithmOnStore.correct(this.store, call.refunds());
		assertThat(this.store.acquire(new Demand(running, this.key, 1)).isAdmitted()).isTrue();
	}

	@Test
	void callThatIsSentOnceMoreKeepsTheDecisionsOfItsCandidates() {
		this.behind = 86_400_000_000L;
		RuleCounts tried = RuleCounts.of(RateLimitRule.named("tried")
			.limit(Limit.ofCalendar(5, CalendarUnit.HOUR, ZoneId.of("Europe/Paris")))
			.candidate("tight", Limit.of(1, Duration.ofHours(1)).withAlgorithm(Algorithm.TOKEN_BUCKET))
			.build());
		StoreAnswer first = this.store.acquire(new Demand(tried, this.key, 1));
		assertThat(this.scripts).hasValue(2);
		assertThat(first.tried()).singleElement().matches(RuleAnswer::isAdmitted);
		AlgorithmOnStore.correct(this.store, first.refunds());
		assertThat(this.store.acquire(new Demand(tried, this.key, 1)).tried()).singleElement()
			.matches(RuleAnswer::isAdmitted);
		assertThat(this.store.acquire(new Demand(tried, this.key, 1)).tried()).singleElement()
			.matches((again) -> !again.isAdmitted());
	}

	private LimitOutcome acquire(long cost) {
		return acquire(cost, Duration.ZERO);
	}

	private LimitOutcome acquire(long cost, Duration maxWait) {
		return this.store.acquire(demand(cost, maxWait.toNanos() / 1000)).get(0).outcomes().get(0);
	}

	private Demand demand(long cost, long maxWait) {
		return new Demand(RULE, this.key, cost, maxWait);
	}

	private long untilTheNextHour() {
		return RULE.get(0).limit().calendar().windowAt(this.now).end() - this.now;
	}

	/**
	 * Runner that counts the calls of scripts.
	 */
	private final class CountingRunner implements ScriptRunner {

		private final ScriptRunner runner = ScriptRunnerFactory.over(RedisUnderTest.connections(), PATIENCE);

		@Override
		public CompletableFuture<byte[]> run(ScriptCall call) {
			if (CallerClockTests.this.scripts.incrementAndGet() == CallerClockTests.this.failing) {
				return CompletableFuture.failedFuture(new StoreException("gone", null));
			}
			return this.runner.run(call);
		}

	}

}
