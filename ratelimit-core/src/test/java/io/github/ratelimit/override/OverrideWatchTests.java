package io.github.ratelimit.override;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.logging.Filter;
import java.util.logging.Logger;

import io.github.ratelimit.engine.RecordedLog;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Readings that fail.
 */
class OverrideWatchTests {

	@Test
	void errorIsLoggedOnceAndEndsNoLaterReading() throws InterruptedException {
		CountDownLatch failed = new CountDownLatch(2);
		try (RecordedLog log = new RecordedLog(OverrideWatch.class);
				OverrideWatch watch = new OverrideWatch(new SharedOverrideStore(() -> 0), () -> {
					failed.countDown();
					throw new NoClassDefFoundError("gone");
				})) {
			watch.start();
			assertThat(failed.await(60, TimeUnit.SECONDS)).isTrue();
			assertThat(log.lines()).containsExactly(
					"SEVERE Changes of rate limit rules at run time are not seen, because reading them has "
							+ "failed. Rules stay as they are, and it is tried again.");
		}
	}

	@Test
	void errorThatCannotBeLoggedEndsNoLaterReading() throws InterruptedException {
		CountDownLatch failed = new CountDownLatch(3);
		Logger logger = Logger.getLogger(OverrideWatch.class.getName());
		Filter full = (message) -> {
			throw new OutOfMemoryError("Java heap space");
		};
		try (OverrideWatch watch = new OverrideWatch(new SharedOverrideStore(() -> 0), () -> {
			failed.countDown();
			throw new OutOfMemoryError("Java heap space");
		})) {
			logger.setFilter(full);
			watch.start();
			assertThat(failed.await(60, TimeUnit.SECONDS)).isTrue();
		}
		finally {
			logger.setFilter(null);
		}
	}

}
