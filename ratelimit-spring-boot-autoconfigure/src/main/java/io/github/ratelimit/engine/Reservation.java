package io.github.ratelimit.engine;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;

import org.jspecify.annotations.Nullable;

import io.github.ratelimit.Decision;
import io.github.ratelimit.RateLimitInterruptedException;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.Refund;
import io.github.ratelimit.store.StoreAnswer;

/**
 * Decision of a call, and the units that it took. A call that gives up refunds them. They
 * are refunded once, however many callers do so.
 *
 * @since 0.1.0
 */
public final class Reservation {

	private static final AtomicIntegerFieldUpdater<Reservation> REFUNDED = AtomicIntegerFieldUpdater
		.newUpdater(Reservation.class, "refunded");

	private final @Nullable StoreAnswer answer;

	private final @Nullable Refunds refunds;

	private final CallDelay callDelay;

	private final Decision decision;

	private final @Nullable CompletionStage<Reservation> shadow;

	private volatile int refunded;

	private Reservation(@Nullable StoreAnswer answer, @Nullable Refunds refunds, CallDelay callDelay, Decision decision,
			@Nullable CompletionStage<Reservation> shadow) {
		this.answer = answer;
		this.refunds = refunds;
		this.callDelay = callDelay;
		this.decision = decision;
		this.shadow = shadow;
	}

	/**
	 * Return the reservation of a call that was counted, or denied.
	 * @param origin the origin of the answer
	 * @param refunds the refunds to where the call was counted
	 * @param callDelay waits for the turn of the call
	 */
	static Reservation of(StoreAnswer answer, Decision.Origin origin, Refunds refunds, CallDelay callDelay) {
		return new Reservation(answer, refunds, callDelay, Decisions.of(answer, origin), null);
	}

	/**
	 * Return the reservation of a call that was not counted.
	 */
	static Reservation uncounted(Demand demand, Decision.Origin origin) {
		return denied(Decisions.uncounted(demand, origin));
	}

	/**
	 * Return the reservation of a call that is known to be denied.
	 */
	static Reservation denied(Decision decision) {
		return new Reservation(null, null, CallDelay.REAL_TIME, decision, null);
	}

	/**
	 * Return the reservation of a call that is subject to rules in shadow mode only. It
	 * replaces this one.
	 */
	Reservation inShadowMode() {
		return new Reservation(this.answer, this.refunds, this.callDelay, ShadowMode.allow(this.decision), this.shadow);
	}

	/**
	 * Return this reservation together with the one of rules in shadow mode, which is
	 * refunded with it. It replaces this one.
	 */
	Reservation beside(CompletionStage<Reservation> other) {
		return new Reservation(this.answer, this.refunds, this.callDelay, this.decision, other);
	}

	/**
	 * Return the decision.
	 * @return the decision
	 */
	public Decision decision() {
		return this.decision;
	}

	/**
	 * Return whether the call may go on, now or after the {@link #delay()}.
	 * @return whether the decision allows it
	 */
	public boolean isAllowed() {
		return this.decision.allowed();
	}

	/**
	 * Return how long to wait before going on.
	 * @return the delay of the decision
	 */
	public Duration delay() {
		return this.decision.delay();
	}

	/**
	 * Wait for the delay of the decision.
	 * @return this reservation, whose turn it is
	 * @throws InterruptedException if the thread is interrupted; the units taken are
	 * refunded then
	 */
	public Reservation await() throws InterruptedException {
		if (delay().isZero()) {
			return this;
		}
		try {
			this.callDelay.await(this.answer);
			return this;
		}
		catch (InterruptedException ex) {
			refund();
			throw ex;
		}
	}

	/**
	 * Wait for the delay of the decision, where the caller expects no interruption.
	 * @return this reservation, whose turn it is
	 * @throws RateLimitInterruptedException if the thread is interrupted, and stays so;
	 * the units taken are refunded then
	 */
	public Reservation awaitTurn() {
		try {
			return await();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new RateLimitInterruptedException(decision().rule(), ex);
		}
	}

	/**
	 * Wait for the delay of the decision without blocking the caller.
	 * @return when the turn has come
	 */
	public CompletableFuture<Void> awaitAsync() {
		return delay().isZero() ? CompletableFuture.completedFuture(null) : this.callDelay.awaitAsync(this.answer);
	}

	/**
	 * Refund the units that were taken. Never fails: a store that cannot answer keeps
	 * them.
	 */
	public void refund() {
		refundShadow();
		if (isRefundedFirst()) {
			this.refunds.refund(this.answer.refunds());
		}
	}

	/**
	 * Refund the units that were taken without blocking the caller.
	 */
	public void refundAsync() {
		refundShadow();
		if (isRefundedFirst()) {
			this.refunds.refundAsync(this.answer.refunds());
		}
	}

	private void refundShadow() {
		if (this.shadow != null) {
			this.shadow.thenAccept(Reservation::refundAsync);
		}
	}

	/**
	 * Mark the units as refunded, and return whether this is the first refund of units
	 * that were taken. A call that is allowed because its rules are in shadow mode may
	 * have taken nothing.
	 */
	private boolean isRefundedFirst() {
		return this.answer != null && this.answer.isAdmitted() && REFUNDED.compareAndSet(this, 0, 1);
	}

}
