package io.github.ratelimit.engine;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletionStage;

import io.github.ratelimit.Decision;
import io.github.ratelimit.KeyOverride;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.Reservation;
import io.github.ratelimit.store.RuleCounts;
import io.github.ratelimit.store.RuleVariants;
import org.jspecify.annotations.Nullable;

/**
 * View of a limiter whose calls come under a plan or name a class.
 */
final class LimiterOfCaller implements PeekableLimiter {

	private final RateLimitEngine engine;

	private final RuleLimiter limiter;

	private final KeyLimiter keys;

	private final @Nullable String plan;

	/**
	 * Create a new view.
	 * @param plan the name of the plan; {@code null}, empty or unknown for the rule's own
	 * numbers
	 * @param priority the class that calls name, {@code null} for none
	 */
	LimiterOfCaller(RateLimitEngine engine, RuleLimiter limiter, @Nullable String plan, @Nullable String priority) {
		this.engine = engine;
		this.limiter = limiter;
		this.keys = new KeyLimiter(engine, priority);
		this.plan = plan;
	}

	private RuleCounts counts() {
		return planned(this.limiter.counts());
	}

	private RuleCounts settled() {
		return planned(this.limiter.settled());
	}

	private RuleCounts planned(RuleCounts own) {
		return this.engine.plans().named(own, this.plan);
	}

	@Override
	public RateLimitRule rule() {
		RuleCounts own = this.limiter.counts();
		RuleCounts planned = (this.plan != null) ? RuleVariants.of(own).under(this.plan) : null;
		return ((planned != null) ? planned : own).rule();
	}

	@Override
	public Decision tryAcquire(String key, long cost) {
		return this.keys.tryAcquire(counts(), key, cost);
	}

	@Override
	public Decision peekUnit(String key) {
		return this.keys.peekUnit(counts(), key);
	}

	@Override
	public CompletionStage<Decision> tryAcquireAsync(String key, long cost) {
		return this.keys.tryAcquireAsync(counts(), key, cost);
	}

	@Override
	public Reservation reserve(String key, long cost) {
		return this.keys.reserve(settled(), key, cost);
	}

	@Override
	public CompletionStage<Reservation> reserveAsync(String key, long cost) {
		return this.keys.reserveAsync(settled(), key, cost);
	}

	@Override
	public Decision acquire(String key, long cost, Duration maxWait) throws InterruptedException {
		return this.keys.acquire(counts(), key, cost, maxWait);
	}

	@Override
	public void refund(String key, long cost) {
		this.keys.refund(counts(), key, cost);
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
		return new LimiterOfCaller(this.engine, this.limiter, other, this.keys.priority());
	}

	@Override
	public RateLimiter withPriority(@Nullable String other) {
		return new LimiterOfCaller(this.engine, this.limiter, this.plan, other);
	}

	@Override
	public String toString() {
		return "RateLimiter[" + rule() + ", plan " + this.plan + ", priority " + this.keys.priority() + ']';
	}

}
