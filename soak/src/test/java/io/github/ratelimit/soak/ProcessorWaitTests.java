package io.github.ratelimit.soak;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Each thread knows for how long it has waited for a processor.
 */
class ProcessorWaitTests {

	@Test
	void timeDoesNotFallAndIsKnownToAnInterruptedThread() {
		long before = ProcessorWait.ofThisThread();
		Thread.currentThread().interrupt();
		long after = ProcessorWait.ofThisThread();
		assertThat(Thread.interrupted()).isTrue();
		assertThat(after).isGreaterThanOrEqualTo(before);
		assertThat(ProcessorWait.ofThisThread()).isGreaterThanOrEqualTo(after);
	}

}
