package io.github.ratelimit.store.local;

import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;

import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.store.Correction;
import io.github.ratelimit.store.Correction.Kind;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.Demands;
import io.github.ratelimit.store.FallbackStore;
import io.github.ratelimit.store.RuleAnswer;
import io.github.ratelimit.store.RuleCounts;
import io.github.ratelimit.store.RuleVariants;
import io.github.ratelimit.store.StoreAnswer;
import io.github.ratelimit.store.StoredKey;
import org.jspecify.annotations.Nullable;

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

	private final Set<UnchargedKey> journal = ConcurrentHashMap.newKeySet();

	/**
	 * Create a new fallback store.
	 * @param maxKeys how many keys are counted at once; beyond that, approximately the
	 * least recently used ones are forgotten, and not charged
	 * @param share the part of each limit that is this instance's, above 0 and up to 1
	 */
	public LocalFallbackStore(long maxKeys, double share) {
		this(maxKeys, share, LocalClock.monotonic());
	}

	public LocalFallbackStore(long maxKeys, double share, LongSupplier clock) {
		this(new LocalRateLimitStore(maxKeys, clock), maxKeys, share);
	}

	LocalFallbackStore(LocalRateLimitStore store, long maxKeys, double share) {
		this.store = store;
		this.maxKeys = maxKeys;
		this.share = new FallbackShare(share);
	}

	@Override
	public void validate(RateLimitRule rule) {
		this.share.validate(rule);
	}

	@Override
	public StoreAnswer acquire(Demands demands) {
		StoreAnswer answer = this.store
			.acquireUntried(demands.map((demand) -> demand.withCounts(this.share.ofLatest(demand.counts()))));
		if (answer.isAdmitted()) {
			for (int i = 0; i < demands.size(); i++) {
				counted(answer.get(i).demand(), demands.get(i).counts());
			}
		}
		return to(demands, answer);
	}

	private static StoreAnswer to(Demands demands, StoreAnswer answer) {
		return StoreAnswer
			.of(IntStream.range(0, demands.size()).mapToObj((i) -> answer.get(i).to(demands.get(i))).toList());
	}

	@Override
	public StoreAnswer preview(Demands demands) {
		return to(demands, this.store.preview(demands.map(this::share)));
	}

	private void counted(Demand demand, RuleCounts whole) {
		Entry entry = (demand.cost() > 0) ? this.store.known(demand.counts(), demand.key()) : null;
		if (entry == null) {
			return;
		}
		synchronized (entry) {
			UnchargedKey uncharged = entry.uncharged();
			if (uncharged == null) {
				uncharged = new UnchargedKey(entry, RuleVariants.of(whole).withoutClass(), this.share, this.store::now,
						this.journal);
				entry.setUncharged(uncharged);
			}
			uncharged.counted(RuleVariants.of(whole).withoutClass());
		}
		if (this.journal.size() > 2 * this.maxKeys) {
			this.journal.removeIf((uncharged) -> !uncharged.isKept());
		}
	}

	@Override
	public boolean hasUncharged(Demand demand) {
		UnchargedKey uncharged = uncharged(demand);
		return uncharged != null && uncharged.isUncharged();
	}

	private @Nullable UnchargedKey uncharged(Demand demand) {
		Entry entry = this.store.known(demand.counts(), demand.key());
		return (entry != null) ? entry.uncharged() : null;
	}

	@Override
	public Collection<? extends Uncharged> uncharged() {
		return Collections.unmodifiableSet(this.journal);
	}

	@Override
	public boolean chargeAgain(Demand demand) {
		UnchargedKey uncharged = uncharged(demand);
		return uncharged != null && uncharged.chargeAgain();
	}

	@Override
	public void tidy() {
		this.store.tidy();
	}

	@Override
	public RuleAnswer peek(Demand demand) {
		return this.store.peek(share(demand)).to(demand);
	}

	/** Correct what rules have counted. Their candidates decide no call here. */
	@Override
	public void correct(List<Correction> corrections) {
		corrections.stream().filter((each) -> each.demand().counts().candidateId() == null).forEach(this::correct);
	}

	private void correct(Correction correction) {
		Demand demand = correction.demand();
		Correction part = correction.withDemand(share(demand));
		boolean isRefund = correction.kind() == Kind.REFUND;
		UnchargedKey uncharged = isRefund ? uncharged(demand) : null;
		if (uncharged != null) {
			uncharged.refund(part);
			return;
		}
		this.store.correct(List.of(part));
		if (!isRefund) {
			counted(part.demand(), demand.counts());
		}
	}

	@Override
	public void reset(RuleCounts counts, StoredKey key) {
		Entry entry = this.store.known(counts, key);
		if (entry != null) {
			synchronized (entry) {
				entry.reset(this.store.now());
				UnchargedKey uncharged = entry.uncharged();
				if (uncharged != null) {
					uncharged.reset();
				}
			}
		}
	}

	private Demand share(Demand demand) {
		return demand.withCounts(this.share.of(demand.counts()));
	}

}
