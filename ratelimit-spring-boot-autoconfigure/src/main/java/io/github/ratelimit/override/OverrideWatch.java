package io.github.ratelimit.override;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;

import io.github.ratelimit.store.StoreException;

/**
 * The one thread that reads what is kept: when the store says that it changed, and every
 * half second in case it did not say so.
 */
final class OverrideWatch implements AutoCloseable {

	static final String NAME = "ratelimit-overrides";

	private static final Logger logger = System.getLogger(OverrideWatch.class.getName());

	private static final Duration INTERVAL = Duration.ofMillis(500);

	private static final Duration PATIENCE = Duration.ofSeconds(1);

	private final OverrideStore store;

	private final KnownOverrides known;

	private final Set<String> told = ConcurrentHashMap.newKeySet();

	private final AtomicBoolean asked = new AtomicBoolean();

	private final ScheduledThreadPoolExecutor executor = new ScheduledThreadPoolExecutor(1, (task) -> {
		Thread thread = new Thread(task, NAME);
		thread.setDaemon(true);
		return thread;
	});

	OverrideWatch(OverrideStore store, KnownOverrides known) {
		this.store = store;
		this.known = known;
	}

	void start() {
		if (!this.store.isShared()) {
			return;
		}
		Future<?> first = this.executor.submit(this::poll);
		try {
			first.get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		catch (ExecutionException | TimeoutException ex) {
			logger.log(Level.DEBUG, "Changes of rules at run time are not known yet", ex);
		}
		this.executor.scheduleWithFixedDelay(this::poll, INTERVAL.toMillis(), INTERVAL.toMillis(),
				TimeUnit.MILLISECONDS);
		this.store.listen(this::pollSoon);
	}

	/**
	 * Many changes at once are read once.
	 */
	private void pollSoon() {
		if (this.asked.compareAndSet(false, true)) {
			try {
				this.executor.execute(this::poll);
			}
			catch (RejectedExecutionException ex) {
				logger.log(Level.DEBUG, "Changes of rules at run time are not followed any more");
			}
		}
	}

	private void poll() {
		this.asked.set(false);
		try {
			read();
			this.told.clear();
		}
		catch (StoreException ex) {
			failed(ex);
		}
		catch (RuntimeException ex) {
			if (this.told.add(ex.getClass().getName())) {
				logger.log(Level.ERROR, "Changes of rate limit rules at run time could not be followed", ex);
			}
		}
	}

	private synchronized void read() {
		StoredOverrides read = this.store.read(this.known.version());
		if (read != null) {
			this.known.replaceBy(read);
		}
	}

	/**
	 * What passes by itself is told by the calls that meet it.
	 */
	private void failed(StoreException failure) {
		if (failure.remedy() == null) {
			logger.log(Level.DEBUG, "Changes of rules at run time are not seen: {0}", failure.getMessage());
		}
		else if (this.told.add(failure.reason())) {
			logger.log(Level.WARNING, "Changes of rate limit rules at run time are not seen (" + failure.getMessage()
					+ "). " + failure.remedy() + " Rules stay as they are.");
		}
	}

	/**
	 * Read on this thread, and fail if the store does.
	 */
	void readNow() {
		read();
	}

	@Override
	public void close() {
		this.executor.shutdownNow();
	}

}
