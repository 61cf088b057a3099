package io.github.ratelimit.soak;

import io.github.ratelimit.Decision;
import io.github.ratelimit.Decision.Origin;
import org.jspecify.annotations.Nullable;

/**
 * Call as its caller saw it. When exactly it was decided and went on is not known, but it
 * was between two times.
 *
 * @param instance the number of the instance
 * @param from the earliest time at which it was denied or went on
 * @param to the latest such time
 * @param outcome the outcome
 * @param decision the decision, {@code null} if the caller does not see it
 * @param units the units of an admitted call that certainly count when it has ended
 * @param held the end of the time for which it certainly held its units
 * @param priority the class of the call, {@code null} for none
 */
record Call(int instance, long from, long to, Outcome outcome, @Nullable Decision decision, long units, long held,
		@Nullable String priority) {

	Call(int instance, long from, long to, Outcome outcome, @Nullable Decision decision, long units, long held) {
		this(instance, from, to, outcome, decision, units, held, null);
	}

	Call withUnits(long changed) {
		return new Call(this.instance, this.from, this.to, this.outcome, this.decision, changed, this.held,
				this.priority);
	}

	Call heldUntil(long time) {
		return new Call(this.instance, this.from, this.to, this.outcome, this.decision, this.units, time,
				this.priority);
	}

	Call ofClass(String named) {
		return new Call(this.instance, this.from, this.to, this.outcome, this.decision, this.units, this.held, named);
	}

	boolean isOfClass(String named) {
		return named.equals(this.priority);
	}

	boolean admitted() {
		return this.outcome == Outcome.ADMITTED;
	}

	boolean denied() {
		return this.outcome == Outcome.DENIED;
	}

	boolean by(Origin origin) {
		return this.decision != null && this.decision.origin() == origin;
	}

	/**
	 * Return whether the store has decided it.
	 */
	boolean byStore() {
		return by(Origin.REDIS) || by(Origin.JDBC);
	}

	/**
	 * Return whether it certainly happened within this time.
	 */
	boolean within(long begin, long end) {
		return this.from - begin >= 0 && this.to - end <= 0;
	}

	/**
	 * Describe the call.
	 * @param origin the time that is 0
	 */
	String describe(long origin) {
		return "instance %d at %.1f to %.1f ms: %s %s".formatted(this.instance, (this.from - origin) / 1e6,
				(this.to - origin) / 1e6, this.outcome, this.decision);
	}

	/**
	 * Outcome of a call.
	 */
	enum Outcome {

		ADMITTED, DENIED,

		/** The store could not answer, and the policy is to deny. */
		UNANSWERED,

		/**
		 * The caller gave up. Its unit is refunded, or passes unused if others wait
		 * behind it.
		 */
		GIVEN_UP

	}

}
