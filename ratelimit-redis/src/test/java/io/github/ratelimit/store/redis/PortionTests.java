package io.github.ratelimit.store.redis;

import java.time.Duration;

import org.junit.jupiter.api.Test;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.algorithm.Count;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.LimitOutcome;
import io.github.ratelimit.store.RuleAnswer;
import io.github.ratelimit.store.redis.Portions.Portion;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Units of a portion of ten units that ends 20 ms after it was sent.
 */
class PortionTests {

	private static final long SENT = 0;

	private static final long RECEIVED = 1_000_000;

	private static final long END = 20_000_000;

	private final Demand call = new Demand(RateLimitRule.named("rule")
		.limit(100, Duration.ofHours(1))
		.algorithm(Algorithm.SLIDING_LOG)
		.prefetch(Duration.ofMillis(20))
		.build(), "key", 4);

	private final RuleAnswer fetched = RuleAnswer.of(this.call, 5_000_000,
			(limit) -> new LimitOutcome(90, 0, 3_600_000_000L));

	private final Portion portion = new Portion(1, this.fetched, new LimitOutcome(10, 0, 20_000), 10, SENT, RECEIVED);

	@Test
	void refundReturnsNoMoreUnitsThanWereUsed() {
		take(RECEIVED);
		assertThat(this.portion.refund(Count.NEWEST, 3)).isEqualTo(3);
		assertThat(this.portion.refund(Count.NEWEST, 3)).isOne();
		assertThat(this.portion.refund(Count.NEWEST, 3)).isZero();
		assertThat(this.portion.left()).isEqualTo(10);
	}

	@Test
	void unitsOfAClosedPortionAreNotRefundedToIt() {
		take(RECEIVED);
		assertThat(this.portion.close()).isEqualTo(6);
		assertThat(this.portion.refund(Count.NEWEST, 3)).isZero();
		assertThat(this.portion.refund(5_020_000, 4)).isZero();
	}

	@Test
	void unitsAreRefundedOnlyToTheirOwnPortion() {
		take(RECEIVED);
		assertThat(this.portion.refund(5_019_999, 4)).isZero();
		assertThat(this.portion.refund(5_020_000, 4)).isEqualTo(4);
		assertThat(this.portion.left()).isEqualTo(10);
	}

	@Test
	void callAfterTheEndTakesNothing() {
		assertThat(this.portion.pay(this.call, () -> END, (unused) -> {
			throw new AssertionError("The portion is not closed");
		})).isNull();
		assertThat(this.portion.left()).isEqualTo(10);
	}

	@Test
	void endsInRedisWithinARoundTrip() {
		assertThat(this.portion.remainingTime(RECEIVED)).isEqualTo(END - RECEIVED);
		assertThat(this.portion.remainingTimeInRedis(END)).isEqualTo(RECEIVED - SENT);
		assertThat(this.portion.remainingTimeInRedis(END + RECEIVED)).isZero();
	}

	@Test
	void nextPortionIsFetchedWhenAQuarterIsLeft() {
		take(RECEIVED);
		assertThat(this.portion.isDueForRefill()).isFalse();
		take(RECEIVED);
		assertThat(this.portion.isDueForRefill()).isTrue();
		assertThat(this.portion.isDueForRefill()).isFalse();
	}

	@Test
	void nextPortionIsFetchedBeforeTheEndOfOneThatIsHardlyUsed() {
		take(END - END / 4);
		assertThat(this.portion.isDueForRefill()).isTrue();
	}

	@Test
	void nextPortionIsFetchedTwoRoundTripsBeforeTheEnd() {
		Portion slow = new Portion(2, this.fetched, new LimitOutcome(10, 0, 20_000), 10, SENT, 4 * RECEIVED);
		assertThat(slow.pay(this.call, () -> END - 8 * RECEIVED - 1, (unused) -> {
		})).isNotNull();
		assertThat(slow.isDueForRefill()).isFalse();
		assertThat(slow.pay(this.call, () -> END - 8 * RECEIVED, (unused) -> {
		})).isNotNull();
		assertThat(slow.isDueForRefill()).isTrue();
	}

	@Test
	void unitsTakenAtOnceAreThoseOfARoundTrip() {
		take(RECEIVED);
		assertThat(this.portion.needed(END, RECEIVED)).isEqualTo(80);
		assertThat(this.portion.needed(END, 3 * RECEIVED)).isEqualTo(40);
		assertThat(this.portion.needed(END, 6 * RECEIVED)).isZero();
	}

	private void take(long now) {
		assertThat(this.portion.pay(this.call, () -> now, (unused) -> {
			throw new AssertionError("The portion is not closed");
		})).isNotNull();
	}

}
