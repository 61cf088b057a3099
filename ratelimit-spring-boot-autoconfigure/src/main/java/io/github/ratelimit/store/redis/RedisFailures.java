package io.github.ratelimit.store.redis;

import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeoutException;

import org.springframework.core.NestedExceptionUtils;

import io.github.ratelimit.concurrent.StageFailure;
import io.github.ratelimit.store.StoreException;

/**
 * What the failure of a call to Redis means.
 */
final class RedisFailures {

	/**
	 * Of a call that would be one too many. Redis may be well, so it is no outage.
	 */
	static final StoreException OVERLOAD = new StoreException(
			"As many calls wait for Redis as ratelimit.redis.max-pending allows", null, "overload", false, null);

	private final String address;

	private final StoreException timedOut;

	/**
	 * Create failures of a Redis whose address is not known.
	 */
	RedisFailures(Duration timeout) {
		this("Redis", timeout);
	}

	/**
	 * Create a new instance.
	 * @param address where Redis is, for messages
	 * @param timeout how long Redis had to answer
	 */
	RedisFailures(String address, Duration timeout) {
		this.address = address;
		this.timedOut = new StoreException(address + " did not answer within " + timeout.toMillis() + " ms", null,
				"timeout", true, null);
	}

	/**
	 * Of a call whose time is over.
	 */
	StoreException timedOut() {
		return this.timedOut;
	}

	StoreException of(Throwable failure) {
		boolean isWrapped = failure instanceof ExecutionException && failure.getCause() != null;
		Throwable cause = isWrapped ? failure.getCause() : StageFailure.cause(failure);
		if (cause instanceof StoreException known) {
			return known;
		}
		if (cause instanceof TimeoutException) {
			return this.timedOut;
		}
		if (cause instanceof RejectedExecutionException) {
			return OVERLOAD;
		}
		if (cause instanceof InterruptedException) {
			return new StoreException("The caller was interrupted while waiting for Redis", cause, "interrupted", false,
					null);
		}
		String message = " failed: "
				+ RedisError.withoutEcho(NestedExceptionUtils.getMostSpecificCause(cause).getMessage());
		RedisError error = RedisError.of(cause);
		return (error != null)
				? new StoreException("Redis" + message, cause, error.reason(), error.isOutage(), error.remedy())
				: new StoreException(this.address + message, cause, "connection", true, null);
	}

}
