package io.github.ratelimit.store.redis;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Scheduler of tasks that are delayed, or that block. */
interface Scheduler {

	void schedule(Runnable task, long nanoseconds);

	static void onTimerThread(Runnable task, long nanoseconds) {
		CompletableFuture.delayedExecutor(nanoseconds, TimeUnit.NANOSECONDS, Runnable::run).execute(task);
	}

	static Thread onNewThread(Runnable task, String name) {
		Thread thread = new Thread(task, name);
		thread.setDaemon(true);
		thread.start();
		return thread;
	}

}
