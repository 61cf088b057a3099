package io.github.ratelimit.engine;

import java.time.Duration;
import java.util.concurrent.CompletionStage;

import org.jspecify.annotations.Nullable;

import io.github.ratelimit.Decision;
import io.github.ratelimit.Limit;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.RuleCounts;

/**
 * Limiter of one rule, which may change under it.
 *
 * @since 0.1.0
 */
public final class RuleLimiter implements RateLimiter {

	private final RateLimitEngine engine;

	private final KeyLimiter keys;

	private volatile RateLimitRule written;

	private volatile RuleCounts counts;

	/**
	 * Create a new limiter.
	 * @param written the rule without its override
	 * @param counts the rule in force
	 */
	RuleLimiter(RateLimitEngine engine, RateLimitRule written, RuleCounts counts) {
		this.engine = engine;
		this.keys = new KeyLimiter(engine);
		this.written = written;
		this.counts = counts;
	}

	void change(RateLimitRule changedWritten, RuleCounts changed) {
		this.written = changedWritten;
		this.counts = changed;
	}

	RateLimitRule written() {
		return this.written;
	}

	RuleCounts counts() {
		return this.counts;
	}

	@Override
	public RateLimitRule rule() {
		return this.counts.rule();
	}

	/**
	 * Create the demand of a call under the rule's own numbers.
	 * @param key who or what is counted
	 * @param cost how many units to take
	 * @return what the call asks of the rule in force
	 */
	public Demand demand(String key, long cost) {
		return new Demand(this.counts, key, cost);
	}

	/**
	 * Create the demand of a call under a plan.
	 * @param key who or what is counted
	 * @param cost how many units to take
	 * @param plan the name of the plan; {@code null}, empty or unknown for the rule's own
	 * numbers
	 * @return what the call asks of the rule in force
	 */
	public Demand demand(String key, long cost, @Nullable String plan) {
		return new Demand(this.engine.plans().named(this.counts, plan), key, cost);
	}

	/**
	 * Create the demand of a call with numbers of the caller's own.
	 * @param key who or what is counted
	 * @param cost how many units to take
	 * @param numbers the {@code max}, {@code period} and {@code burst}; all else is the
	 * rule's
	 * @return what the call asks of the rule in force
	 * @throws io.github.ratelimit.RateLimitConfigurationException if the rule cannot have
	 * these numbers
	 */
	public Demand demand(String key, long cost, Limit numbers) {
		return new Demand(this.engine.plans().with(this.counts, numbers), key, cost);
	}

	@Override
	public Decision tryAcquire(String key, long cost) {
		return this.keys.tryAcquire(this.counts, key, cost);
	}

	@Override
	public CompletionStage<Decision> tryAcquireAsync(String key, long cost) {
		return this.keys.tryAcquireAsync(this.counts, key, cost);
	}

	@Override
	public Decision acquire(String key, long cost, Duration maxWait) throws InterruptedException {
		return this.keys.acquire(this.counts, key, cost, maxWait);
	}

	@Override
	public void refund(String key, long cost) {
		this.keys.refund(this.counts, key, cost);
	}

	@Override
	public void reset(String key) {
		this.keys.reset(this.counts, key);
	}

	@Override
	public RateLimiter withPlan(@Nullable String plan) {
		return new Planned(plan);
	}

	@Override
	public String toString() {
		return "RateLimiter[" + rule() + ']';
	}

	/**
	 * View of this limiter whose calls come under a plan.
	 */
	private final class Planned implements RateLimiter {

		private final @Nullable String plan;

		Planned(@Nullable String plan) {
			this.plan = plan;
		}

		private RuleCounts counts() {
			return RuleLimiter.this.engine.plans().named(RuleLimiter.this.counts, this.plan);
		}

		@Override
		public RateLimitRule rule() {
			RuleCounts own = RuleLimiter.this.counts;
			RuleCounts planned = (this.plan != null) ? own.under(this.plan) : null;
			return ((planned != null) ? planned : own).rule();
		}

		@Override
		public Decision tryAcquire(String key, long cost) {
			return RuleLimiter.this.keys.tryAcquire(counts(), key, cost);
		}

		@Override
		public CompletionStage<Decision> tryAcquireAsync(String key, long cost) {
			return RuleLimiter.this.keys.tryAcquireAsync(counts(), key, cost);
		}

		@Override
		public Decision acquire(String key, long cost, Duration maxWait) throws InterruptedException {
			return RuleLimiter.this.keys.acquire(counts(), key, cost, maxWait);
		}

		@Override
		public void refund(String key, long cost) {
			RuleLimiter.this.keys.refund(counts(), key, cost);
		}

		@Override
		public void reset(String key) {
			RuleLimiter.this.keys.reset(RuleLimiter.this.counts, key);
		}

		@Override
		public RateLimiter withPlan(@Nullable String other) {
			return RuleLimiter.this.withPlan(other);
		}

		@Override
		public String toString() {
			return "RateLimiter[" + rule() + ", plan " + this.plan + ']';
		}

	}

}
