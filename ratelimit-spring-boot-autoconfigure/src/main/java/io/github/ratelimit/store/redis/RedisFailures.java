package io.github.ratelimit.store.redis;

import java.time.Duration;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;

import org.springframework.core.NestedExceptionUtils;

import io.github.ratelimit.store.StoreException;

/**
 * What the failure of a call to Redis means.
 *
 * @param address where Redis is, for messages
 * @param timeout how long Redis had to answer
 */
record RedisFailures(String address, Duration timeout) {

	/**
	 * Create failures of a Redis whose address is not known.
	 */
	RedisFailures(Duration timeout) {
		this("Redis", timeout);
	}

	StoreException of(Throwable failure) {
		boolean wrapped = failure instanceof ExecutionException || failure instanceof CompletionException;
		Throwable cause = (wrapped && failure.getCause() != null) ? failure.getCause() : failure;
		if (cause instanceof StoreException known) {
			return known;
		}
		if (cause instanceof TimeoutException) {
			return new StoreException(this.address + " did not answer within " + this.timeout.toMillis() + " ms", cause,
					"timeout", true, null);
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
