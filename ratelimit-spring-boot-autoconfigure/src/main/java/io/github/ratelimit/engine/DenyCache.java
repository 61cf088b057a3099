package io.github.ratelimit.engine;

import java.time.Duration;
import java.util.List;
import java.util.function.LongSupplier;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import org.jspecify.annotations.Nullable;

import io.github.ratelimit.Decision;
import io.github.ratelimit.Limit;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.StoreAnswer;

/**
 * Denials that are known to hold still, so that the store need not be asked: a call that
 * was denied for some time is denied until that time has passed since it was sent, unless
 * units are given back or the rule is changed. What other instances give back meanwhile
 * is not seen, so a denial is kept for a short time only.
 *
 * <p>
 * Whoever adds a denial also tidies up: under an attack there are thousands per second,
 * and waking another thread for each costs more than the work itself.
 *
 * @since 0.1.0
 */
public final class DenyCache {

	private final Cache<Key, Denial> denials;

	private final Duration maxTtl;

	private final LongSupplier clock;

	private volatile long lastForgotten;

	/**
	 * Create a new cache.
	 * @param maxSize how many denials are kept, also those that hold no more; beyond that
	 * the least useful ones are dropped
	 * @param maxTtl how long a denial is kept at most
	 */
	public DenyCache(long maxSize, Duration maxTtl) {
		this(maxSize, maxTtl, System::nanoTime);
	}

	/**
	 * Create a new cache.
	 * @param clock nanoseconds, as of {@link System#nanoTime()}
	 */
	DenyCache(long maxSize, Duration maxTtl, LongSupplier clock) {
		this.denials = Caffeine.newBuilder().maximumSize(maxSize).executor(Runnable::run).build();
		this.maxTtl = maxTtl;
		this.clock = clock;
		this.lastForgotten = now() - 1;
	}

	/**
	 * The time, to be taken before a call is sent.
	 */
	long now() {
		return this.clock.getAsLong();
	}

	/**
	 * What is known of a call.
	 * @return a denial, or {@code null} if the store has to be asked
	 */
	@Nullable Decision find(List<Demand> demands) {
		if (demands.size() > 1) {
			return null;
		}
		Demand demand = demands.get(0);
		Denial denial = this.denials.getIfPresent(Key.of(demand));
		return (denial != null && denial.concerns(demand)) ? denial.at(now(), demands) : null;
	}

	/**
	 * Take note of a decision. Calls over several rules are not remembered: what denied
	 * them is one of the rules, and the others may change. Nor is a denial that was on
	 * its way while something was given back: it may have been made before that.
	 * @param answer what the store said
	 * @param decision the same as one decision
	 * @param sent when it was asked for
	 */
	void remember(List<Demand> demands, StoreAnswer answer, Decision decision, long sent) {
		if (!decision.allowed() && demands.size() == 1
				&& demands.get(0).rule().limits().stream().noneMatch(Limit::countDenied)) {
			Duration holds = (decision.retryAfter().compareTo(this.maxTtl) < 0) ? decision.retryAfter() : this.maxTtl;
			Demand demand = demands.get(0);
			Key key = Key.of(demand);
			this.denials.put(key,
					new Denial(demand.rule(), demand.cost(), demand.maxWait(), answer, now(), sent + holds.toNanos()));
			if (this.lastForgotten - sent >= 0) {
				this.denials.invalidate(key);
			}
		}
	}

	/**
	 * Forget what is known of a key, because units of it were given back.
	 */
	void forget(RateLimitRule rule, String key) {
		this.lastForgotten = now();
		this.denials.invalidate(new Key(rule.name(), key));
	}

	private record Key(String rule, String key) {

		static Key of(Demand demand) {
			return new Key(demand.rule().name(), demand.key());
		}

	}

	/**
	 * A denial.
	 *
	 * @param rule the rule
	 * @param cost what was asked for
	 * @param maxWait how long the call would have waited
	 * @param answer what the store said
	 * @param received when
	 * @param until how long it holds
	 */
	private record Denial(RateLimitRule rule, long cost, Duration maxWait, StoreAnswer answer, long received,
			long until) {

		/**
		 * A changed rule is another one.
		 */
		boolean concerns(Demand asked) {
			return this.rule == asked.rule() && this.cost == asked.cost() && this.maxWait.equals(asked.maxWait());
		}

		/**
		 * The denial as it is told later. Times are told from when the answer came: who
		 * comes back then is not too early.
		 */
		@Nullable Decision at(long now, List<Demand> asked) {
			return (now - this.until >= 0) ? null
					: Decisions.of(asked, this.answer.after((now - this.received) / 1000), Decision.Origin.DENY_CACHE);
		}

	}

}
