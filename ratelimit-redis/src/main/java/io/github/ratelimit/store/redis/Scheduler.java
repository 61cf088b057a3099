package io.github.ratelimit.store.redis;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Scheduler of delayed tasks. */
interface Scheduler {

	void schedule(Runnable task, long nanoseconds);

	static void onTimerThread(Runnable task, long nanoseconds) {
		CompletableFuture.delayedExecutor(nanoseconds, TimeUnit.NANOSECONDS, Runnable::run).execute(task);
	}

}
