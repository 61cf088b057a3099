package io.github.ratelimit.override;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import io.github.ratelimit.concurrent.RepeatedTask;
import io.github.ratelimit.store.StoreException;

/**
 * Thread that reads stored overrides, of rules and of keys: when the store notifies of a
 * change, and every half second in case a notification is lost.
 */
final class OverrideWatch implements AutoCloseable {

	static final String NAME = "ratelimit-overrides";

	private static final Logger logger = System.getLogger(OverrideWatch.class.getName());

	private static final Duration INTERVAL = Duration.ofMillis(500);

	private static final Duration PATIENCE = Duration.ofSeconds(1);

	private final OverrideStore store;

	private final Runnable reading;

	private final Set<String> logged = ConcurrentHashMap.newKeySet();

	private final RepeatedTask polling = new RepeatedTask(NAME, INTERVAL, this::poll);

	private final CountDownLatch polled = new CountDownLatch(1);

	/**
	 * Create a new watch.
	 * @param store the store, in which others make changes if it is shared
	 */
	OverrideWatch(OverrideStore store, Runnable reading) {
		this.store = store;
		this.reading = reading;
	}

	void start() {
		if (!this.store.isShared()) {
			return;
		}
		this.polling.wakeNow();
		try {
			if (!this.polled.await(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)) {
				logger.log(Level.DEBUG, "Changes of rules at run time are not known yet");
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		this.store.listen(this.polling::wakeNow);
	}

	private boolean poll() {
		try {
			this.reading.run();
			if (!this.logged.isEmpty()) {
				this.logged.clear();
				logger.log(Level.INFO, "Changes of rate limit rules at run time are seen again.");
			}
		}
		catch (StoreException ex) {
			failed(ex);
		}
		catch (RuntimeException | Error ex) {
			if (this.logged.add(ex.getClass().getName())) {
				logger.log(Level.ERROR, "Changes of rate limit rules at run time are not seen, because reading them "
						+ "has failed. Rules stay as they are, and it is tried again.", ex);
			}
		}
		finally {
			this.polled.countDown();
		}
		return true;
	}

	/** Log a failure. Passing failures are logged by the calls that meet them. */
	private void failed(StoreException failure) {
		if (failure.remedy() == null) {
			logger.log(Level.DEBUG, "Changes of rules at run time are not seen: {0}", failure.getMessage());
		}
		else if (this.logged.add(failure.reason())) {
			logger.log(Level.WARNING, "Changes of rate limit rules at run time are not seen (" + failure.getMessage()
					+ "). " + failure.remedy() + " Rules stay as they are.");
		}
	}

	@Override
	public void close() {
		this.polling.close();
	}

}
