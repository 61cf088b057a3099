package io.github.ratelimit.store.redis;

import java.util.concurrent.CompletableFuture;

import org.junit.jupiter.api.Test;

import io.github.ratelimit.store.StoreAnswer;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Fetches of portions that live for 20 ms, in time and late.
 */
class FetchScheduleTests {

	private static final long MILLIS = 1_000_000;

	private static final long LIFETIME = 20 * MILLIS;

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
		this.fetches.grantedNothing();
		this.fetches.begin(new CompletableFuture<>());
		assertThat(this.fetches.underWay()).isNotNull();
		assertThat(this.fetches.promising()).isNull();
	}

	private void granted(long roundTrip) {
		this.now += roundTrip;
		this.fetches.granted(roundTrip, LIFETIME, this.now);
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
