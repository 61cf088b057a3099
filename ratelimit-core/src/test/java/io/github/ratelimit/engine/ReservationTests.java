package io.github.ratelimit.engine;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.stream.Stream;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.Decision;
import io.github.ratelimit.Limit;
import io.github.ratelimit.Mode;
import io.github.ratelimit.OnStoreFailure;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.Reservation;
import io.github.ratelimit.store.Correction;
import io.github.ratelimit.store.RecordingStore;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.awaitility.Awaitility.await;

/**
 * Reservations of programs.
 */
class ReservationTests {

	private static final Duration HOUR = Duration.ofHours(1);

	private final RecordingStore store = new RecordingStore().answerOn(Runnable::run);

	@AutoClose
	private final RateLimitEngine engine = Engines.over(this.store);

	private final RuleRegistry registry = new RuleRegistry(this.engine, Algorithm.FIXED_WINDOW, List.of());

	private final RateLimiter limiter = register(RateLimitRule.named("tokens").limit(10, HOUR));

	/**
	 * Ways to reserve units.
	 */
	enum Way {

		BLOCKING, ASYNCHRONOUS;

		Reservation of(RateLimiter limiter, long cost) {
			return (this == BLOCKING) ? limiter.reserve("key", cost)
					: limiter.reserveAsync("key", cost).toCompletableFuture().join();
		}

	}

	@ParameterizedTest
	@EnumSource
	void settlingRefundsUnusedUnits(Way way) {
		Reservation reservation = way.of(this.limiter, 8);
		assertThat(reservation.decision().remaining()).isEqualTo(2);
		reservation.settle(3);
		assertThat(remaining()).isEqualTo(7);
	}

	@ParameterizedTest
	@EnumSource
	void settlingChargesWhatWasUsedBeyondTheEstimate(Way way) {
		way.of(this.limiter, 4).settle(25);
		Decision denied = this.limiter.tryAcquire("key");
		assertThat(denied.allowed()).isFalse();
		assertThat(denied.remaining()).isZero();
		assertThat(denied.retryAfter()).isPositive();
	}

	@ParameterizedTest
	@EnumSource
	void endOfACallFromBeforeAResetChangesNothing(Way way) {
		Reservation canceled = way.of(this.limiter, 4);
		Reservation settled = way.of(this.limiter, 2);
		this.limiter.reset("key");
		way.of(this.limiter, 5);
		canceled.cancel();
		settled.settle(3);
		assertThat(remaining()).isEqualTo(5);
	}

	@ParameterizedTest
	@EnumSource
	void cancelingRefundsEverything(Way way) {
		way.of(this.limiter, 4).cancel();
		assertThat(remaining()).isEqualTo(10);
	}

	@ParameterizedTest
	@EnumSource
	void closingKeepsTheEstimateAndCallsNoStore(Way way) {
		way.of(this.limiter, 4).close();
		assertThat(remaining()).isEqualTo(6);
		assertThat(this.store.refunds()).isEmpty();
		assertThat(this.store.debts()).isEmpty();
	}

	static Stream<Consumer<Reservation>> ends() {
		return Stream.of((reservation) -> reservation.settle(1), Reservation::cancel, Reservation::close);
	}

	@ParameterizedTest
	@MethodSource("ends")
	void firstEndCounts(Consumer<Reservation> first) {
		Reservation reservation = this.limiter.reserve("key", 4);
		first.accept(reservation);
		long remaining = remaining();
		ends().forEach((next) -> next.accept(reservation));
		reservation.settle(20);
		assertThat(remaining()).isEqualTo(remaining);
	}

	@ParameterizedTest
	@MethodSource("ends")
	void deniedReservationHasNothingToEnd(Consumer<Reservation> end) {
		this.limiter.tryAcquire("key", 8);
		Reservation denied = this.limiter.reserve("key", 4);
		assertThat(denied.decision().allowed()).isFalse();
		end.accept(denied);
		denied.settle(20);
		assertThat(remaining()).isEqualTo(2);
	}

	@Test
	void reservationOfNothingChargesEverything() {
		Reservation reservation = this.limiter.reserve("key", 0);
		assertThat(reservation.decision().allowed()).isTrue();
		reservation.settle(7);
		assertThat(remaining()).isEqualTo(3);
		this.limiter.reserve("key", 0).settle(30);
		assertThat(this.limiter.peek("key").remaining()).isZero();
		assertThat(this.limiter.reserve("key", 0).decision().allowed()).isTrue();
	}

	@Test
	void reservationOfOneUnitIsTheDefault() {
		this.limiter.reserve("key");
		this.limiter.reserveAsync("key").toCompletableFuture().join();
		assertThat(remaining()).isEqualTo(8);
	}

	@Test
	void negativeNumbersAreRefused() {
		assertThatIllegalArgumentException().isThrownBy(() -> this.limiter.reserve("key", -1));
		Reservation reservation = this.limiter.reserve("key", 4);
		assertThatIllegalArgumentException().isThrownBy(() -> reservation.settle(-1)).withMessageContaining("cancel()");
		reservation.settle(1);
		assertThat(remaining()).isEqualTo(9);
	}

	@ParameterizedTest
	@EnumSource(names = { "SLIDING_LOG", "LEAKY_BUCKET" })
	void limitWithoutDebtCannotBeSettled(Algorithm algorithm) {
		RateLimiter several = register(RateLimitRule.named("several")
			.limit(Limit.of(10, HOUR).withName("hour").withAlgorithm(Algorithm.FIXED_WINDOW))
			.limit(Limit.of(10, HOUR).withName("other").withAlgorithm(algorithm)));
		Reservation reservation = several.reserve("key", 1);
		assertThatIllegalStateException().isThrownBy(() -> reservation.settle(1))
			.withMessage("A call of rate limit rule \"several\" cannot be settled: its limit \"several-other\" is "
					+ "counted by " + algorithm.yamlName() + ", which cannot owe units. Count it by one of "
					+ "fixed-window, sliding-window, token-bucket, weighted-window, or end the call by cancel() or close().");
		reservation.cancel();
		assertThat(several.peek("key").remaining()).isEqualTo((algorithm == Algorithm.LEAKY_BUCKET) ? 1 : 10);
	}

	@Test
	void ruleThatPrefetchesCannotBeSettled() {
		Reservation reservation = register(RateLimitRule.named("fast").limit(10, HOUR).prefetch(Duration.ofMillis(20)))
			.reserve("key", 1);
		assertThatIllegalStateException().isThrownBy(() -> reservation.settle(1)).withMessageContaining("prefetch");
	}

	@Test
	void planOfTheCallIsSettled() {
		RateLimiter planned = register(RateLimitRule.named("planned").limit(10, HOUR).plan("pro", Limit.of(100, HOUR)));
		planned.withPlan("pro").reserve("key", 50).settle(30);
		assertThat(planned.withPlan("pro").peek("key").remaining()).isEqualTo(70);
		planned.withPlan("pro").reserveAsync("key", 50).toCompletableFuture().join().settle(90);
		assertThat(planned.withPlan("pro").peek("key").remaining()).isZero();
	}

	@Test
	void callThatIsNotCountedHasNothingToSettle() {
		RateLimiter off = register(RateLimitRule.named("off").limit(10, HOUR).mode(Mode.OFF));
		Reservation reservation = off.reserve("key", 4);
		assertThat(reservation.decision().origin()).isEqualTo(Decision.Origin.NONE);
		reservation.settle(20);
		assertThat(this.store.debts()).isEmpty();
	}

	@Test
	void ruleInShadowModeIsSettled() {
		RateLimiter trial = register(RateLimitRule.named("trial").limit(10, HOUR).mode(Mode.SHADOW));
		trial.reserve("key", 4).settle(25);
		Reservation beyond = trial.reserve("key", 4);
		assertThat(beyond.decision().allowed()).isTrue();
		beyond.settle(0);
		assertThat(this.store.debts()).extracting((debt) -> debt.demand().cost()).containsExactly(21L);
		assertThat(this.store.refunds()).isEmpty();
	}

	@Test
	void changedRuleIsSettledAsItIsNow() {
		Reservation reservation = this.limiter.reserve("key", 4);
		register(RateLimitRule.named("tokens").limit(100, HOUR));
		reservation.settle(30);
		assertThat(remaining()).isEqualTo(70);
	}

	@Test
	void endsNeverFailWhenTheStoreIsGone() {
		List<Reservation> reservations = Stream.generate(() -> this.limiter.reserve("key", 2)).limit(3).toList();
		this.store.fail();
		reservations.get(0).settle(20);
		reservations.get(1).cancel();
		reservations.get(2).close();
		assertThat(this.store.debts()).hasSizeLessThanOrEqualTo(1);
	}

	@Test
	void reservationThatTheFallbackCountedIsSettledThere() {
		this.store.fail();
		Reservation reservation = this.limiter.reserve("key", 4);
		assertThat(reservation.decision().origin()).isEqualTo(Decision.Origin.FALLBACK);
		reservation.settle(7);
		assertThat(remaining()).isEqualTo(3);
		this.limiter.reserve("key", 0).settle(20);
		assertThat(this.limiter.tryAcquire("key").allowed()).isFalse();
		assertThat(this.store.debts()).isEmpty();
	}

	@Test
	void reservationThatIsGivenUpBeforeItsDecisionIsGivenBack() {
		PendingStore pending = new PendingStore();
		try (RateLimitEngine later = Engines.over(pending, OnStoreFailure.DENY)) {
			CompletableFuture<Reservation> call = new RuleRegistry(later, Algorithm.SLIDING_LOG, List.of())
				.register(RateLimitRule.named("rule").limit(5, HOUR).build())
				.reserveAsync("key", 3)
				.toCompletableFuture();
			call.cancel(true);
			pending.answerAll();
			await().untilAsserted(() -> assertThat(pending.remaining("rule")).isEqualTo(5));
		}
	}

	@Test
	void debtIsThatOfTheTimeOfTheCall() {
		Reservation reservation = this.limiter.reserve("key", 0);
		reservation.settle(7);
		assertThat(this.store.debts()).extracting(Correction::mayBeFirst).containsExactly(true);
		this.limiter.reserve("key", 1).settle(2);
		assertThat(this.store.debts()).extracting(Correction::mayBeFirst).containsExactly(true, false);
	}

	private RateLimiter register(RateLimitRule.Builder rule) {
		return this.registry.register(rule.build());
	}

	private long remaining() {
		return this.limiter.peek("key").remaining();
	}

}
