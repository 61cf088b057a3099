package io.github.ratelimit.store.redis;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import org.jspecify.annotations.Nullable;

import io.github.ratelimit.RateLimitInterruptedException;
import io.github.ratelimit.store.Demands;

/**
 * Wait of a blocked thread for an answer of Redis.
 */
final class BlockingWait {

	private static final Duration SHORTEST_CONNECT_PATIENCE = Duration.ofSeconds(2);

	private final ScriptRunner runner;

	private final RedisFailures failures;

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
		this.longest = timeout.plus(Deadlines.GRACE.multipliedBy(2)).toNanos();
	}

	/**
	 * Refuse a thread that is already interrupted, or that has to read the answer itself,
	 * before any unit is taken.
	 * @param demands the demands of the call, of which the first names its rule
	 */
	void check(Demands demands) {
		if (this.runner.readsOnThisThread() || Thread.currentThread().isInterrupted()) {
			check(nameOf(demands));
		}
	}

	/**
	 * Refuse such a thread.
	 * @param rule the rule of the call
	 */
	void check(String rule) {
		checkThread(rule);
		if (Thread.currentThread().isInterrupted()) {
			throw new RateLimitInterruptedException(rule, new InterruptedException());
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
	 * @param demands the demands of the call, of which the first names its rule
	 * @throws RateLimitInterruptedException if the thread is interrupted; its interrupt
	 * flag stays set
	 */
	<T> T await(Demands demands, CompletableFuture<T> answer) {
		try {
			return answer.get(this.longest, TimeUnit.NANOSECONDS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		catch (ExecutionException | TimeoutException | RuntimeException ex) {
			// thrown again below
		}
		return await(nameOf(demands), answer, 0, false);
	}

	/**
	 * Wait for an answer.
	 * @param rule the rule of the call
	 * @throws RateLimitInterruptedException if the thread is interrupted; its interrupt
	 * flag stays set
	 */
	<T> T await(String rule, CompletableFuture<T> answer) {
		return await(rule, answer, this.longest, false);
	}

	private static String nameOf(Demands demands) {
		return demands.get(0).rule().name();
	}

	/**
	 * Wait for an answer that concerns no rule.
	 */
	<T> T await(CompletableFuture<T> answer) {
		return await(null, answer, this.longest, false);
	}

	/**
	 * Return how long to wait for a connection: as long as for an answer, but at least
	 * two seconds, since connecting takes several round trips.
	 */
	static Duration connectPatience(Duration timeout) {
		return (timeout.compareTo(SHORTEST_CONNECT_PATIENCE) > 0) ? timeout : SHORTEST_CONNECT_PATIENCE;
	}

	/**
	 * Wait for a connection.
	 * @param nanoseconds the longest wait
	 */
	void awaitConnection(CompletableFuture<Void> connected, long nanoseconds) {
		await(null, connected, nanoseconds, true);
	}

	private <T> T await(@Nullable String rule, CompletableFuture<T> answer, long nanoseconds, boolean connects) {
		return this.failures.await(rule, answer, nanoseconds,
				() -> connects ? this.failures.notConnectedWithin(nanoseconds) : this.failures.timedOut());
	}

}
