package io.github.ratelimit.interceptor;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;

import io.github.ratelimit.engine.DecidedCall;

/**
 * Turn of a call that has to wait for its decision or for its delay, without blocking a
 * thread. The call is either begun or given up, whichever comes first. One that is given
 * up never runs, and its units are refunded, even if they are taken later.
 *
 * @since 0.1.0
 */
public final class Turn {

	private final CompletableFuture<DecidedCall> decision;

	private final AtomicBoolean over = new AtomicBoolean();

	public Turn(CompletableFuture<DecidedCall> decision) {
		this.decision = decision;
	}

	/**
	 * Return whether a call need not wait: its decision is there and has no delay, or has
	 * failed.
	 */
	public static boolean hasCome(CompletableFuture<DecidedCall> decision) {
		return decision.isDone() && (decision.isCompletedExceptionally() || decision.join().delay().isZero());
	}

	public CompletableFuture<DecidedCall> await() {
		return this.decision.thenCompose((decided) -> decided.awaitAsync().thenApply((turnHasCome) -> decided));
	}

	public boolean begin() {
		return this.over.compareAndSet(false, true);
	}

	/** Give up, unless the call has begun. */
	public void giveUp() {
		if (this.over.compareAndSet(false, true)) {
			this.decision.thenAccept(DecidedCall::refundAsync);
		}
	}

}
