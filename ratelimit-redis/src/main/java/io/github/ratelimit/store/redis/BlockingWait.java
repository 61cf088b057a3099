package io.github.ratelimit.store.redis;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import org.jspecify.annotations.Nullable;

import io.github.ratelimit.RateLimitInterruptedException;
import io.github.ratelimit.store.StoreException;

/**
 * Wait of a blocked thread for an answer of Redis. A thread that times out or is
 * interrupted completes the answer exceptionally, so that a later reply is known to be
 * late. An answer that arrived first counts.
 */
final class BlockingWait {

	private final ScriptRunner runner;

	private final RedisFailures failures;

	private final StoreException timedOut;

	private final long longest;

	/**
	 * Create a new instance.
	 * @param runner the runner that completes the answers
	 * @param timeout how long Redis has to answer; normally {@link Deadlines} enforce it,
	 * and this wait is only a backstop
	 */
	BlockingWait(ScriptRunner runner, RedisFailures failures, Duration timeout) {
		this.runner = runner;
		this.failures = failures;
		this.timedOut = failures.timedOut();
		this.longest = timeout.plus(Deadlines.GRACE.multipliedBy(2)).toNanos();
	}

	/**
	 * Refuse a thread that is already interrupted, or that has to read the answer itself,
	 * before any unit is taken.
	 * @param rule the rule of the call
	 */
	void check(String rule) {
		checkThread(rule);
		if (Thread.currentThread().isInterrupted()) {
			throw interrupted(rule, new InterruptedException());
		}
	}

	/**
	 * Refuse a thread that has to read the answer itself.
	 * @param rule the rule of the call
	 */
	void checkThread(String rule) {
		if (this.runner.readsOnThisThread()) {
			throw new IllegalStateException("Blocking call of rate limit \"" + rule + "\" on thread "
					+ Thread.currentThread().getName() + ", an event loop of the Redis client: it would wait for an "
					+ "answer that this very thread has to read. Call tryAcquireAsync instead, let the limited method "
					+ "return a CompletionStage, Mono or Flux, or change to another thread first, by publishOn or "
					+ "thenAcceptAsync for example.");
		}
	}

	/**
	 * Wait for an answer.
	 * @param rule the rule of the call
	 * @throws RateLimitInterruptedException if the thread is interrupted; its interrupt
	 * flag stays set
	 */
	<T> T await(String rule, CompletableFuture<T> answer) {
		InterruptedException interruption = block(answer, this.longest, this.timedOut);
		if (interruption != null && answer.completeExceptionally(interruption)) {
			throw interrupted(rule, interruption);
		}
		return settled(answer);
	}

	/**
	 * Wait for an answer that concerns no rule.
	 */
	<T> T await(CompletableFuture<T> answer) {
		return await(answer, this.longest, this.timedOut);
	}

	/**
	 * Wait for a connection.
	 * @param nanoseconds the longest wait
	 */
	void awaitConnection(CompletableFuture<Void> connected, long nanoseconds) {
		await(connected, nanoseconds, this.failures.notConnectedWithin(nanoseconds));
	}

	private <T> T await(CompletableFuture<T> answer, long nanoseconds, StoreException whenTimedOut) {
		InterruptedException interruption = block(answer, nanoseconds, whenTimedOut);
		if (interruption != null) {
			answer.completeExceptionally(interruption);
		}
		return settled(answer);
	}

	private @Nullable InterruptedException block(CompletableFuture<?> answer, long nanoseconds,
			StoreException whenTimedOut) {
		if (answer.isDone()) {
			return null;
		}
		try {
			answer.get(nanoseconds, TimeUnit.NANOSECONDS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			return ex;
		}
		catch (TimeoutException ex) {
			answer.completeExceptionally(whenTimedOut);
		}
		catch (ExecutionException | RuntimeException ex) {
			// thrown by settled
		}
		return null;
	}

	private <T> T settled(CompletableFuture<T> answer) {
		if (answer.isCompletedExceptionally()) {
			throw this.failures.of(answer.handle((value, failure) -> failure).join());
		}
		return answer.join();
	}

	private static RateLimitInterruptedException interrupted(String rule, InterruptedException interruption) {
		return new RateLimitInterruptedException(rule, interruption);
	}

}
