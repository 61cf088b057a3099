package io.github.ratelimit.store.redis;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link ReplyWatch}, with a given clock; times in milliseconds.
 */
class ReplyWatchTests {

	private long now;

	private final ReplyWatch watch = new ReplyWatch(Duration.ofMillis(100),
			() -> TimeUnit.MILLISECONDS.toNanos(this.now));

	private final ReplyWatch.Wait wait = this.watch.new Wait();

	@Test
	void givesUpWhenNothingWasHeardForTheTimeout() {
		assertThat(remainingAt(0)).isEqualTo(100);
		assertThat(remainingAt(100)).isZero();
	}

	@Test
	void waitsOnWhileOtherRepliesComeIn() {
		remainingAt(0);
		this.now = 60;
		this.watch.heard();
		assertThat(remainingAt(100)).isEqualTo(60);
		assertThat(remainingAt(160)).isZero();
	}

	@Test
	void earlierRepliesDoNotShortenTheWait() {
		this.now = 50;
		ReplyWatch.Wait later = this.watch.new Wait();
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
