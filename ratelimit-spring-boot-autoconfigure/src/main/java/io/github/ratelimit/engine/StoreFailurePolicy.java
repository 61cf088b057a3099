package io.github.ratelimit.engine;

import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;

import io.github.ratelimit.Decision;
import io.github.ratelimit.Mode;
import io.github.ratelimit.OnStoreFailure;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.RateLimiterUnavailableException;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.Refund;
import io.github.ratelimit.store.FallbackStore;
import io.github.ratelimit.store.RuleCounts;
import io.github.ratelimit.store.StoreAnswer;
import io.github.ratelimit.store.StoreException;
import io.github.ratelimit.store.StoredKey;

/**
 * Who answers when the store cannot. Of the rules of one call the strictest policy wins:
 * one {@code deny} denies, and of the others those with {@code local} are counted inside
 * this process.
 *
 * @since 0.1.0
 */
public final class StoreFailurePolicy {

	private static final int REHEARSALS = 2_000;

	private final OnStoreFailure defaultPolicy;

	private final FallbackStore fallback;

	private final Consumer<List<Demand>> whenCounted;

	/**
	 * Create a new policy.
	 * @param defaultPolicy what holds for rules that do not say
	 * @param fallback where calls are counted meanwhile
	 */
	public StoreFailurePolicy(OnStoreFailure defaultPolicy, FallbackStore fallback) {
		this(defaultPolicy, fallback, (demands) -> {
		});
	}

	private StoreFailurePolicy(OnStoreFailure defaultPolicy, FallbackStore fallback,
			Consumer<List<Demand>> whenCounted) {
		this.defaultPolicy = defaultPolicy;
		this.fallback = fallback;
		this.whenCounted = whenCounted;
	}

	/**
	 * This policy, of which somebody learns what the fallback has counted.
	 */
	StoreFailurePolicy whenCounted(Consumer<List<Demand>> action) {
		return new StoreFailurePolicy(this.defaultPolicy, this.fallback, action);
	}

	FallbackStore fallback() {
		return this.fallback;
	}

	/**
	 * Refuse a rule that the fallback would have to count, but cannot.
	 */
	void judge(RateLimitRule rule) {
		if (policy(rule) == OnStoreFailure.LOCAL) {
			this.fallback.judge(rule);
		}
	}

	String byDefault() {
		return this.defaultPolicy.name().toLowerCase(Locale.ROOT);
	}

	/**
	 * Decide some calls that take nothing, so that the first ones for which it matters
	 * find classes loaded and code compiled.
	 */
	void rehearse(Demand demand, StoreException failure, DecisionReport report, RulesInForce rulesInForce) {
		for (int i = 0; i < REHEARSALS; i++) {
			decide(List.of(demand), failure, report, rulesInForce);
		}
	}

	Reservation decide(List<Demand> demands, StoreException failure, DecisionReport report, RulesInForce rulesInForce) {
		List<Demand> denied = those(OnStoreFailure.DENY, demands);
		if (!denied.isEmpty()) {
			denied.forEach(report::refused);
			throw unavailable(denied.get(0).rule(), failure);
		}
		Reservation reservation = count(those(OnStoreFailure.LOCAL, demands), demands.get(0), report, rulesInForce);
		if (reservation.isAllowed()) {
			those(OnStoreFailure.ALLOW, demands).forEach(report::uncounted);
		}
		return reservation;
	}

	private Reservation count(List<Demand> demands, Demand first, DecisionReport report, RulesInForce rulesInForce) {
		if (demands.isEmpty()) {
			return Reservation.uncounted(first, Decision.Origin.FALLBACK);
		}
		StoreAnswer answer = this.fallback.acquire(demands);
		this.whenCounted.accept(demands);
		Reservation reservation = Reservation.of(demands, answer, this.fallback, rulesInForce);
		report.counted(demands, answer, reservation);
		return reservation;
	}

	private List<Demand> those(OnStoreFailure policy, List<Demand> demands) {
		return demands.stream().filter((demand) -> policy(demand.rule()) == policy).toList();
	}

	/**
	 * What a call would be told meanwhile, of the limits that are counted.
	 */
	Decision look(Demand demand) {
		return (policy(demand.rule()) == OnStoreFailure.LOCAL)
				? Decisions.of(List.of(demand), this.fallback.look(demand), Decision.Origin.FALLBACK)
				: Decisions.uncounted(demand, Decision.Origin.FALLBACK);
	}

	/**
	 * Take units back where they were counted meanwhile.
	 */
	void giveBack(List<Refund> refunds, StoreException failure) {
		for (Refund refund : refunds) {
			if (policy(refund.demand().rule()) == OnStoreFailure.DENY) {
				throw unavailable(refund.demand().rule(), failure);
			}
		}
		this.fallback.giveBack(refunds);
	}

	RateLimiterUnavailableException unavailable(RateLimitRule rule, StoreException failure) {
		return new RateLimiterUnavailableException(rule.name(), failure);
	}

	void reset(RuleCounts counts, StoredKey key) {
		this.fallback.reset(counts, key);
	}

	/**
	 * A rule in shadow mode denies nothing, so neither does its policy.
	 */
	private OnStoreFailure policy(RateLimitRule rule) {
		OnStoreFailure own = rule.onStoreFailure();
		OnStoreFailure policy = (own != null) ? own : this.defaultPolicy;
		return (policy == OnStoreFailure.DENY && rule.mode() == Mode.SHADOW) ? OnStoreFailure.ALLOW : policy;
	}

}
