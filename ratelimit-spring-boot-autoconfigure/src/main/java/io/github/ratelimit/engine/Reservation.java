package io.github.ratelimit.engine;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;

import io.github.ratelimit.Decision;
import io.github.ratelimit.RateLimitInterruptedException;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.RateLimitStore;
import io.github.ratelimit.store.Refund;
import io.github.ratelimit.store.StoreAnswer;
import io.github.ratelimit.store.StoreException;

/**
 * A decision, and what was taken with it. Who gives up waiting gives it back.
 *
 * @since 0.1.0
 */
public final class Reservation {

	private static final Logger logger = System.getLogger(Reservation.class.getName());

	private static final Runnable NOTHING = () -> {
	};

	private final Decision decision;

	private final @Nullable Taken taken;

	private final @Nullable CompletionStage<Reservation> shadow;

	private final Runnable whenGivenBack;

	private Reservation(Decision decision, @Nullable Taken taken) {
		this(decision, taken, null, NOTHING);
	}

	private Reservation(Decision decision, @Nullable Taken taken, @Nullable CompletionStage<Reservation> shadow,
			Runnable whenGivenBack) {
		this.decision = decision;
		this.taken = taken;
		this.shadow = shadow;
		this.whenGivenBack = whenGivenBack;
	}

	static Reservation of(List<Demand> demands, StoreAnswer answer, RateLimitStore store) {
		return of(demands, answer, store, store.origin());
	}

	static Reservation of(List<Demand> demands, StoreAnswer answer, RateLimitStore store, Decision.Origin origin) {
		Decision decision = Decisions.of(demands, answer, origin);
		return new Reservation(decision, decision.allowed() ? new Taken(demands, answer, store) : null);
	}

	/**
	 * What a call gets that nobody counted.
	 */
	static Reservation uncounted(Demand demand, Decision.Origin origin) {
		return new Reservation(Decisions.uncounted(demand, origin), null);
	}

	/**
	 * What a call gets that is known to be denied.
	 */
	static Reservation denied(Decision decision) {
		return new Reservation(decision, null);
	}

	/**
	 * What a call gets that is subject to rules in shadow mode only.
	 */
	Reservation inShadowMode() {
		return new Reservation(ShadowMode.allow(this.decision), this.taken);
	}

	/**
	 * This reservation and what rules in shadow mode have taken or will take, given back
	 * with it.
	 */
	Reservation beside(CompletionStage<Reservation> other) {
		return new Reservation(this.decision, this.taken, other, this.whenGivenBack);
	}

	/**
	 * This reservation, of which somebody is told when it is given back.
	 */
	Reservation whenGivenBack(Runnable action) {
		return new Reservation(this.decision, this.taken, this.shadow, action);
	}

	/**
	 * What was decided.
	 * @return the decision
	 */
	public Decision decision() {
		return this.decision;
	}

	/**
	 * Wait as long as the decision says.
	 * @return the decision
	 * @throws InterruptedException if the thread is interrupted; what was taken is given
	 * back then
	 */
	public Decision await() throws InterruptedException {
		if (this.decision.delay().isZero()) {
			return this.decision;
		}
		try {
			TimeUnit.NANOSECONDS.sleep(this.decision.delay().toNanos());
			return this.decision;
		}
		catch (InterruptedException ex) {
			giveBack();
			throw ex;
		}
	}

	/**
	 * Wait as long as the decision says, where nobody expects an interruption.
	 * @return the decision
	 * @throws RateLimitInterruptedException if the thread is interrupted, and stays so;
	 * what was taken is given back then
	 */
	public Decision awaitTurn() {
		try {
			return await();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new RateLimitInterruptedException(this.decision.rule(), ex);
		}
	}

	/**
	 * Give back what was taken. Never fails: a store that cannot answer keeps it.
	 */
	public void giveBack() {
		giveBackShadow();
		if (this.taken != null) {
			try {
				this.taken.store.giveBack(this.taken.refunds());
			}
			catch (StoreException ex) {
				kept(ex);
			}
			this.whenGivenBack.run();
		}
	}

	/**
	 * Give back what was taken without blocking the caller.
	 */
	public void giveBackAsync() {
		giveBackShadow();
		if (this.taken != null) {
			this.taken.store.giveBackAsync(this.taken.refunds()).whenComplete((done, failure) -> {
				this.whenGivenBack.run();
				if (failure != null) {
					kept(failure);
				}
			});
		}
	}

	private void giveBackShadow() {
		if (this.shadow != null) {
			this.shadow.thenAccept(Reservation::giveBackAsync);
		}
	}

	private static void kept(Throwable failure) {
		logger.log(Level.DEBUG, "A reservation could not be given back", failure);
	}

	/**
	 * What a call has taken.
	 *
	 * @param demands what it asked
	 * @param answer what it was answered
	 * @param store by whom
	 */
	private record Taken(List<Demand> demands, StoreAnswer answer, RateLimitStore store) {

		List<Refund> refunds() {
			return this.answer.taken(this.demands);
		}

	}

}
