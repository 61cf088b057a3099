package io.github.ratelimit.concurrent;

import java.util.concurrent.CompletionException;

/**
 * Failure of a completion stage. A stage that depends on another one reports the failure
 * of that one wrapped in a {@link CompletionException}.
 *
 * @since 0.1.0
 */
public final class StageFailure {

	private StageFailure() {
	}

	/** Return the cause of a {@link CompletionException}, or another failure itself. */
	public static Throwable cause(Throwable failure) {
		return (failure instanceof CompletionException && failure.getCause() != null) ? failure.getCause() : failure;
	}

}
