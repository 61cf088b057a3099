package io.github.ratelimit.engine;

import java.time.Duration;
import java.util.concurrent.CompletionStage;

import io.github.ratelimit.Decision;
import io.github.ratelimit.RateLimitInterruptedException;
import io.github.ratelimit.Reservation;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.RuleCounts;

/**
 * Operations of limiters on the keys of a prepared rule.
 */
record KeyLimiter(RateLimitEngine engine) {

	Decision tryAcquire(RuleCounts counts, String key, long cost) {
		return this.engine.acquire(new Demand(counts, key, cost)).decision();
	}

	CompletionStage<Decision> tryAcquireAsync(RuleCounts counts, String key, long cost) {
		return this.engine.results().of(this.engine.acquireAsync(new Demand(counts, key, cost)));
	}

	Reservation reserve(RuleCounts counts, String key, long cost) {
		return new ReservedCall(this.engine.acquire(new Demand(counts, key, cost)), counts.rule());
	}

	CompletionStage<Reservation> reserveAsync(RuleCounts counts, String key, long cost) {
		return this.engine.results()
			.of(this.engine.acquireAsync(new Demand(counts, key, cost)),
					(call) -> new ReservedCall(call, counts.rule()));
	}

	Decision acquire(RuleCounts counts, String key, long cost, Duration maxWait) throws InterruptedException {
		Demand demand = new Demand(counts, key, cost, maxWait);
		try {
			return this.engine.acquire(demand).await().decision();
		}
		catch (RateLimitInterruptedException ex) {
			Thread.interrupted();
			throw (InterruptedException) new InterruptedException(ex.getMessage()).initCause(ex);
		}
	}

	void refund(RuleCounts counts, String key, long cost) {
		this.engine.keys().refund(new Demand(counts, key, cost));
	}

	void reset(RuleCounts counts, String key) {
		this.engine.keys().reset(counts, key);
	}

}
