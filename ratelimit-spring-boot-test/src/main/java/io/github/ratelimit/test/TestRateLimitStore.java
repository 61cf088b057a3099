package io.github.ratelimit.test;

import java.util.List;
import java.util.concurrent.CompletionStage;

import io.github.ratelimit.Decision;
import io.github.ratelimit.store.BannedKey;
import io.github.ratelimit.store.Correction;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.Demands;
import io.github.ratelimit.store.RateLimitStore;
import io.github.ratelimit.store.RuleAnswer;
import io.github.ratelimit.store.RuleCounts;
import io.github.ratelimit.store.StoreAnswer;
import io.github.ratelimit.store.StoredKey;
import io.github.ratelimit.store.local.LocalRateLimitStore;
import org.jspecify.annotations.Nullable;

/**
 * Store of the counters of a test, in this process and by the clock of the test. Calls
 * are decided one after the other, so that those that wait have an order.
 */
record TestRateLimitStore(LocalRateLimitStore counters, Turns turns) implements RateLimitStore {

	@Override
	public StoreAnswer acquire(Demands demands) {
		StoreAnswer answer = decide(demands);
		this.turns.goOn();
		return answer;
	}

	private synchronized StoreAnswer decide(Demands demands) {
		StoreAnswer answer = this.counters.acquire(demands);
		this.turns.decided(answer);
		return answer;
	}

	@Override
	public @Nullable PlainRule plain(RuleCounts counts) {
		PlainRule plain = this.counters.plain(counts);
		return (plain == null) ? null : (key, cost, always) -> {
			Decision decision = plain.decide(key, cost, always);
			this.turns.goOn();
			return decision;
		};
	}

	void clear() {
		this.counters.clear();
	}

	@Override
	public RuleAnswer peek(Demand demand) {
		return this.counters.peek(demand);
	}

	@Override
	public StoreAnswer preview(Demands demands) {
		return this.counters.preview(demands);
	}

	@Override
	public CompletionStage<List<long[]>> correct(List<Correction> corrections) {
		return this.counters.correct(corrections);
	}

	@Override
	public void reset(RuleCounts counts, StoredKey key) {
		this.counters.reset(counts, key);
	}

	@Override
	public List<BannedKey> bans(RuleCounts counts) {
		return this.counters.bans(counts);
	}

	@Override
	public Decision.Origin origin() {
		return this.counters.origin();
	}

}
