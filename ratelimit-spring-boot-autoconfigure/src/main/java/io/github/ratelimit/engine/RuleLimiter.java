package io.github.ratelimit.engine;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;

import io.github.ratelimit.Decision;
import io.github.ratelimit.RateLimitInterruptedException;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.store.Demand;

/**
 * The limiter of one rule, which may change under it.
 */
final class RuleLimiter implements RateLimiter {

	private final RateLimitEngine engine;

	private volatile RateLimitRule written;

	private volatile RateLimitRule rule;

	/**
	 * Create a new limiter.
	 * @param written the rule without its override
	 * @param rule the rule in force
	 */
	RuleLimiter(RateLimitEngine engine, RateLimitRule written, RateLimitRule rule) {
		this.engine = engine;
		this.written = written;
		this.rule = rule;
	}

	void change(RateLimitRule changedWritten, RateLimitRule changed) {
		this.written = changedWritten;
		this.rule = changed;
	}

	RateLimitRule written() {
		return this.written;
	}

	@Override
	public RateLimitRule rule() {
		return this.rule;
	}

	@Override
	public Decision tryAcquire(String key, long cost) {
		return this.engine.acquire(List.of(new Demand(this.rule, key, cost))).decision();
	}

	@Override
	public CompletionStage<Decision> tryAcquireAsync(String key, long cost) {
		return this.engine.results().of(this.engine.acquireAsync(List.of(new Demand(this.rule, key, cost))));
	}

	@Override
	public Decision acquire(String key, long cost, Duration maxWait) throws InterruptedException {
		List<Demand> demands = List.of(new Demand(this.rule, key, cost, maxWait));
		try {
			return this.engine.acquire(demands).await().decision();
		}
		catch (RateLimitInterruptedException ex) {
			Thread.interrupted();
			throw (InterruptedException) new InterruptedException(ex.getMessage()).initCause(ex);
		}
	}

	@Override
	public void refund(String key, long cost) {
		this.engine.refund(new Demand(this.rule, key, cost));
	}

	@Override
	public void reset(String key) {
		this.engine.reset(this.rule, key);
	}

	@Override
	public String toString() {
		return "RateLimiter[" + this.rule + ']';
	}

}
