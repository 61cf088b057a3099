package io.github.ratelimit.engine;

import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;

import io.github.ratelimit.RateLimitInterruptedException;
import io.github.ratelimit.store.Correction;
import io.github.ratelimit.store.StoreException;

/** Place where calls are counted, and what they have taken is corrected. */
interface CorrectionTarget {

	/** Return whether the current thread may wait for the place. */
	default boolean mayBlock() {
		return true;
	}

	/**
	 * Correct counts without blocking the caller.
	 * @param corrections at least one
	 * @return a stage that fails if one could not be made
	 */
	CompletionStage<?> correct(List<Correction> corrections);

	/**
	 * Correct counts, and wait until that is done.
	 * @throws StoreException if a correction could not be made
	 * @throws RateLimitInterruptedException if the thread is interrupted, and stays so;
	 * the correction goes on
	 */
	default void correctNow(List<Correction> corrections) {
		try {
			correct(corrections).toCompletableFuture().get();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new RateLimitInterruptedException(corrections.get(0).demand().rule().name(), ex);
		}
		catch (ExecutionException ex) {
			if (ex.getCause() instanceof RuntimeException failure) {
				throw failure;
			}
			throw new IllegalStateException(ex.getCause());
		}
	}

}
