package io.github.ratelimit.soak;

import java.time.Duration;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The meter gives signs of life until it is closed.
 */
class PauseMeterTests {

	private static final long SPAN = Duration.ofMillis(20).toNanos();

	private static final long PATIENCE = Duration.ofSeconds(30).toNanos();

	private final RunRecord record = new RunRecord(Duration.ofSeconds(1), Duration.ZERO, Duration.ZERO);

	@Test
	void processThatRunsHasNoPause() throws InterruptedException {
		PauseMeter meter = PauseMeter.start(this.record);
		assertThat(comesToBe(0)).isTrue();
		meter.close();
		assertThat(comesToBe(SPAN)).as("after the end").isTrue();
		assertThat(this.record.violations()).isEmpty();
	}

	private boolean comesToBe(long paused) throws InterruptedException {
		long begun = System.nanoTime();
		while (System.nanoTime() - begun < PATIENCE) {
			Thread.sleep(25);
			long now = System.nanoTime();
			if (this.record.pauses().within(now - SPAN, now) == paused) {
				return true;
			}
		}
		return false;
	}

}
