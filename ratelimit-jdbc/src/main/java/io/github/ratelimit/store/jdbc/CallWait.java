package io.github.ratelimit.store.jdbc;

import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import io.github.ratelimit.RateLimitInterruptedException;

/**
 * Bounded wait of callers for their answers. One that gives up completes the answer
 * exceptionally.
 */
final class CallWait {

	/**
	 * How long to wait for the first answer at least.
	 */
	private static final long FIRST = Duration.ofSeconds(2).toNanos();

	private final CallQueue queue;

	private final JdbcFailures failures;

	private final long timeout;

	CallWait(CallQueue queue, JdbcFailures failures, Duration timeout) {
		this.queue = queue;
		this.failures = failures;
		this.timeout = timeout.toNanos();
	}

	/**
	 * Return an answer that fails in time, and with failures of the store only.
	 */
	<T> CompletionStage<T> inTime(CompletableFuture<T> answer) {
		if (!answer.isDone()) {
			CompletableFuture.delayedExecutor(this.timeout, TimeUnit.NANOSECONDS, Runnable::run)
				.execute(() -> giveUp(answer));
		}
		return answer.exceptionally((failure) -> {
			throw this.failures.of(failure);
		});
	}

	private void giveUp(CompletableFuture<?> answer) {
		if (!answer.isDone()) {
			answer.completeExceptionally(this.failures.timedOut(this.queue.isConnecting()));
		}
	}

	/**
	 * Begin a call and wait for its answer, unless the thread is already interrupted:
	 * then no unit is taken.
	 * @param rule the rule of the call
	 * @throws RateLimitInterruptedException if the thread is interrupted; its interrupt
	 * flag stays set
	 */
	<T> T call(String rule, Supplier<CompletableFuture<T>> call) {
		if (Thread.currentThread().isInterrupted()) {
			throw new RateLimitInterruptedException(rule, new InterruptedException());
		}
		return await(rule, call.get(), this.timeout);
	}

	/**
	 * Wait for an answer that concerns no rule.
	 */
	<T> T await(CompletableFuture<T> answer) {
		return await(null, answer, this.timeout);
	}

	/**
	 * Wait for the first answer, for which a connection is made and classes are loaded.
	 */
	void awaitFirst(CompletableFuture<?> answer) {
		await(null, answer, Math.max(this.timeout, FIRST));
	}

	private <T> T await(@Nullable String rule, CompletableFuture<T> answer, long nanos) {
		try {
			return answer.get(nanos, TimeUnit.NANOSECONDS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			if (answer.completeExceptionally(ex) && rule != null) {
				throw new RateLimitInterruptedException(rule, ex);
			}
		}
		catch (TimeoutException ex) {
			giveUp(answer);
		}
		catch (ExecutionException | CancellationException ex) {
			// thrown again below
		}
		try {
			return answer.join();
		}
		catch (CompletionException | CancellationException ex) {
			throw this.failures.of(ex);
		}
	}

}
