package io.github.ratelimit.engine;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.function.Predicate;

import io.github.ratelimit.Decision;
import io.github.ratelimit.KeyOverride;
import io.github.ratelimit.RateLimitInterruptedException;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.RateLimiterUnavailableException;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.RuleCounts;
import io.github.ratelimit.store.StoreException;

/**
 * Limiter of one rule, which may change under it.
 *
 * @since 0.1.0
 */
public final class RuleLimiter implements RateLimiter {

	private final RateLimitEngine engine;

	private volatile RateLimitRule written;

	private volatile RuleCounts counts;

	/**
	 * Create a new limiter.
	 * @param written the rule without its override
	 * @param counts the rule in force
	 */
	RuleLimiter(RateLimitEngine engine, RateLimitRule written, RuleCounts counts) {
		this.engine = engine;
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

	@Override
	public RateLimitRule rule() {
		return this.counts.rule();
	}

	/**
	 * Create the demand of a call.
	 * @param key who or what is counted
	 * @param cost how many units to take
	 * @return the demand, under the rule in force
	 */
	public Demand demand(String key, long cost) {
		return new Demand(this.counts, key, cost);
	}

	@Override
	public Decision tryAcquire(String key, long cost) {
		return this.engine.acquire(demand(key, cost)).decision();
	}

	@Override
	public CompletionStage<Decision> tryAcquireAsync(String key, long cost) {
		return this.engine.results().of(this.engine.acquireAsync(demand(key, cost)));
	}

	@Override
	public Decision acquire(String key, long cost, Duration maxWait) throws InterruptedException {
		Demand demand = new Demand(this.counts, key, cost, maxWait);
		try {
			return this.engine.acquire(demand).await().decision();
		}
		catch (RateLimitInterruptedException ex) {
			Thread.interrupted();
			throw (InterruptedException) new InterruptedException(ex.getMessage()).initCause(ex);
		}
	}

	@Override
	public void refund(String key, long cost) {
		this.engine.keys().refund(demand(key, cost));
	}

	@Override
	public void reset(String key) {
		this.engine.keys().reset(this.counts, key);
	}

	@Override
	public void override(String key, KeyOverride override) {
		write((writer) -> {
			writer.override(rule().name(), key, override);
			return true;
		});
	}

	@Override
	public boolean removeOverride(String key) {
		return write((writer) -> writer.remove(rule().name(), key));
	}

	private boolean write(Predicate<KeyOverrideWriter> change) {
		try {
			return change.test(this.engine.keys().overrideWriter());
		}
		catch (StoreException ex) {
			throw new RateLimiterUnavailableException(rule().name(), ex);
		}
	}

	@Override
	public Map<String, KeyOverride> overrides() {
		return this.engine.keys().overridden().of(rule().name());
	}

	@Override
	public String toString() {
		return "RateLimiter[" + rule() + ']';
	}

}
