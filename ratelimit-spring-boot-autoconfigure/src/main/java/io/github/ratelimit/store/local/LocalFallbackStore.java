package io.github.ratelimit.store.local;

import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.LimitOutcome;
import io.github.ratelimit.store.Refund;
import io.github.ratelimit.store.FallbackStore;
import io.github.ratelimit.store.RuleCounts;
import io.github.ratelimit.store.StoreAnswer;
import io.github.ratelimit.store.StoredKey;
import io.github.ratelimit.store.Uncharged;

/**
 * Fallback that counts inside this process: by the same limits, or by this instance's
 * share of them.
 *
 * @since 0.1.0
 */
public final class LocalFallbackStore implements FallbackStore {

	private final LocalRateLimitStore store;

	private final long maxKeys;

	private final FallbackShare share;

	private final Set<Settlement> uncharged = ConcurrentHashMap.newKeySet();

	/**
	 * Create a new fallback store.
	 * @param maxKeys how many keys are counted at once; beyond that the least useful ones
	 * are forgotten, and not charged
	 * @param share the part of each limit that is this instance's, above 0 and up to 1
	 */
	public LocalFallbackStore(long maxKeys, double share) {
		this(maxKeys, share, LocalClock.monotonic());
	}

	/**
	 * Create a new fallback store.
	 * @param maxKeys how many keys are counted at once; beyond that the least useful ones
	 * are forgotten, and not charged
	 * @param share the part of each limit that is this instance's, above 0 and up to 1
	 * @param clock the clock by which calls are counted, in microseconds
	 */
	public LocalFallbackStore(long maxKeys, double share, LongSupplier clock) {
		this(new LocalRateLimitStore(maxKeys, clock), maxKeys, share);
	}

	/**
	 * Create a new fallback store.
	 * @param store where calls are counted
	 */
	LocalFallbackStore(LocalRateLimitStore store, long maxKeys, double share) {
		this.store = store;
		this.maxKeys = maxKeys;
		this.share = new FallbackShare(share);
	}

	@Override
	public void judge(RateLimitRule rule) {
		this.share.judge(rule);
	}

	@Override
	public StoreAnswer acquire(List<Demand> demands) {
		List<Demand> shared = demands.stream().map(this::share).toList();
		StoreAnswer answer = this.store.acquire(shared);
		if (answer.admits(shared)) {
			forEach(shared, answer, (demand, outcomes, time) -> {
				if (demand.cost() > 0) {
					counted(demand, outcomes, time);
				}
			});
		}
		return answer;
	}

	private void counted(Demand demand, List<LimitOutcome> outcomes, long time) {
		Entry entry = this.store.known(demand.counts(), demand.key());
		if (entry == null) {
			return;
		}
		synchronized (entry) {
			Settlement settlement = entry.settlement();
			if (settlement == null) {
				settlement = new Settlement(entry, this.share, this.store, this.uncharged);
				entry.setSettlement(settlement);
			}
			settlement.counted(time + outcomes.stream().mapToLong(LimitOutcome::resetAfter).max().orElseThrow());
		}
		if (this.uncharged.size() > 2 * this.maxKeys) {
			this.uncharged.removeIf((settlement) -> !settlement.isKept());
		}
	}

	@Override
	public Collection<? extends Uncharged> uncharged() {
		return Collections.unmodifiableSet(this.uncharged);
	}

	@Override
	public void learn(List<Demand> demands, StoreAnswer answer) {
		if (this.store.isEmpty()) {
			return;
		}
		long now = this.store.now();
		this.store.tidy(now);
		forEach(demands, answer, (demand, outcomes, time) -> {
			Entry entry = this.store.known(demand.counts(), demand.key());
			Settlement settlement = (entry != null) ? entry.settlement() : null;
			if (settlement != null) {
				settlement.heard(this.share.of(demand.counts()).part(), outcomes, now);
			}
		});
	}

	private static void forEach(List<Demand> demands, StoreAnswer answer, DemandAnswer each) {
		int next = 0;
		for (int i = 0; i < demands.size(); i++) {
			Demand demand = demands.get(i);
			int end = next + demand.rule().limits().size();
			each.accept(demand, answer.outcomes().subList(next, end), answer.time(i));
			next = end;
		}
	}

	@Override
	public StoreAnswer peek(Demand demand) {
		return this.store.look(share(demand));
	}

	@Override
	public void refund(List<Refund> refunds) {
		this.store
			.giveBack(refunds.stream().map((refund) -> new Refund(share(refund.demand()), refund.slot())).toList());
	}

	@Override
	public void reset(RuleCounts counts, StoredKey key) {
		Entry entry = this.store.known(counts, key);
		if (entry != null) {
			synchronized (entry) {
				entry.forget();
				Settlement settlement = entry.settlement();
				if (settlement != null) {
					settlement.reset();
				}
			}
		}
	}

	private Demand share(Demand demand) {
		return demand.withCounts(this.share.of(demand.counts()).part());
	}

	/**
	 * What is done for each demand with what was answered to it.
	 */
	private interface DemandAnswer {

		void accept(Demand demand, List<LimitOutcome> outcomes, long time);

	}

}
