package io.github.ratelimit.store.redis;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Gives a reply up when Redis has been silent for too long.
 */
final class SilenceTimer {

	private final Silence silence;

	private final Scheduler scheduler;

	/**
	 * Create a new timer.
	 * @param scheduler what runs it
	 */
	SilenceTimer(Silence silence, Scheduler scheduler) {
		this.silence = silence;
		this.scheduler = scheduler;
	}

	/**
	 * Watch a reply from now on.
	 */
	void watch(CompletableFuture<byte[]> reply) {
		check(reply, this.silence.begin());
	}

	private void check(CompletableFuture<byte[]> reply, Silence.Wait wait) {
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
	 * Schedules on the JDK's own timer thread.
	 */
	static Runnable onTimerThread(Runnable task, long nanoseconds) {
		CompletableFuture.delayedExecutor(nanoseconds, TimeUnit.NANOSECONDS, Runnable::run).execute(task);
		return () -> {
		};
	}

	/**
	 * Runs a task later.
	 */
	interface Scheduler {

		/**
		 * Schedule a task.
		 * @return what cancels it
		 */
		Runnable schedule(Runnable task, long nanoseconds);

	}

}
