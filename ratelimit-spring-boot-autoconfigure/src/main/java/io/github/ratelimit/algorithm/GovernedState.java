package io.github.ratelimit.algorithm;

import java.util.Objects;

import io.github.ratelimit.Limit;
import org.jspecify.annotations.Nullable;

/**
 * State with the limit that governs it: that of the call or, if calls of different plans
 * share the state, the one that it was last changed under.
 */
abstract class GovernedState extends LimitState {

	/**
	 * The limit that the state was last changed under, {@code null} if nothing counts.
	 */
	@Nullable Limit changedUnder;

	boolean underPlans;

	/**
	 * Set whether calls of different plans share this count. Then the state evolves by
	 * the limit that it was last changed under, each call is judged by the capacity of
	 * its own limit, and only an admitted call makes its own limit apply.
	 * @param shared whether they do
	 */
	public final void setUnderPlans(boolean shared) {
		this.underPlans = shared;
	}

	/**
	 * Return the limit by which the state evolves.
	 * @param limit the limit of the call
	 * @return the limit that the state was last changed under if calls of different plans
	 * share this count, else that of the call; also that of the call if it is in another
	 * time zone, which applies as a changed calendar does
	 */
	final Limit governing(Limit limit) {
		return this.underPlans ? writtenUnder(limit) : limit;
	}

	private Limit writtenUnder(Limit limit) {
		Limit known = this.changedUnder;
		return (known != null && Objects.equals(known.calendar(), limit.calendar())) ? known : limit;
	}

	/**
	 * Return how long a call has to wait after the turn of the last waiting call. A
	 * capacity that is smaller by some units is like a call that costs as many more.
	 */
	final long retryAfterTurn(Limit limit, long cost) {
		if (!this.underPlans) {
			return retryAfter(limit, cost);
		}
		Limit governing = governing(limit);
		return (cost > limit.capacity()) ? NEVER
				: retryAfter(governing, cost + governing.capacity() - limit.capacity());
	}

	final boolean evolvesAlike(Limit limit) {
		Limit governing = governing(limit);
		return governing == limit || evolvesAlike(governing, limit);
	}

	/**
	 * Make another limit apply, as if the clock showed the time at which the call goes
	 * on. Units that have expired by then do not count again.
	 */
	final void convertAndTake(Limit limit, long cost) {
		if (isUnused(governing(limit))) {
			clear();
		}
		long clock = this.now;
		this.now = this.at;
		advance(limit);
		correct(limit);
		take(limit, cost);
		this.now = clock;
	}

	/**
	 * Return the units that can be taken when the last waiting call goes on.
	 */
	final long remainingAfterTurn(Limit limit) {
		return this.underPlans ? Math.max(0, limit.capacity() - used(governing(limit))) : remaining(limit);
	}

}
