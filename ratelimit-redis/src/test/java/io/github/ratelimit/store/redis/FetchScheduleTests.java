package io.github.ratelimit.store.redis;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;

import org.junit.jupiter.api.Test;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.LimitOutcome;
import io.github.ratelimit.store.RuleAnswer;
import io.github.ratelimit.store.StoreAnswer;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Fetches of portions that live for 20 ms, in time and late.
 */
class FetchScheduleTests {

	private static final long MILLIS = 1_000_000;

	private static final long LIFETIME = 20 * MILLIS;

	private final Demand call = new Demand(RateLimitRule.named("rule")
		.limit(1_000, Duration.ofHours(1))
		.algorithm(Algorithm.SLIDING_LOG)
		.prefetch(Duration.ofMillis(20))
		.build(), "key", 1);

	private final FetchSchedule fetches = new FetchSchedule(0);

	private long now;

	@Test
	void oneFetchIsUnderWayAtATime() {
		CompletableFuture<StoreAnswer> answer = new CompletableFuture<>();
		assertThat(this.fetches.mayBegin(this.now)).isTrue();
		this.fetches.begin(answer);
		assertThat(this.fetches.mayBegin(this.now)).isFalse();
		assertThat(this.fetches.promising()).isSameAs(answer);
		this.fetches.ended(answer);
		assertThat(this.fetches.mayBegin(this.now)).isTrue();
	}

	@Test
	void portionThatComesInTimeIsFollowedAtOnce() {
		granted(10 * MILLIS);
		assertThat(pause()).isZero();
	}

	@Test
	void portionThatEndsWithItsWindowIsNotLate() {
		granted(MILLIS, 2 * MILLIS);
		assertThat(pause()).isZero();
	}

	@Test
	void pauseAfterOneLatePortionIsAsLongAsItLives() {
		granted(11 * MILLIS);
		assertThat(pause()).isEqualTo(LIFETIME);
	}

	@Test
	void pausesGrowWhilePortionsComeLateAndBeginAnew() {
		for (long expected = LIFETIME; expected < FetchSchedule.LONGEST_PAUSE; expected *= 2) {
			granted(11 * MILLIS);
			assertThat(pause()).isEqualTo(expected);
		}
		granted(11 * MILLIS);
		assertThat(pause()).isEqualTo(FetchSchedule.LONGEST_PAUSE);
		granted(MILLIS);
		assertThat(pause()).isZero();
		granted(11 * MILLIS);
		assertThat(pause()).isEqualTo(LIFETIME);
	}

	@Test
	void callsWaitForNoFetchAfterOneThatWasGrantedNothing() {
		this.fetches.granted(null, LIFETIME, this.now);
		this.fetches.begin(new CompletableFuture<>());
		assertThat(this.fetches.underWay()).isNotNull();
		assertThat(this.fetches.promising()).isNull();
	}

	@Test
	void callsWithoutAPortionNeedAsMuchAsThoseOfTheLastOne() {
		Portion portion = granted(MILLIS);
		for (int i = 0; i < 50; i++) {
			pay(portion);
		}
		assertThat(this.fetches.needed(portion, LIFETIME, this.now)).isEqualTo(1_000);
		assertThat(this.fetches.needed(null, LIFETIME, this.now + MILLIS)).isEqualTo(1_000);
	}

	private Portion granted(long roundTrip) {
		return granted(roundTrip, LIFETIME);
	}

	private Portion granted(long roundTrip, long lifetime) {
		long sent = this.now;
		this.now += roundTrip;
		Portion portion = new Portion(1,
				RuleAnswer.of(this.call, sent / 1000, (limit) -> new LimitOutcome(90, 0, 3_600_000_000L)),
				new LimitOutcome(100, 0, lifetime / 1000), 100, sent, this.now);
		this.fetches.granted(portion, LIFETIME, this.now);
		return portion;
	}

	private void pay(Portion portion) {
		assertThat(portion.pay(this.call, () -> this.now, (unused) -> {
			throw new AssertionError("The portion is not closed");
		})).isNotNull();
	}

	/**
	 * Return how long no fetch may begin, and let this time pass.
	 */
	private long pause() {
		long begun = this.now;
		while (!this.fetches.mayBegin(this.now)) {
			this.now += MILLIS;
		}
		return this.now - begun;
	}

}
