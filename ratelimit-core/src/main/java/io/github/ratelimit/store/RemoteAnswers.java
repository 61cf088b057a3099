package io.github.ratelimit.store;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import io.github.ratelimit.RateLimitInterruptedException;
import io.github.ratelimit.concurrent.StageFailure;

/**
 * Answers of a store outside this process. Callers wait for them for a bounded time, and
 * they fail with a {@link StoreException} only. A caller that gives up completes its
 * answer exceptionally, so that a later reply is known to be late. An answer that arrived
 * first counts.
 *
 * @since 0.1.0
 */
public abstract class RemoteAnswers {

	private final String store;

	private final StoreException ofStop;

	private volatile boolean stopped;

	/**
	 * Create a new instance.
	 * @param store what callers wait for, for messages
	 * @param ofStop the failure of calls while the application is stopped
	 */
	protected RemoteAnswers(String store, StoreException ofStop) {
		this.store = store;
		this.ofStop = ofStop;
	}

	/**
	 * Note whether the application is stopped: what breaks while it stops is no failure
	 * of the store.
	 */
	public final void stopped(boolean stopped) {
		this.stopped = stopped;
	}

	/** Return whether the application is stopped, so that calls fail because of that. */
	public final boolean areOfStop() {
		return this.stopped;
	}

	/**
	 * Return the failure of a call.
	 * @param failure what its answer has failed with
	 */
	public final StoreException of(Throwable failure) {
		if (this.stopped) {
			return this.ofStop;
		}
		boolean isWrapped = failure instanceof ExecutionException && failure.getCause() != null;
		Throwable cause = isWrapped ? failure.getCause() : StageFailure.cause(failure);
		if (cause instanceof StoreException known) {
			return known;
		}
		return (cause instanceof InterruptedException)
				? new StoreException("The caller was interrupted while waiting for " + this.store, cause, "interrupted",
						false, null)
				: translate(cause);
	}

	/** Translate what the client of the store has thrown. */
	protected abstract StoreException translate(Throwable cause);

	/** Return an answer that fails with a {@link StoreException} only. */
	public final <T> CompletionStage<T> translated(CompletableFuture<T> answer) {
		return answer.exceptionally((failure) -> {
			throw of(failure);
		});
	}

	/**
	 * Wait for an answer.
	 * @param rule the rule of the call, {@code null} if it concerns none
	 * @param nanos the longest wait in nanoseconds
	 * @param timedOut returns the failure of an answer that does not come in time
	 * @throws RateLimitInterruptedException if the call concerns a rule and the thread is
	 * interrupted; its interrupt flag stays set
	 * @throws StoreException if there is no answer
	 */
	public final <T> T await(@Nullable String rule, CompletableFuture<T> answer, long nanos,
			Supplier<StoreException> timedOut) {
		if (!answer.isDone()) {
			try {
				answer.get(nanos, TimeUnit.NANOSECONDS);
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
				if (answer.completeExceptionally(ex) && rule != null) {
					throw new RateLimitInterruptedException(rule, ex);
				}
			}
			catch (TimeoutException ex) {
				answer.completeExceptionally(timedOut.get());
			}
			catch (ExecutionException | RuntimeException ex) {
				// thrown again below
			}
		}
		if (answer.isCompletedExceptionally()) {
			throw of(answer.handle((value, failure) -> failure).join());
		}
		return answer.join();
	}

}
