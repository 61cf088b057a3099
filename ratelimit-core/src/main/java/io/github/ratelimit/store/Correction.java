package io.github.ratelimit.store;

import java.util.List;

import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.algorithm.Count;
import io.github.ratelimit.store.Correction.Kind;

/**
 * Change of the counts of a key that is no decision. What a call has taken is corrected
 * as of the time at which it was counted. Nothing changes if the key was reset since the
 * call was decided, except slots and the units of {@link #NEWEST no} decided call.
 *
 * @param kind what to do with the units
 * @param demand the rule, the key, how many units and which call; of a charge, the
 * longest wait is that of the last of its calls
 * @param countedAt the time of the store's clock at which the units were counted, or
 * {@link #NEWEST}
 * @param decidedAt the time at which the call was decided: {@code countedAt}, or earlier
 * if the call has waited; {@link #NEWEST} if it had taken nothing
 * @param charged the units of a charge, for each of the counts; empty for other kinds
 * @since 0.1.0
 */
public record Correction(Kind kind, Demand demand, long countedAt, long decidedAt, List<Long> charged) {

	/**
	 * Time of units that belong to no call: a refund of them takes the newest ones,
	 * except those of calls that still wait.
	 */
	public static final long NEWEST = Count.NEWEST;

	/**
	 * What is done with the units.
	 */
	public enum Kind {

		/**
		 * Refund units, as many as still count. The slots of the call become free as
		 * well, regardless of the units.
		 */
		REFUND,

		/**
		 * Count units that a call has used beyond those that it took, regardless of the
		 * limit, as if the call had taken them with the others. Unless the call had taken
		 * nothing, a count that equals an unused one counts none, since the window of the
		 * call is over then.
		 */
		DEBT,

		/**
		 * Count units that were admitted elsewhere, as many as still fit. They count as
		 * of now or, while calls wait here or there, as of the end of the longest wait.
		 */
		CHARGE

	}

	/**
	 * {@return the refund of units of a call that has not waited, or of the newest units}
	 * @param demand the rule, the key and how many units
	 * @param countedAt the time at which they were counted, or {@link #NEWEST}
	 */
	public static Correction refund(Demand demand, long countedAt) {
		return refund(demand, countedAt, countedAt);
	}

	/**
	 * {@return the refund of units of a call}
	 * @param demand the rule, the key and how many units
	 * @param countedAt the time at which they were counted
	 * @param decidedAt the time at which the call was decided
	 */
	public static Correction refund(Demand demand, long countedAt, long decidedAt) {
		return new Correction(Kind.REFUND, demand, countedAt, decidedAt, List.of());
	}

	/**
	 * {@return the debt of a call}
	 * @param demand the rule, the key and how many units
	 * @param countedAt the time at which the call was counted
	 * @param decidedAt the time at which the call was decided, or {@link #NEWEST} if it
	 * had taken nothing
	 */
	public static Correction debt(Demand demand, long countedAt, long decidedAt) {
		return new Correction(Kind.DEBT, demand, countedAt, decidedAt, List.of());
	}

	/**
	 * {@return the charge of units of a key}
	 * @param counts the rule
	 * @param key the key
	 * @param units how many, for each of its counts
	 * @param longestWait how long the last of its calls waits, in microseconds
	 */
	public static Correction charge(RuleCounts counts, StoredKey key, List<Long> units, long longestWait) {
		long most = units.stream().mapToLong(Long::longValue).max().orElse(0);
		return new Correction(Kind.CHARGE, new Demand(counts, key, most, longestWait, 0, null), NEWEST, NEWEST, units);
	}

	/**
	 * Charge units of calls that do not wait, of a rule that is not registered.
	 * @param rule the rule, which is prepared anew
	 * @param key the key, of any length
	 * @param units how many, for each of its counts
	 * @return the charge
	 */
	public static Correction charge(RateLimitRule rule, String key, List<Long> units) {
		return charge(RuleCounts.of(rule), StoredKey.of(key), units, 0);
	}

	/**
	 * Return how many units of a count are corrected.
	 * @param index the index of the count among those of the rule
	 * @return the units; of those that the call may hold until it ends, 1 for all
	 */
	public long units(int index) {
		if (this.kind == Kind.CHARGE) {
			return this.charged.get(index);
		}
		CountSpec spec = this.demand.counts().get(index);
		if (this.kind == Kind.DEBT) {
			return spec.hasDebt() ? this.demand.cost() : 0;
		}
		return !spec.isHeldByCalls() ? spec.units(this.demand.cost()) : this.demand.needsEnd() ? 1 : 0;
	}

	/**
	 * {@return whether there are neither units nor slots to correct}
	 */
	public boolean isEmpty() {
		return this.demand.cost() == 0 && !this.demand.needsEnd();
	}

	/**
	 * Return whether the units may be the first of the key: those of a charge, and of a
	 * call that had taken nothing.
	 * @return {@code false} if there is nothing to correct in a key that is not counted
	 */
	public boolean mayBeFirst() {
		return this.kind != Kind.REFUND && this.decidedAt == NEWEST;
	}

	/**
	 * Return whether the units were counted as of a later time than that of the decision.
	 * @return {@code false} for most calls, and for units of no call
	 */
	public boolean hasWaited() {
		return this.decidedAt < this.countedAt;
	}

	/**
	 * Return whether the call has waited and was decided before its key was reset, which
	 * the counts do not show.
	 * @param resetAt the time of the reset
	 * @return whether its units, except slots, are forgotten
	 */
	public boolean isForgotten(long resetAt) {
		return hasWaited() && this.decidedAt <= resetAt;
	}

	/**
	 * {@return the same correction of other units}
	 * @param changed the rule, the key and how many units
	 */
	public Correction withDemand(Demand changed) {
		return new Correction(this.kind, changed, this.countedAt, this.decidedAt, this.charged);
	}

}
