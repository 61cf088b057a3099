package io.github.ratelimit.compatibility.messages;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import io.github.ratelimit.RateLimitExceededException;

import org.springframework.core.NestedExceptionUtils;

/**
 * What listeners and their error handlers have received.
 */
class Received {

	/**
	 * Messages that limited listeners got.
	 */
	final List<String> messages = new CopyOnWriteArrayList<>();

	/**
	 * Denials that error handlers got.
	 */
	final List<RateLimitExceededException> denials = new CopyOnWriteArrayList<>();

	/**
	 * Messages of deliveries that failed, once for each of them.
	 */
	final List<String> failedDeliveries = new CopyOnWriteArrayList<>();

	/**
	 * Messages that an error handler gave up.
	 */
	final List<String> givenUp = new CopyOnWriteArrayList<>();

	/**
	 * Note a denial. All other failures are mistakes.
	 */
	void failed(Throwable failure) {
		this.denials.add((RateLimitExceededException) NestedExceptionUtils.getMostSpecificCause(failure));
	}

}
