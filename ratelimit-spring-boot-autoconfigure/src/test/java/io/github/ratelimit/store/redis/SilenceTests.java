package io.github.ratelimit.store.redis;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link Silence}, with a given clock; times in milliseconds.
 */
class SilenceTests {

	private long now;

	private final Silence silence = new Silence(Duration.ofMillis(100), () -> TimeUnit.MILLISECONDS.toNanos(this.now));

	private final Silence.Wait wait = this.silence.begin();

	@Test
	void givesUpWhenNothingWasHeardForTheTimeout() {
		assertThat(remainingAt(0)).isEqualTo(100);
		assertThat(remainingAt(100)).isZero();
	}

	@Test
	void waitsOnWhileOtherRepliesComeIn() {
		remainingAt(0);
		this.now = 60;
		this.silence.end();
		assertThat(remainingAt(100)).isEqualTo(60);
		assertThat(remainingAt(160)).isZero();
	}

	@Test
	void whatWasHeardBeforeDoesNotShortenTheWait() {
		this.now = 50;
		Silence.Wait later = this.silence.begin();
		assertThat(later.remaining()).isEqualTo(TimeUnit.MILLISECONDS.toNanos(100));
	}

	@Test
	void looksAgainWhenTheTimerCameLate() {
		remainingAt(0);
		assertThat(remainingAt(400)).isEqualTo(10);
		assertThat(remainingAt(410)).isLessThanOrEqualTo(0);
	}

	@Test
	void looksAgainTwiceAtMost() {
		remainingAt(0);
		assertThat(remainingAt(105)).isEqualTo(10);
		assertThat(remainingAt(120)).isEqualTo(10);
		assertThat(remainingAt(135)).isLessThanOrEqualTo(0);
	}

	private long remainingAt(long milliseconds) {
		this.now = milliseconds;
		return TimeUnit.NANOSECONDS.toMillis(this.wait.remaining());
	}

}
