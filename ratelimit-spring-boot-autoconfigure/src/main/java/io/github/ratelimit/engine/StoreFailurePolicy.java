package io.github.ratelimit.engine;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicBoolean;

import io.github.ratelimit.Decision;
import io.github.ratelimit.Mode;
import io.github.ratelimit.OnStoreFailure;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.RateLimiterUnavailableException;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.RateLimitStore;
import io.github.ratelimit.store.Refund;
import io.github.ratelimit.store.StoreException;

/**
 * Who answers when the store cannot. Of the rules of one call the strictest policy wins:
 * one {@code deny} denies, and of the others those with {@code local} are counted inside
 * this process.
 *
 * @since 0.1.0
 */
public final class StoreFailurePolicy {

	private static final Logger logger = System.getLogger(StoreFailurePolicy.class.getName());

	private final OnStoreFailure defaultPolicy;

	private final RateLimitStore local;

	private final AtomicBoolean failing = new AtomicBoolean();

	/**
	 * Create a new policy.
	 * @param defaultPolicy what holds for rules that do not say
	 * @param local where calls are counted meanwhile
	 */
	public StoreFailurePolicy(OnStoreFailure defaultPolicy, RateLimitStore local) {
		this.defaultPolicy = defaultPolicy;
		this.local = local;
	}

	Reservation decide(List<Demand> demands, StoreException failure) {
		storeFailed(failure);
		for (Demand demand : demands) {
			if (policy(demand.rule()) == OnStoreFailure.DENY) {
				throw unavailable(demand.rule(), failure);
			}
		}
		List<Demand> counted = demands.stream()
			.filter((demand) -> policy(demand.rule()) == OnStoreFailure.LOCAL)
			.toList();
		return counted.isEmpty() ? Reservation.uncounted(demands.get(0), Decision.Origin.FALLBACK)
				: Reservation.of(counted, this.local.acquire(counted), this.local, Decision.Origin.FALLBACK);
	}

	/**
	 * Take units back where they were counted meanwhile.
	 */
	void giveBack(List<Refund> refunds, StoreException failure) {
		storeFailed(failure);
		for (Refund refund : refunds) {
			if (policy(refund.demand().rule()) == OnStoreFailure.DENY) {
				throw unavailable(refund.demand().rule(), failure);
			}
		}
		this.local.giveBack(refunds);
	}

	RateLimiterUnavailableException unavailable(RateLimitRule rule, StoreException failure) {
		return new RateLimiterUnavailableException(rule.name(), failure);
	}

	void reset(RateLimitRule rule, String key) {
		this.local.reset(rule, key);
	}

	/**
	 * A rule in shadow mode denies nothing, so neither does its policy.
	 */
	private OnStoreFailure policy(RateLimitRule rule) {
		OnStoreFailure own = rule.onStoreFailure();
		OnStoreFailure policy = (own != null) ? own : this.defaultPolicy;
		return (policy == OnStoreFailure.DENY && rule.mode() == Mode.SHADOW) ? OnStoreFailure.ALLOW : policy;
	}

	void storeFailed(StoreException failure) {
		boolean interrupted = failure.getCause() instanceof InterruptedException;
		if (!interrupted && this.failing.compareAndSet(false, true)) {
			logger.log(Level.WARNING,
					"The store of rate limits cannot answer (" + failure.getMessage()
							+ "). Until it can, rules follow their on-store-failure policy, by default "
							+ this.defaultPolicy.name().toLowerCase(Locale.ROOT) + ".");
		}
	}

	void storeAnswered() {
		if (this.failing.get() && this.failing.compareAndSet(true, false)) {
			logger.log(Level.INFO, "The store of rate limits answers again.");
		}
	}

}
