package io.github.ratelimit.store.local;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.store.tck.AlgorithmOnStore;
import io.github.ratelimit.store.tck.AlgorithmUnderTest;
import io.github.ratelimit.store.Charge;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.LimitOutcome;
import io.github.ratelimit.store.Refund;
import io.github.ratelimit.store.Uncharged;

import static io.github.ratelimit.store.local.FallbackCalls.DAY;
import static io.github.ratelimit.store.local.FallbackCalls.log;
import static io.github.ratelimit.store.local.FallbackCalls.peek;
import static io.github.ratelimit.store.local.FallbackCalls.rule;
import static io.github.ratelimit.store.local.FallbackCalls.take;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Units that the fallback has counted, and that calls refund when they are charged.
 */
class FallbackRefundTests {

	private long now = AlgorithmOnStore.NOW;

	private final LocalRateLimitStore back = LocalStores.store(() -> this.now);

	private final LocalFallbackStore fallback = LocalStores.fallback(() -> this.now, 1);

	@ParameterizedTest
	@EnumSource(names = { "SLIDING_LOG", "SLIDING_WINDOW", "WEIGHTED_WINDOW", "FIXED_WINDOW", "TOKEN_BUCKET" })
	void unitsRefundedAfterTheirChargeAreRefundedInTheStore(AlgorithmUnderTest algorithm) {
		RateLimitRule rule = rule(algorithm.limit(10, DAY));
		long slot = call(rule, 3);
		pass();
		take(this.back, rule, "key", 2);
		assertThat(peek(this.back, rule, "key")).isEqualTo(5);
		refund(rule, 2, slot);
		pass();
		assertThat(peek(this.back, rule, "key")).isEqualTo(7);
		refund(rule, 1, slot);
		pass();
		pass();
		assertThat(peek(this.back, rule, "key")).isEqualTo(8);
		assertThat(this.fallback.uncharged()).isEmpty();
	}

	@Test
	void chargeThatTheStoreHasCutIsNotRefundedThere() {
		RateLimitRule rule = rule(AlgorithmUnderTest.TOKEN_BUCKET.limit(10, DAY));
		take(this.back, rule, "key", 8);
		long slot = call(rule, 5);
		pass();
		assertThat(peek(this.back, rule, "key")).isZero();
		refund(rule, 5, slot);
		pass();
		assertThat(peek(this.back, rule, "key")).isZero();
	}

	@Test
	void unitsOfOtherCallsAreNotRefunded() {
		RateLimitRule rule = rule(log(10, DAY));
		long slot = call(rule, 1);
		pass();
		this.now += hours(1);
		take(this.back, rule, "key", 1);
		refund(rule, 1, slot);
		pass();
		this.now += hours(23);
		assertThat(peek(this.back, rule, "key")).isEqualTo(9);
	}

	@Test
	void refundReducesAChargeFirst() {
		RateLimitRule rule = rule(log(10, DAY));
		long slot = call(rule, 3);
		pass();
		refund(rule, 3, slot);
		this.now += 1;
		call(rule, 4);
		assertThat(pass()).extracting(Charge::units).containsExactly(List.of(1L));
		assertThat(peek(this.back, rule, "key")).isEqualTo(6);
	}

	@Test
	void unitsThatWereRefundedInTheStoreDoNotReduceTheNextCharge() {
		RateLimitRule rule = rule(log(10, DAY));
		long slot = call(rule, 3);
		pass();
		refund(rule, 2, slot);
		pass();
		this.now += 1;
		call(rule, 4);
		assertThat(pass()).extracting(Charge::units).containsExactly(List.of(4L));
		assertThat(peek(this.back, rule, "key")).isEqualTo(5);
	}

	@ParameterizedTest
	@EnumSource(names = { "SLIDING_LOG", "SLIDING_WINDOW" })
	void callWhosePeriodIsOverRefundsNothingOfALaterOne(AlgorithmUnderTest algorithm) {
		RateLimitRule rule = rule(algorithm.limit(10, DAY));
		long slot = call(rule, 1);
		pass();
		this.now += hours(18);
		call(rule, 2);
		pass();
		this.now += hours(10);
		long left = peek(this.fallback, rule, "key");
		refund(rule, 1, slot);
		pass();
		assertThat(peek(this.back, rule, "key")).isEqualTo(8);
		assertThat(peek(this.fallback, rule, "key")).isEqualTo(left);
	}

	@Test
	void eachCallRefundsTheUnitsOfItsOwnCharge() {
		RateLimitRule rule = rule(log(10, DAY));
		long first = call(rule, 1);
		pass();
		this.now += hours(10);
		long second = call(rule, 2);
		pass();
		refund(rule, 1, first);
		pass();
		assertThat(peek(this.back, rule, "key")).isEqualTo(8);
		this.now += hours(15);
		assertThat(peek(this.back, rule, "key")).as("units of the second call").isEqualTo(8);
		refund(rule, 2, second);
		pass();
		assertThat(peek(this.back, rule, "key")).isEqualTo(10);
	}

	@Test
	void callThatAllLimitsCountIsRefundedBesideOneThatHasExpiredForOneOfThem() {
		RateLimitRule rule = RateLimitRule.named("rule")
			.limit(log(10, Duration.ofHours(1)).withName("hour"))
			.limit(log(10, DAY).withName("day"))
			.build();
		long expired = call(rule, 1);
		this.now += hours(2);
		long slot = call(rule, 1);
		assertThat(pass()).extracting(Charge::units).containsExactly(List.of(1L, 2L));
		refund(rule, 1, expired);
		pass();
		assertThat(this.back.peek(new Demand(rule, "key", 1)).outcomes()).extracting(LimitOutcome::remaining)
			.containsExactly(9L, 8L);
		refund(rule, 1, slot);
		pass();
		assertThat(this.back.peek(new Demand(rule, "key", 1)).outcomes()).extracting(LimitOutcome::remaining)
			.containsExactly(10L, 9L);
	}

	@Test
	void callThatEndsDuringItsChargeIsRefundedAfterIt() {
		RateLimitRule rule = rule(log(10, DAY));
		long slot = call(rule, 3);
		this.now++;
		Uncharged uncharged = this.fallback.uncharged().iterator().next();
		Charge charge = uncharged.begin();
		refund(rule, 2, slot);
		assertThat(uncharged.takeRefund()).isNull();
		this.back.charge(List.of(charge), (counted, receipt) -> uncharged.keep(receipt));
		uncharged.succeeded();
		assertThat(peek(this.back, rule, "key")).isEqualTo(7);
		pass();
		assertThat(peek(this.back, rule, "key")).isEqualTo(9);
	}

	@Test
	void callThatEndsDuringAChargeThatFailsIsNotRefunded() {
		RateLimitRule rule = rule(log(10, DAY));
		long slot = call(rule, 3);
		this.now++;
		Uncharged uncharged = this.fallback.uncharged().iterator().next();
		uncharged.begin();
		refund(rule, 2, slot);
		uncharged.failed();
		take(this.back, rule, "key", 5);
		assertThat(pass()).extracting(Charge::units).containsExactly(List.of(1L));
		pass();
		assertThat(peek(this.back, rule, "key")).isEqualTo(4);
		refund(rule, 1, slot);
		pass();
		assertThat(peek(this.back, rule, "key")).isEqualTo(5);
	}

	@Test
	void callOfTooManyChargesAgoReducesTheNextCharge() {
		RateLimitRule rule = rule(log(20, DAY));
		long slot = call(rule, 1);
		for (int i = 0; i < 9; i++) {
			pass();
			this.now++;
			call(rule, 1);
		}
		pass();
		refund(rule, 1, slot);
		pass();
		assertThat(peek(this.back, rule, "key")).isEqualTo(10);
		this.now++;
		call(rule, 3);
		assertThat(pass()).extracting(Charge::units).containsExactly(List.of(2L));
	}

	@Test
	void unitsThatHaveExpiredAreNotRefunded() {
		RateLimitRule rule = rule(log(10, DAY));
		long slot = call(rule, 3);
		pass();
		this.now += DAY.toNanos() / 1_000;
		take(this.back, rule, "key", 2);
		call(rule, 1);
		pass();
		refund(rule, 3, slot);
		pass();
		assertThat(peek(this.back, rule, "key")).isEqualTo(7);
	}

	private static long hours(int hours) {
		return Duration.ofHours(hours).toNanos() / 1_000;
	}

	private long call(RateLimitRule rule, long cost) {
		return this.fallback.acquire(new Demand(rule, "key", cost)).refunds().get(0).slot();
	}

	private void refund(RateLimitRule rule, long cost, long slot) {
		this.fallback.refund(List.of(new Refund(new Demand(rule, "key", cost), slot)));
	}

	private List<Charge> pass() {
		this.now++;
		List<Charge> charges = new ArrayList<>();
		for (Uncharged uncharged : this.fallback.uncharged()) {
			Charge charge = uncharged.begin();
			if (charge != null) {
				this.back.charge(List.of(charge), (counted, receipt) -> uncharged.keep(receipt))
					.toCompletableFuture()
					.join();
				uncharged.succeeded();
				charges.add(charge);
			}
			else {
				for (Refund next = uncharged.takeRefund(); next != null; next = uncharged.takeRefund()) {
					this.back.refund(List.of(next));
				}
			}
		}
		return charges;
	}

}
