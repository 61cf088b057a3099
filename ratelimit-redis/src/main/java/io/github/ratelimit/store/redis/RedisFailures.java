package io.github.ratelimit.store.redis;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import io.github.ratelimit.RateLimitInterruptedException;
import io.github.ratelimit.store.Demands;
import org.springframework.core.NestedExceptionUtils;

import io.github.ratelimit.store.RemoteAnswers;
import io.github.ratelimit.store.StoreException;
import org.jspecify.annotations.Nullable;

/**
 * Answers of Redis: how long callers wait for them, and what the failures of its clients
 * mean to a store.
 */
final class RedisFailures extends RemoteAnswers {

	/**
	 * Failure of a call beyond the bound on pending calls. It is no outage, since Redis
	 * may be healthy.
	 */
	static final StoreException OVERLOAD = new StoreException(
			"ratelimit.redis.max-pending calls already wait for Redis", null, "overload", false, null);

	/** Failure of a call while the application is stopped. It is no outage either. */
	static final StoreException STOPPED = new StoreException(
			"The application is stopped, and with it the connections to Redis", null, "stopped", false, null);

	/** Failure of a call whose own failure cannot be described, for lack of memory. */
	private static final StoreException UNKNOWN = new StoreException("Redis failed for an unknown reason", null,
			"connection", true, null);

	private static final Duration SHORTEST_CONNECT_PATIENCE = Duration.ofSeconds(2);

	private final ScriptRunner runner;

	private final Duration timeout;

	private volatile @Nullable StoreException timedOut;

	private final long longest;

	/**
	 * Longest wait of a blocked thread, a backstop: normally {@link Deadlines} end a
	 * call.
	 */
	private final long longestBlocked;

	RedisFailures(ScriptRunner runner, Duration timeout) {
		super("Redis", STOPPED);
		this.runner = runner;
		this.timeout = timeout;
		this.longest = timeout.plus(Deadlines.GRACE).toNanos();
		this.longestBlocked = timeout.plus(Deadlines.LONGEST).toNanos();
	}

	/**
	 * Return how long to wait for a connection: at least two seconds, since that takes
	 * several round trips.
	 */
	static Duration connectPatience(Duration timeout) {
		return (timeout.compareTo(SHORTEST_CONNECT_PATIENCE) > 0) ? timeout : SHORTEST_CONNECT_PATIENCE;
	}

	private static StoreException timeout(String message) {
		return new StoreException(message, null, "timeout", true, null);
	}

	Duration timeout() {
		return this.timeout;
	}

	StoreException timedOut() {
		StoreException known = this.timedOut;
		if (known == null) {
			known = timeout(this.runner.address() + " did not answer within " + this.timeout.toMillis() + " ms");
			this.timedOut = known;
		}
		return known;
	}

	/**
	 * Return the failure of a call that a moving hash slot refused until its deadline.
	 */
	StoreException refused() {
		return new StoreException("A slot of Redis Cluster that moves to another server refused the call for "
				+ this.timeout.toMillis() + " ms", null, RedisError.TRYAGAIN.reason(), false, null);
	}

	@Override
	protected StoreException translate(Throwable cause) {
		try {
			return describe(cause);
		}
		catch (Throwable ex) { // no memory
			return UNKNOWN;
		}
	}

	private StoreException describe(Throwable cause) {
		if (cause instanceof TimeoutException) {
			return timedOut();
		}
		if (cause instanceof RejectedExecutionException) {
			return OVERLOAD;
		}
		Throwable reply = RedisError.reply(cause);
		String message = " failed: " + RedisError
			.withoutEcho(((reply != null) ? reply : NestedExceptionUtils.getMostSpecificCause(cause)).getMessage());
		RedisError error = RedisError.of(cause);
		if (error == null) {
			return new StoreException(this.runner.address() + message, cause, "connection", true, null);
		}
		boolean isMistakeOfConnection = error.isOutage() && error.remedy() != null;
		return new StoreException((isMistakeOfConnection ? this.runner.address() : "Redis") + message, cause,
				error.reason(), error.isOutage(), error.remedy());
	}

	/**
	 * Let a reply fail if Redis does not answer in time, and at once if there is no
	 * timer: what Redis counts is refunded then.
	 */
	<T> CompletableFuture<T> inTime(CompletableFuture<T> reply) {
		try {
			return reply.orTimeout(this.longest, TimeUnit.NANOSECONDS);
		}
		catch (Throwable ex) {
			reply.completeExceptionally(ex);
			return reply;
		}
	}

	/**
	 * Refuse a thread that is already interrupted, or that has to read the answer itself,
	 * before any unit is taken.
	 */
	void check(Demands demands) {
		if (this.runner.readsOnThisThread() || Thread.currentThread().isInterrupted()) {
			check(nameOf(demands));
		}
	}

	void check(String rule) {
		checkThread(rule);
		if (Thread.currentThread().isInterrupted()) {
			throw new RateLimitInterruptedException(rule, new InterruptedException());
		}
	}

	/** Refuse a thread that has to read the answer itself. */
	void checkThread(String rule) {
		if (this.runner.readsOnThisThread()) {
			throw new IllegalStateException("Blocking call of rate limit \"" + rule + "\" on thread "
					+ Thread.currentThread().getName() + ", an event loop of the Redis client: it would wait for an "
					+ "answer that this very thread has to read. Call tryAcquireAsync instead, let the limited method "
					+ "return a CompletionStage, Mono or Flux, or change to another thread first, by publishOn or "
					+ "thenAcceptAsync for example.");
		}
	}

	/** Wait for an answer. An interrupted thread keeps its interrupt flag. */
	<T> T await(Demands demands, CompletableFuture<T> answer) {
		try {
			return answer.get(this.longestBlocked, TimeUnit.NANOSECONDS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		catch (ExecutionException | TimeoutException | RuntimeException ex) {
			// thrown again below
		}
		return await(nameOf(demands), answer, 0, this::timedOut);
	}

	private static String nameOf(Demands demands) {
		return demands.get(0).rule().name();
	}

	<T> T await(String rule, CompletableFuture<T> answer) {
		return await(rule, answer, this.longestBlocked, this::timedOut);
	}

	/** Wait for an answer that concerns no rule. */
	<T> T await(CompletableFuture<T> answer) {
		return await(null, answer, this.longestBlocked, this::timedOut);
	}

	/** Wait for a connection. */
	void awaitConnection(CompletableFuture<Void> connected) {
		Duration longest = connectPatience(this.timeout);
		await(null, connected, longest.toNanos(),
				() -> timeout(this.runner.address() + " was not connected within " + longest.toMillis() + " ms"));
	}

}
