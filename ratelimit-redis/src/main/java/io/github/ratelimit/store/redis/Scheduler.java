package io.github.ratelimit.store.redis;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Scheduler of delayed tasks. */
interface Scheduler {

	/** Schedule a task, and return what cancels it. */
	Runnable schedule(Runnable task, long nanoseconds);

	static Runnable onTimerThread(Runnable task, long nanoseconds) {
		CompletableFuture.delayedExecutor(nanoseconds, TimeUnit.NANOSECONDS, Runnable::run).execute(task);
		return () -> {
		};
	}

}
