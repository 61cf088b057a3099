package io.github.ratelimit.store.jdbc;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

import io.github.ratelimit.RateLimitInterruptedException;
import io.github.ratelimit.store.StoreException;

/** Bounded wait of callers for their answers. */
final class CallWait {

	/** How long to wait for the first answer at least. */
	private static final long FIRST = Duration.ofSeconds(2).toNanos();

	private final CallQueue queue;

	private final JdbcFailures failures;

	private final long timeout;

	CallWait(CallQueue queue, JdbcFailures failures, Duration timeout) {
		this.queue = queue;
		this.failures = failures;
		this.timeout = timeout.toNanos();
	}

	/** Return an answer that fails in time, and with failures of the store only. */
	<T> CompletionStage<T> inTime(CompletableFuture<T> answer) {
		if (!answer.isDone()) {
			CompletableFuture.delayedExecutor(this.timeout, TimeUnit.NANOSECONDS, Runnable::run)
				.execute(() -> answer.completeExceptionally(timedOut()));
		}
		return this.failures.translated(answer);
	}

	private StoreException timedOut() {
		return this.failures.timedOut(this.queue.isConnecting());
	}

	/** Begin a call and wait for its answer, unless the thread is interrupted before. */
	<T> T call(String rule, Supplier<CompletableFuture<T>> call) {
		if (Thread.currentThread().isInterrupted()) {
			throw new RateLimitInterruptedException(rule, new InterruptedException());
		}
		return this.failures.await(rule, call.get(), this.timeout, this::timedOut);
	}

	/** Wait for an answer that concerns no rule. */
	<T> T await(CompletableFuture<T> answer) {
		return this.failures.await(null, answer, this.timeout, this::timedOut);
	}

	/** Wait for the first answer, which needs a connection and loads classes. */
	void awaitFirst(CompletableFuture<?> answer) {
		this.failures.await(null, answer, Math.max(this.timeout, FIRST), this::timedOut);
	}

}
