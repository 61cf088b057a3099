package io.github.ratelimit.store.redis;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import org.springframework.core.NestedExceptionUtils;

import io.github.ratelimit.store.RemoteAnswers;
import io.github.ratelimit.store.StoreException;
import org.jspecify.annotations.Nullable;

/**
 * Translation of failures of Redis clients to failures of the store.
 */
final class RedisFailures extends RemoteAnswers {

	/**
	 * Failure of a call beyond the bound on pending calls. It is no outage, since Redis
	 * may be healthy.
	 */
	static final StoreException OVERLOAD = new StoreException(
			"ratelimit.redis.max-pending calls already wait for Redis", null, "overload", false, null);

	/**
	 * Failure of a call while the application is stopped. It is no outage either.
	 */
	static final StoreException STOPPED = new StoreException(
			"The application is stopped, and with it the connections to Redis", null, "stopped", false, null);

	/**
	 * Reason of a failure to connect because client and server disagree about TLS.
	 */
	static final String TLS = "tls";

	private final @Nullable ScriptRunner runner;

	private final Duration timeout;

	private volatile @Nullable StoreException timedOut;

	private final long longest;

	/**
	 * Create failures of a Redis with unknown address.
	 */
	RedisFailures(Duration timeout) {
		this(null, timeout);
	}

	/**
	 * Create a new instance.
	 * @param runner knows the address of Redis for messages
	 * @param timeout how long Redis has to answer
	 */
	RedisFailures(@Nullable ScriptRunner runner, Duration timeout) {
		super("Redis", STOPPED);
		this.runner = runner;
		this.timeout = timeout;
		this.longest = timeout.plus(Deadlines.GRACE).toNanos();
	}

	private static StoreException timeout(String message) {
		return new StoreException(message, null, "timeout", true, null);
	}

	private String address() {
		return (this.runner != null) ? this.runner.address() : "Redis";
	}

	/**
	 * Return how long Redis has to answer.
	 */
	Duration timeout() {
		return this.timeout;
	}

	/**
	 * Return the failure of a call that timed out.
	 */
	StoreException timedOut() {
		StoreException known = this.timedOut;
		if (known == null) {
			known = timeout(address() + " did not answer within " + this.timeout.toMillis() + " ms");
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

	/**
	 * Return the failure to connect in time.
	 */
	StoreException notConnectedWithin(long nanoseconds) {
		return timeout(address() + " was not connected within " + TimeUnit.NANOSECONDS.toMillis(nanoseconds) + " ms");
	}

	@Override
	protected StoreException translate(Throwable cause) {
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
			return new StoreException(address() + message, cause, "connection", true, null);
		}
		boolean isMistakeOfConnection = error.isOutage() && error.remedy() != null;
		return new StoreException((isMistakeOfConnection ? address() : "Redis") + message, cause, error.reason(),
				error.isOutage(), error.remedy());
	}

	/**
	 * Let a reply fail if Redis does not answer in time.
	 */
	<T> CompletableFuture<T> inTime(CompletableFuture<T> reply) {
		return reply.orTimeout(this.longest, TimeUnit.NANOSECONDS);
	}

}
