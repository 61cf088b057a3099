package io.github.ratelimit.engine;

import java.util.List;

import io.github.ratelimit.OnStoreFailure;
import io.github.ratelimit.store.Debt;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.Demands;
import io.github.ratelimit.store.FallbackStore;
import io.github.ratelimit.store.RateLimitStore;
import io.github.ratelimit.store.Refund;
import io.github.ratelimit.store.RuleAnswer;
import io.github.ratelimit.store.RuleCounts;
import io.github.ratelimit.store.StoreAnswer;
import io.github.ratelimit.store.StoredKey;

/**
 * Fallback store whose counts are charged to the store as soon as that answers.
 */
final class ChargedFallback implements RefundTarget {

	private final FallbackStore fallback;

	private final FallbackCharges charges;

	private final RateLimitStore store;

	/**
	 * Create a new instance.
	 * @param store the store that takes over the slots of calls that run
	 */
	ChargedFallback(FallbackStore fallback, FallbackCharges charges, RateLimitStore store) {
		this.fallback = fallback;
		this.charges = charges;
		this.store = store;
	}

	/**
	 * Return whether the fallback decides a call although the store may answer it: what
	 * it has counted of a key has not been charged yet. A call that also has rules of
	 * other policies is decided by the store, since the fallback does not count those.
	 */
	boolean decides(Demands demands, StoreFailurePolicy policy) {
		boolean decides = false;
		for (int i = 0; i < demands.size() && !decides; i++) {
			decides = this.fallback.hasUncharged(demands.get(i));
		}
		return decides && demands.asList()
			.stream()
			.allMatch((demand) -> policy.effective(demand.rule()) == OnStoreFailure.LOCAL);
	}

	StoreAnswer acquire(Demands demands) {
		StoreAnswer answer = this.fallback.acquire(demands);
		this.charges.counted(demands);
		if (demands.haveSlots() && answer.isAdmitted()) {
			demands.asList().forEach(this.store::holdSlots);
		}
		return answer;
	}

	RuleAnswer peek(Demand demand) {
		return this.fallback.peek(demand);
	}

	@Override
	public void refund(List<Refund> refunds) {
		this.fallback.refund(refunds);
		this.charges.counted(Demands.of(refunds.stream().map(Refund::demand).toList()));
		for (Refund refund : refunds) {
			if (refund.demand().holdsSlots()) {
				this.store.freeSlots(refund.demand());
			}
		}
	}

	@Override
	public void owe(List<Debt> debts) {
		this.fallback.owe(debts);
		this.charges.counted(Demands.of(debts.stream().map(Debt::demand).toList()));
	}

	void reset(RuleCounts counts, StoredKey key) {
		this.fallback.reset(counts, key);
	}

}
