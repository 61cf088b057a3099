package io.github.ratelimit.store.redis;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Timer that gives up a reply when Redis has been silent for too long.
 */
final class ReplyTimer {

	private final ReplyWatch watch;

	private final Scheduler scheduler;

	/**
	 * Create a new timer.
	 * @param scheduler schedules the checks
	 */
	ReplyTimer(ReplyWatch watch, Scheduler scheduler) {
		this.watch = watch;
		this.scheduler = scheduler;
	}

	/**
	 * Watch a reply from now on.
	 */
	void watch(CompletableFuture<byte[]> reply) {
		check(reply, this.watch.begin());
	}

	private void check(CompletableFuture<byte[]> reply, ReplyWatch.Wait wait) {
		if (reply.isDone()) {
			return;
		}
		long remaining = wait.remaining();
		if (remaining <= 0) {
			reply.completeExceptionally(new TimeoutException());
			return;
		}
		Runnable cancellation = this.scheduler.schedule(() -> check(reply, wait), remaining);
		reply.whenComplete((value, failure) -> cancellation.run());
	}

	/**
	 * Schedule a task on the JDK's own timer thread.
	 */
	static Runnable onTimerThread(Runnable task, long nanoseconds) {
		CompletableFuture.delayedExecutor(nanoseconds, TimeUnit.NANOSECONDS, Runnable::run).execute(task);
		return () -> {
		};
	}

	/**
	 * Scheduler of delayed tasks.
	 */
	interface Scheduler {

		/**
		 * Schedule a task.
		 * @return a task that cancels it
		 */
		Runnable schedule(Runnable task, long nanoseconds);

	}

}
