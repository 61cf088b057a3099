package io.github.ratelimit.soak;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * An interruption ends one call, and nothing that its thread does afterwards.
 */
class InterruptionTests {

	@Test
	void threadIsInterruptedUntilTheCallEnds() {
		Interruption interruption = new Interruption();
		interruption.run();
		assertThat(Thread.currentThread().isInterrupted()).isTrue();
		interruption.close();
		assertThat(Thread.currentThread().isInterrupted()).isFalse();
	}

	@Test
	void interruptionThatIsLateDoesNothing() {
		Interruption interruption = new Interruption();
		interruption.close();
		interruption.run();
		assertThat(Thread.interrupted()).isFalse();
	}

}
