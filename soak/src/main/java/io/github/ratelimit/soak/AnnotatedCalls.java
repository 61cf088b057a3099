package io.github.ratelimit.soak;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.annotation.RateLimited;
import reactor.core.publisher.Mono;

/**
 * Limited methods of each instance.
 */
public class AnnotatedCalls {

	/**
	 * Limit failed calls only.
	 */
	@RateLimited(name = "failures", key = "#key", max = 5, period = 1, unless = "#error == null")
	public void logIn(String key, boolean wrong) {
		if (wrong) {
			throw new WrongPasswordException();
		}
	}

	/**
	 * Count the result instead of the estimate.
	 */
	@RateLimited(name = "settled-method", key = "#key", algorithm = Algorithm.TOKEN_BUCKET, max = 30, period = 1,
			cost = "3", settle = "#result")
	public long spend(String key, long actual) {
		return actual;
	}

	/**
	 * Return a stage.
	 */
	@RateLimited(name = "stage", key = "#key", max = 8, period = 1)
	public CompletionStage<String> stage(String key) {
		return CompletableFuture.completedFuture("done");
	}

	/**
	 * Return a publisher.
	 */
	@RateLimited(name = "publisher", key = "#key", max = 8, period = 1)
	public Mono<String> publisher(String key) {
		return Mono.just("done");
	}

	/**
	 * Obey two rules together, which a cluster has in different hash slots.
	 */
	@RateLimited(name = "pair", key = "#key", max = 12, period = 1)
	@RateLimited(name = "pair-of-other-key", key = "'other:' + #key", max = 7, period = 1)
	public void pair(String key) {
	}

	/**
	 * Failure that counts.
	 */
	static final class WrongPasswordException extends RuntimeException {

		private static final long serialVersionUID = 1L;

	}

}
