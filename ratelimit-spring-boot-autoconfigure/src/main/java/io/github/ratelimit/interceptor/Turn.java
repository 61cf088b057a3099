package io.github.ratelimit.interceptor;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

import io.github.ratelimit.engine.Reservation;

/**
 * Turn of a call that has to wait for its decision or for its delay, without blocking a
 * thread. The call either goes on or is given up, whichever comes first; one that is
 * given up never runs, and its units are refunded, also if they are taken only then.
 */
final class Turn {

	private final CompletableFuture<Reservation> decision;

	private final AtomicBoolean over = new AtomicBoolean();

	Turn(CompletableFuture<Reservation> decision) {
		this.decision = decision;
	}

	/**
	 * Whether a call need not wait: it is decided, and goes on without delay or fails.
	 */
	static boolean hasCome(CompletableFuture<Reservation> decision) {
		return decision.isDone() && (decision.isCompletedExceptionally() || decision.join().delay().isZero());
	}

	/**
	 * Return the reservation when the turn has come.
	 */
	CompletableFuture<Reservation> await() {
		return this.decision.thenCompose((reservation) -> {
			CompletableFuture<Reservation> after = new CompletableFuture<>();
			return reservation.delay().isZero() ? CompletableFuture.completedFuture(reservation)
					: after.completeOnTimeout(reservation, reservation.delay().toNanos(), TimeUnit.NANOSECONDS);
		});
	}

	/**
	 * Go on.
	 * @return whether the call goes on; otherwise it has been given up
	 */
	boolean begin() {
		return this.over.compareAndSet(false, true);
	}

	/**
	 * Give up, unless the call has gone on.
	 */
	void giveUp() {
		if (this.over.compareAndSet(false, true)) {
			this.decision.thenAccept(Reservation::refundAsync);
		}
	}

}
