package io.github.ratelimit.engine;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletionStage;

import io.github.ratelimit.Decision;
import io.github.ratelimit.KeyOverride;
import io.github.ratelimit.Mode;
import io.github.ratelimit.RateLimitInterruptedException;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.Reservation;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.RuleCounts;
import io.github.ratelimit.store.RuleVariants;
import org.jspecify.annotations.Nullable;

/**
 * View of a limiter whose calls come under a plan or name a class, or neither.
 */
final class LimiterOfCaller implements PeekableLimiter {

	private final RateLimitEngine engine;

	private final RuleLimiter limiter;

	private final @Nullable String plan;

	private final @Nullable String priority;

	/**
	 * Create a new view.
	 * @param plan the name of the plan; {@code null}, empty or unknown for the rule's own
	 * numbers
	 * @param priority the class that calls name, {@code null} for none
	 */
	LimiterOfCaller(RateLimitEngine engine, RuleLimiter limiter, @Nullable String plan, @Nullable String priority) {
		this.engine = engine;
		this.limiter = limiter;
		this.plan = plan;
		this.priority = priority;
	}

	private RuleCounts counts() {
		return planned(this.limiter.counts());
	}

	private RuleCounts planned(RuleCounts own) {
		return this.engine.plans().named(own, this.plan);
	}

	private Demand demand(RuleCounts counts, String key, long cost) {
		return new Demand(counts, key, cost).withPriority(this.priority);
	}

	@Override
	public RateLimitRule rule() {
		RuleCounts own = this.limiter.counts();
		RuleCounts planned = (this.plan != null) ? RuleVariants.of(own).under(this.plan) : null;
		return ((planned != null) ? planned : own).rule();
	}

	@Override
	public Decision tryAcquire(String key, long cost) {
		return tryAcquire(counts(), key, cost);
	}

	private Decision tryAcquire(RuleCounts counts, String key, long cost) {
		checkEnd(counts, cost, "tryAcquire");
		return this.engine.acquire(demand(counts, key, cost)).decision();
	}

	/**
	 * A call of cost 0 is decided by overrides, lists, bans and the mode alone.
	 */
	@Override
	public Decision peekUnit(String key) {
		RuleCounts counts = counts();
		Decision free = tryAcquire(counts, key, 0);
		boolean isCounted = free.allowed() && free.origin() != Decision.Origin.NONE
				&& counts.rule().mode() == Mode.ENFORCE;
		return isCounted ? this.engine.keys().peek(demand(counts, key, 1)) : free;
	}

	@Override
	public CompletionStage<Decision> tryAcquireAsync(String key, long cost) {
		RuleCounts counts = counts();
		checkEnd(counts, cost, "tryAcquireAsync");
		return this.engine.results().of(this.engine.acquireAsync(demand(counts, key, cost)));
	}

	@Override
	public Reservation reserve(String key, long cost) {
		RuleCounts counts = planned(this.limiter.settled());
		return new ReservedCall(this.engine.acquire(demand(counts, key, cost)), counts.rule());
	}

	@Override
	public CompletionStage<Reservation> reserveAsync(String key, long cost) {
		RuleCounts counts = planned(this.limiter.settled());
		return this.engine.results()
			.of(this.engine.acquireAsync(demand(counts, key, cost)), (call) -> new ReservedCall(call, counts.rule()));
	}

	@Override
	public Decision acquire(String key, long cost, Duration maxWait) throws InterruptedException {
		RuleCounts counts = counts();
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
	 * Refuse a call whose end is not noticed, so that it would hold its slots for ever.
	 * One of cost 0 only peeks.
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

	@Override
	public void refund(String key, long cost) {
		this.engine.keys().refund(new Demand(counts(), key, cost));
	}

	@Override
	public void reset(String key) {
		this.limiter.reset(key);
	}

	@Override
	public void override(String key, KeyOverride override) {
		this.limiter.override(key, override);
	}

	@Override
	public boolean removeOverride(String key) {
		return this.limiter.removeOverride(key);
	}

	@Override
	public Map<String, KeyOverride> overrides() {
		return this.limiter.overrides();
	}

	@Override
	public RateLimiter withPlan(@Nullable String other) {
		return new LimiterOfCaller(this.engine, this.limiter, other, this.priority);
	}

	@Override
	public RateLimiter withPriority(@Nullable String other) {
		return new LimiterOfCaller(this.engine, this.limiter, this.plan, other);
	}

	@Override
	public String toString() {
		return "RateLimiter[" + rule() + ", plan " + this.plan + ", priority " + this.priority + ']';
	}

}
