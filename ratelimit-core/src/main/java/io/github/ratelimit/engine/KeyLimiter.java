package io.github.ratelimit.engine;

import java.time.Duration;
import java.util.concurrent.CompletionStage;

import org.jspecify.annotations.Nullable;

import io.github.ratelimit.Decision;
import io.github.ratelimit.Mode;
import io.github.ratelimit.RateLimitInterruptedException;
import io.github.ratelimit.Reservation;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.RuleCounts;

/**
 * Operations of limiters on the keys of a prepared rule.
 *
 * @param priority the class that calls name, {@code null} for none
 */
record KeyLimiter(RateLimitEngine engine, @Nullable String priority) {

	private Demand demand(RuleCounts counts, String key, long cost) {
		return new Demand(counts, key, cost).withPriority(this.priority);
	}

	Decision tryAcquire(RuleCounts counts, String key, long cost) {
		checkEnd(counts, cost, "tryAcquire");
		return this.engine.acquire(demand(counts, key, cost)).decision();
	}

	/**
	 * Return the decision on a call that takes one unit and does not wait. A call of cost
	 * 0 is decided by overrides, lists, bans and the mode alone.
	 */
	Decision peekUnit(RuleCounts counts, String key) {
		Decision free = tryAcquire(counts, key, 0);
		boolean isCounted = free.allowed() && free.origin() != Decision.Origin.NONE
				&& counts.rule().mode() == Mode.ENFORCE;
		return isCounted ? this.engine.keys().peek(demand(counts, key, 1)) : free;
	}

	CompletionStage<Decision> tryAcquireAsync(RuleCounts counts, String key, long cost) {
		checkEnd(counts, cost, "tryAcquireAsync");
		return this.engine.results().of(this.engine.acquireAsync(demand(counts, key, cost)));
	}

	Reservation reserve(RuleCounts counts, String key, long cost) {
		return new ReservedCall(this.engine.acquire(demand(counts, key, cost)), counts.rule());
	}

	CompletionStage<Reservation> reserveAsync(RuleCounts counts, String key, long cost) {
		return this.engine.results()
			.of(this.engine.acquireAsync(demand(counts, key, cost)), (call) -> new ReservedCall(call, counts.rule()));
	}

	Decision acquire(RuleCounts counts, String key, long cost, Duration maxWait) throws InterruptedException {
		checkEnd(counts, cost, "acquire");
		checkWait(counts, maxWait);
		Demand demand = new Demand(counts, key, cost, maxWait).withPriority(this.priority);
		try {
			return this.engine.acquire(demand).await().decision();
		}
		catch (RateLimitInterruptedException ex) {
			Thread.interrupted();
			throw (InterruptedException) new InterruptedException(ex.getMessage()).initCause(ex);
		}
	}

	/**
	 * Refuse a call whose end is not noticed, unless it only peeks.
	 */
	private static void checkEnd(RuleCounts counts, long cost, String method) {
		if (counts.needsEnd() && cost > 0) {
			throw counts.endUnnoticed("a call of " + method,
					"Call reserve, and close the reservation when the call has ended.");
		}
	}

	/**
	 * Refuse to wait under a rule with classes: the call would take units of the future,
	 * before calls of any class.
	 */
	private static void checkWait(RuleCounts counts, Duration maxWait) {
		if (!counts.rule().headroom().isEmpty() && maxWait.compareTo(Duration.ZERO) > 0) {
			throw new IllegalStateException("Calls of rule \"" + counts.rule().name()
					+ "\" leave headroom free for others, and a call that waits would take units before calls of any "
					+ "class. Call tryAcquire, and ask again after the retryAfter of its decision.");
		}
	}

	void refund(RuleCounts counts, String key, long cost) {
		this.engine.keys().refund(new Demand(counts, key, cost));
	}

	void reset(RuleCounts counts, String key) {
		this.engine.keys().reset(counts, key);
	}

}
