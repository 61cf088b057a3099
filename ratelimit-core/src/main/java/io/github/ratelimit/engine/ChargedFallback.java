package io.github.ratelimit.engine;

import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

import io.github.ratelimit.Decision;
import io.github.ratelimit.OnStoreFailure;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.RateLimiterUnavailableException;
import io.github.ratelimit.store.Correction;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.Demands;
import io.github.ratelimit.store.FallbackStore;
import io.github.ratelimit.store.FallbackStore.Uncharged;
import io.github.ratelimit.store.RuleAnswer;
import io.github.ratelimit.store.RuleCounts;
import io.github.ratelimit.store.StoreAnswer;
import io.github.ratelimit.store.StoreException;
import io.github.ratelimit.store.StoredKey;

/**
 * Decisions without the store, by the failure policies of the rules, and the fallback
 * whose counts are charged to the store as soon as that answers.
 */
final class ChargedFallback implements TakenUnits.Target {

	private final FallbackStore fallback;

	private final Collection<? extends Uncharged> uncharged;

	private final FallbackCharges charges;

	private final StoreRecovery recovery;

	private final StoreFailurePolicy policy;

	private final boolean previews;

	/**
	 * Create a new instance.
	 * @param recovery takes over what calls hold that run
	 */
	ChargedFallback(FallbackStore fallback, FallbackCharges charges, StoreRecovery recovery,
			StoreFailurePolicy policy) {
		this(fallback, charges, recovery, policy, false);
	}

	private ChargedFallback(FallbackStore fallback, FallbackCharges charges, StoreRecovery recovery,
			StoreFailurePolicy policy, boolean previews) {
		this.previews = previews;
		this.fallback = fallback;
		this.uncharged = fallback.uncharged();
		this.charges = charges;
		this.recovery = recovery;
		this.policy = policy;
	}

	/**
	 * Return the same fallback, whose calls get the answer that they would get now and
	 * are not counted.
	 */
	ChargedFallback previewing() {
		return new ChargedFallback(this.fallback, this.charges, this.recovery, this.policy, true);
	}

	/**
	 * Return whether the fallback decides a call although the store may answer it: what
	 * it has counted of a key has not been charged yet. A call that also has rules of
	 * other policies is decided by the store, since the fallback does not count those.
	 */
	boolean decides(Demands demands) {
		if (this.uncharged.isEmpty()) {
			return false;
		}
		boolean decides = false;
		for (int i = 0; i < demands.size() && !decides; i++) {
			decides = this.fallback.hasUncharged(demands.get(i));
		}
		return decides && demands.asList().stream().allMatch((demand) -> has(OnStoreFailure.LOCAL, demand.rule()));
	}

	boolean has(OnStoreFailure policy, RateLimitRule rule) {
		return this.policy.effective(rule) == policy;
	}

	/** Refuse a rule that the fallback would have to count, but cannot. */
	void validate(RateLimitRule rule) {
		if (this.policy.of(rule) == OnStoreFailure.LOCAL) {
			this.fallback.validate(rule);
		}
	}

	/**
	 * Decide a call that the store cannot answer.
	 * @param taken refunds units of the fallback
	 * @throws RateLimiterUnavailableException if one of its rules denies it then
	 */
	DecidedCall decideWithoutStore(Demands demands, StoreException failure, DecisionReport report, TakenUnits taken) {
		Demands denied = only(OnStoreFailure.DENY, demands);
		if (!denied.isEmpty()) {
			denied.asList().forEach(report::refused);
			throw new RateLimiterUnavailableException(denied.get(0).rule().name(), failure);
		}
		Demands counted = only(OnStoreFailure.LOCAL, demands);
		DecidedCall decided = counted.isEmpty() ? DecidedCall.uncounted(demands.get(0), Decision.Origin.FALLBACK)
				: decide(counted, report, taken);
		if (decided.isAllowed()) {
			only(OnStoreFailure.ALLOW, demands).asList().forEach(report::uncounted);
		}
		return decided;
	}

	private Demands only(OnStoreFailure policy, Demands demands) {
		return demands.filter((demand) -> has(policy, demand.rule()));
	}

	/**
	 * Decide a call.
	 * @param taken refunds units of the fallback
	 */
	DecidedCall decide(Demands demands, DecisionReport report, TakenUnits taken) {
		StoreAnswer answer = acquire(demands);
		try {
			report.counted(answer, Decision.Origin.FALLBACK);
			return DecidedCall.of(answer, Decision.Origin.FALLBACK, taken);
		}
		catch (Throwable ex) { // no memory, and nobody else knows of the units
			taken.refund(answer, false);
			throw ex;
		}
	}

	StoreAnswer acquire(Demands demands) {
		if (this.previews) {
			return this.fallback.preview(demands);
		}
		StoreAnswer answer = this.fallback.acquire(demands);
		this.charges.counted(demands);
		if (answer.isAdmitted()) {
			this.recovery.hold(demands);
		}
		return answer;
	}

	RuleAnswer peek(Demand demand) {
		return this.fallback.peek(demand);
	}

	@Override
	public CompletionStage<?> correct(List<Correction> corrections) {
		this.fallback.correct(corrections);
		this.charges.counted(Demands.of(corrections.stream().map(Correction::demand).toList()));
		this.recovery.free(corrections);
		return CompletableFuture.completedFuture(null);
	}

	/** Return whether some counts are to be charged, or are being charged. */
	boolean charges() {
		return !this.uncharged.isEmpty();
	}

	void reset(RuleCounts counts, StoredKey key) {
		this.fallback.reset(counts, key);
	}

}
