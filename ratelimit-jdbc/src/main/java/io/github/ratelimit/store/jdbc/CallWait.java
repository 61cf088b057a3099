package io.github.ratelimit.store.jdbc;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;

import io.github.ratelimit.RateLimitInterruptedException;

/**
 * Calls on the table, and the bounded wait of their callers. A caller that gives up
 * completes the answer exceptionally, so that a later answer is known to be late.
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
	 * Begin a call.
	 * @param keys the rows that it needs
	 * @param decide decides it by these rows
	 * @param late gets the answer if the caller has given up meanwhile
	 */
	<T> CompletableFuture<T> begin(List<RowKey> keys, Function<LockedRows, T> decide, Consumer<T> late) {
		StoreCall<T> call = new StoreCall<>(keys, decide, late);
		this.queue.add(call);
		return call.answer();
	}

	/**
	 * Return an answer that fails in time, and with failures of the store only.
	 */
	<T> CompletionStage<T> inTime(CompletableFuture<T> answer) {
		if (!answer.isDone()) {
			CompletableFuture.delayedExecutor(this.timeout, TimeUnit.NANOSECONDS, Runnable::run)
				.execute(() -> timedOut(answer));
		}
		return answer.exceptionally((failure) -> {
			throw this.failures.of(failure);
		});
	}

	private void timedOut(CompletableFuture<?> answer) {
		if (!answer.isDone()) {
			answer.completeExceptionally(this.failures.timedOut(this.queue.isConnecting()));
		}
	}

	/**
	 * Refuse a thread that is already interrupted, before any unit is taken.
	 */
	static void check(String rule) {
		if (Thread.currentThread().isInterrupted()) {
			throw new RateLimitInterruptedException(rule, new InterruptedException());
		}
	}

	/**
	 * Wait for an answer.
	 * @param rule the rule of the call, {@code null} for none
	 * @throws RateLimitInterruptedException if the thread is interrupted; its interrupt
	 * flag stays set
	 */
	<T> T await(@Nullable String rule, CompletableFuture<T> answer) {
		return await(rule, answer, this.timeout);
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
			if (answer.completeExceptionally(ex)) {
				throw (rule != null) ? new RateLimitInterruptedException(rule, ex) : this.failures.of(ex);
			}
		}
		catch (TimeoutException ex) {
			timedOut(answer);
		}
		catch (ExecutionException ex) {
			throw this.failures.of(ex);
		}
		return settled(answer);
	}

	private <T> T settled(CompletableFuture<T> answer) {
		if (answer.isCompletedExceptionally()) {
			throw this.failures.of(answer.handle((value, failure) -> failure).join());
		}
		return answer.join();
	}

}
