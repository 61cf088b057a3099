package io.github.ratelimit.engine;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

import io.github.ratelimit.Decision;
import io.github.ratelimit.RateLimitInterruptedException;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.RateLimitStore;
import io.github.ratelimit.store.Refund;
import io.github.ratelimit.store.StoreAnswer;
import io.github.ratelimit.store.StoreException;

/**
 * A decision, and what was taken with it. Who gives up waiting gives it back; whoever
 * else does so as well gives back nothing more.
 *
 * @since 0.1.0
 */
public final class Reservation {

	private static final Logger logger = System.getLogger(Reservation.class.getName());

	private final @Nullable Counted counted;

	private final @Nullable CompletionStage<Reservation> shadow;

	/**
	 * Made when somebody asks for it, unless nobody has counted. A race makes it twice.
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

	static Reservation of(List<Demand> demands, StoreAnswer answer, RateLimitStore store, RulesInForce rules) {
		return of(demands, answer, store, rules, (givenBack) -> {
		});
	}

	/**
	 * What a call gets that was counted or denied.
	 * @param rules what is given back by
	 * @param whenGivenBack gets the demands when what they took is given back
	 */
	static Reservation of(List<Demand> demands, StoreAnswer answer, RateLimitStore store, RulesInForce rules,
			Consumer<List<Demand>> whenGivenBack) {
		return new Reservation(new Counted(demands, answer, store, rules, whenGivenBack), null);
	}

	/**
	 * What a call gets that nobody counted.
	 */
	static Reservation uncounted(Demand demand, Decision.Origin origin) {
		return new Reservation(null, Decisions.uncounted(demand, origin));
	}

	/**
	 * What a call gets that is known to be denied.
	 */
	static Reservation denied(Decision decision) {
		return new Reservation(null, decision);
	}

	/**
	 * What a call gets that is subject to rules in shadow mode only.
	 */
	Reservation inShadowMode() {
		return new Reservation(this.counted, ShadowMode.allow(decision()));
	}

	/**
	 * This reservation and what rules in shadow mode have taken or will take, given back
	 * with it.
	 */
	Reservation beside(CompletionStage<Reservation> other) {
		return new Reservation(this.counted, this.decision, other);
	}

	/**
	 * What was decided.
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
	 * @return what the decision says
	 */
	public boolean isAllowed() {
		Decision known = this.decision;
		return (known != null) ? known.allowed() : this.counted.isAdmitted();
	}

	/**
	 * How long to wait before going on.
	 * @return what the decision says
	 */
	public Duration delay() {
		Decision known = this.decision;
		return (known != null) ? known.delay() : this.counted.delay();
	}

	/**
	 * Wait as long as the decision says.
	 * @return this reservation, whose turn it is
	 * @throws InterruptedException if the thread is interrupted; what was taken is given
	 * back then
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
			giveBack();
			throw ex;
		}
	}

	/**
	 * Wait as long as the decision says, where nobody expects an interruption.
	 * @return this reservation, whose turn it is
	 * @throws RateLimitInterruptedException if the thread is interrupted, and stays so;
	 * what was taken is given back then
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
	 * Give back what was taken. Never fails: a store that cannot answer keeps it.
	 */
	public void giveBack() {
		giveBackShadow();
		Counted taken = this.counted;
		if (taken != null && taken.isGivenBackFirst()) {
			try {
				taken.store.giveBack(taken.refunds());
			}
			catch (StoreException | RateLimitInterruptedException ex) {
				kept(ex);
			}
			taken.tell();
		}
	}

	/**
	 * Give back what was taken without blocking the caller.
	 */
	public void giveBackAsync() {
		giveBackShadow();
		Counted taken = this.counted;
		if (taken != null && taken.isGivenBackFirst()) {
			taken.store.giveBackAsync(taken.refunds()).whenComplete((done, failure) -> {
				taken.tell();
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
	 * A call that was counted, or denied.
	 */
	private static final class Counted {

		private static final AtomicIntegerFieldUpdater<Counted> GIVEN_BACK = AtomicIntegerFieldUpdater
			.newUpdater(Counted.class, "givenBack");

		private final List<Demand> demands;

		private final StoreAnswer answer;

		private final RateLimitStore store;

		private final RulesInForce rules;

		private final Consumer<List<Demand>> whenGivenBack;

		private volatile int givenBack;

		/**
		 * Create a new instance.
		 * @param demands what it asked
		 * @param answer what it was answered
		 * @param store by whom
		 * @param rules what is given back by
		 * @param whenGivenBack gets the demands when what they took is given back
		 */
		Counted(List<Demand> demands, StoreAnswer answer, RateLimitStore store, RulesInForce rules,
				Consumer<List<Demand>> whenGivenBack) {
			this.demands = demands;
			this.answer = answer;
			this.store = store;
			this.rules = rules;
			this.whenGivenBack = whenGivenBack;
		}

		boolean isAdmitted() {
			return this.answer.admits(this.demands);
		}

		/**
		 * Whether something was taken and is not given back yet, but is now. A call that
		 * is allowed because its rules are in shadow mode may have taken nothing.
		 */
		boolean isGivenBackFirst() {
			return isAdmitted() && GIVEN_BACK.compareAndSet(this, 0, 1);
		}

		void tell() {
			this.whenGivenBack.accept(this.demands);
		}

		Duration delay() {
			return isAdmitted() ? Decisions.delay(this.answer.outcomes()) : Duration.ZERO;
		}

		Decision decision() {
			return Decisions.of(this.demands, this.answer, this.store.origin());
		}

		List<Refund> refunds() {
			return this.rules.refunds(this.answer.taken(this.demands));
		}

	}

}
