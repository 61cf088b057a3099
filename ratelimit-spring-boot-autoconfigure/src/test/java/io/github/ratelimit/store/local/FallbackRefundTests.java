package io.github.ratelimit.store.local;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.store.AlgorithmOnStore;
import io.github.ratelimit.algorithm.AlgorithmUnderTest;
import io.github.ratelimit.store.Charge;
import io.github.ratelimit.store.Demand;
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

	@ParameterizedTest
	@EnumSource(names = { "SLIDING_LOG", "SLIDING_WINDOW", "WEIGHTED_WINDOW", "FIXED_WINDOW", "TOKEN_BUCKET" })
	void unitsThatWereLearnedSinceAreRefundedToo(AlgorithmUnderTest algorithm) {
		RateLimitRule rule = rule(algorithm.limit(10, DAY));
		long slot = call(rule, 3);
		this.now += 1_000;
		pass();
		this.now += 1_000;
		this.fallback.learn(this.back.acquire(new Demand(rule, "key", 2)));
		refund(rule, 3, slot);
		pass();
		assertThat(peek(this.back, rule, "key")).isEqualTo(8);
		assertThat(peek(this.fallback, rule, "key")).isEqualTo(8);
	}

	@Test
	void noMoreIsRefundedThanTheStoreHasCounted() {
		RateLimitRule rule = rule(AlgorithmUnderTest.TOKEN_BUCKET.limit(10, DAY));
		take(this.back, rule, "key", 8);
		long slot = call(rule, 5);
		pass();
		assertThat(peek(this.back, rule, "key")).isZero();
		refund(rule, 5, slot);
		pass();
		assertThat(peek(this.back, rule, "key")).isEqualTo(2);
	}

	@Test
	void unitsOfOtherCallsAreNotRefunded() {
		RateLimitRule rule = rule(log(10, DAY));
		long slot = call(rule, 1);
		pass();
		this.now += Duration.ofHours(1).toNanos() / 1_000;
		take(this.back, rule, "key", 1);
		refund(rule, 1, slot);
		pass();
		this.now += Duration.ofHours(23).toNanos() / 1_000;
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

	private long call(RateLimitRule rule, long cost) {
		return this.fallback.acquire(new Demand(rule, "key", cost)).refunds().get(0).slot();
	}

	private void refund(RateLimitRule rule, long cost, long slot) {
		this.fallback.refund(List.of(new Refund(new Demand(rule, "key", cost), slot)));
	}

	private List<Charge> pass() {
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
				Refund refund = uncharged.takeRefund();
				this.back.refund((refund != null) ? List.of(refund) : List.of());
			}
		}
		return charges;
	}

}
