package io.github.ratelimit.interceptor;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Thread pool on which methods continue after an asynchronous decision or a delay. Tasks
 * may block, even on each other: while tasks are queued and none starts, the pool grows.
 * So it cannot deadlock like a bounded pool whose threads all wait for queued tasks.
 * Reactor's elastic threads are such a pool, and an application's executor may be one. It
 * may also reject a task, or run it on the submitting thread, which belongs to the Redis
 * client.
 *
 * @since 0.1.0
 */
public final class ContinuationPool implements AutoCloseable {

	private static final long PAUSE_MILLIS = 20;

	private static final long KEEP_ALIVE_SECONDS = 30;

	private final int size;

	private final Executor afterPause;

	private final AtomicInteger made = new AtomicInteger();

	private final AtomicLong started = new AtomicLong();

	private final AtomicBoolean watched = new AtomicBoolean();

	private final ThreadPoolExecutor threads;

	/**
	 * Create a new pool. Its threads are created on demand and end after 30 idle seconds.
	 */
	public ContinuationPool() {
		this(Math.max(8, 2 * Runtime.getRuntime().availableProcessors()),
				CompletableFuture.delayedExecutor(PAUSE_MILLIS, TimeUnit.MILLISECONDS, Runnable::run));
	}

	ContinuationPool(int size, Executor afterPause) {
		this.size = size;
		this.afterPause = afterPause;
		this.threads = new ThreadPoolExecutor(size, Integer.MAX_VALUE, KEEP_ALIVE_SECONDS, TimeUnit.SECONDS,
				new LinkedBlockingQueue<>(), this::thread, (late, closed) -> late.run());
		this.threads.allowCoreThreadTimeOut(true);
	}

	/** Create a thread that inherits nothing from the call that needs it first. */
	private Thread thread(Runnable work) {
		Thread thread = new Thread(null, work, "rate-limit-" + this.made.incrementAndGet(), 0, false);
		thread.setContextClassLoader(ContinuationPool.class.getClassLoader());
		thread.setDaemon(true);
		return thread;
	}

	/** Run a task, after closing on the current thread. */
	public void execute(Runnable task) {
		this.threads.execute(() -> {
			this.started.incrementAndGet();
			task.run();
		});
		watch();
	}

	int threads() {
		return this.threads.getPoolSize();
	}

	private void watch() {
		if (!this.threads.getQueue().isEmpty() && this.watched.compareAndSet(false, true)) {
			checkAfterPause();
		}
	}

	@Override
	public void close() {
		this.threads.shutdown();
	}

	private void checkAfterPause() {
		long before = this.started.get();
		this.afterPause.execute(() -> check(before));
	}

	private void check(long startedBefore) {
		if (this.threads.getQueue().isEmpty()) {
			this.threads.setCorePoolSize(this.size);
			this.watched.set(false);
			watch();
			return;
		}
		try {
			if (this.started.get() == startedBefore) {
				this.threads.setCorePoolSize(2 * this.threads.getPoolSize());
			}
		}
		finally {
			checkAfterPause();
		}
	}

}
