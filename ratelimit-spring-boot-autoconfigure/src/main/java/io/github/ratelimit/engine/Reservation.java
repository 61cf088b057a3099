package io.github.ratelimit.engine;

import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;

import org.jspecify.annotations.Nullable;

import io.github.ratelimit.Decision;
import io.github.ratelimit.RateLimitInterruptedException;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.Refund;
import io.github.ratelimit.store.StoreAnswer;

/**
 * Decision of a call, and the units that it took. A call that gives up refunds them; they
 * are refunded once, whoever else refunds them as well.
 *
 * @since 0.1.0
 */
public final class Reservation {

	private final @Nullable Counted counted;

	private final @Nullable CompletionStage<Reservation> shadow;

	/**
	 * Made when it is asked for, unless the call was not counted. A race makes it twice.
	 */
	private @Nullable Decision decision;

	private Reservation(@Nullable Counted counted, @Nullable Decision decision) {
		this(counted, decision, null);
	}

	private Reservation(@Nullable Counted counted, @Nullable Decision decision,
			@Nullable CompletionStage<Reservation> shadow) {
		this.counted = counted;
		this.decision = decision;
		this.shadow = shadow;
	}

	/**
	 * Return the reservation of a call that was counted, or denied.
	 * @param origin the origin of the answer
	 * @param refunds the refunds to where the call was counted
	 */
	static Reservation of(StoreAnswer answer, Decision.Origin origin, Refunds refunds) {
		return new Reservation(new Counted(answer, origin, refunds), null);
	}

	/**
	 * Return the reservation of a call that was not counted.
	 */
	static Reservation uncounted(Demand demand, Decision.Origin origin) {
		return new Reservation(null, Decisions.uncounted(demand, origin));
	}

	/**
	 * Return the reservation of a call that is known to be denied.
	 */
	static Reservation denied(Decision decision) {
		return new Reservation(null, decision);
	}

	/**
	 * Return the reservation of a call that is subject to rules in shadow mode only.
	 */
	Reservation inShadowMode() {
		return new Reservation(this.counted, ShadowMode.allow(decision()));
	}

	/**
	 * Return this reservation together with the one of rules in shadow mode, which is
	 * refunded with it.
	 */
	Reservation beside(CompletionStage<Reservation> other) {
		return new Reservation(this.counted, this.decision, other);
	}

	/**
	 * Return the decision.
	 * @return the decision
	 */
	public Decision decision() {
		Decision known = this.decision;
		if (known == null) {
			known = this.counted.decision();
			this.decision = known;
		}
		return known;
	}

	/**
	 * Whether the call may go on, now or after the {@link #delay()}.
	 * @return whether the decision allows it
	 */
	public boolean isAllowed() {
		Decision known = this.decision;
		return (known != null) ? known.allowed() : this.counted.isAdmitted();
	}

	/**
	 * Return how long to wait before going on.
	 * @return the delay of the decision
	 */
	public Duration delay() {
		Decision known = this.decision;
		return (known != null) ? known.delay() : this.counted.delay();
	}

	/**
	 * Wait for the delay of the decision.
	 * @return this reservation, whose turn it is
	 * @throws InterruptedException if the thread is interrupted; the units taken are
	 * refunded then
	 */
	public Reservation await() throws InterruptedException {
		Duration delay = delay();
		if (delay.isZero()) {
			return this;
		}
		try {
			TimeUnit.NANOSECONDS.sleep(delay.toNanos());
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
	 * Refund the units that were taken. Never fails: a store that cannot answer keeps
	 * them.
	 */
	public void refund() {
		refundShadow();
		Counted taken = this.counted;
		if (taken != null && taken.isRefundedFirst()) {
			taken.refunds.refund(taken.answer.refunds());
		}
	}

	/**
	 * Refund the units that were taken without blocking the caller.
	 */
	public void refundAsync() {
		refundShadow();
		Counted taken = this.counted;
		if (taken != null && taken.isRefundedFirst()) {
			taken.refunds.refundAsync(taken.answer.refunds());
		}
	}

	private void refundShadow() {
		if (this.shadow != null) {
			this.shadow.thenAccept(Reservation::refundAsync);
		}
	}

	/**
	 * Call that was counted, or denied.
	 */
	private static final class Counted {

		private static final AtomicIntegerFieldUpdater<Counted> REFUNDED = AtomicIntegerFieldUpdater
			.newUpdater(Counted.class, "refunded");

		private final StoreAnswer answer;

		private final Decision.Origin origin;

		private final Refunds refunds;

		private volatile int refunded;

		Counted(StoreAnswer answer, Decision.Origin origin, Refunds refunds) {
			this.answer = answer;
			this.origin = origin;
			this.refunds = refunds;
		}

		boolean isAdmitted() {
			return this.answer.isAdmitted();
		}

		/**
		 * Whether units were taken and not refunded yet, but are now. A call that is
		 * allowed because its rules are in shadow mode may have taken nothing.
		 */
		boolean isRefundedFirst() {
			return isAdmitted() && REFUNDED.compareAndSet(this, 0, 1);
		}

		Duration delay() {
			return Duration.ofNanos(this.answer.delay() * 1000);
		}

		Decision decision() {
			return Decisions.of(this.answer, this.origin);
		}

	}

}
