package io.github.ratelimit.engine;

import java.time.Duration;
import java.util.List;
import java.util.function.LongSupplier;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import org.jspecify.annotations.Nullable;

import io.github.ratelimit.Decision;
import io.github.ratelimit.Limit;
import io.github.ratelimit.LimitStatus;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.store.Demand;

/**
 * Denials that are known to hold still, so that the store need not be asked: a call that
 * was denied for some time is denied until that time has passed since it was sent, unless
 * units are given back or the rule is changed. What other instances give back meanwhile
 * is not seen, so a denial is kept for a short time only.
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
		this.denials = Caffeine.newBuilder().maximumSize(maxSize).build();
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
		return (denial != null && denial.concerns(demand)) ? denial.at(now()) : null;
	}

	/**
	 * Take note of a decision. Calls over several rules are not remembered: what denied
	 * them is one of the rules, and the others may change. Nor is a denial that was on
	 * its way while something was given back: it may have been made before that.
	 * @param sent when it was asked for
	 */
	void remember(List<Demand> demands, Decision decision, long sent) {
		if (!decision.allowed() && demands.size() == 1
				&& demands.get(0).rule().limits().stream().noneMatch(Limit::countDenied)) {
			Duration holds = (decision.retryAfter().compareTo(this.maxTtl) < 0) ? decision.retryAfter() : this.maxTtl;
			Key key = Key.of(demands.get(0));
			this.denials.put(key, new Denial(demands.get(0), decision, now(), sent + holds.toNanos()));
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
	 * @param demand what was denied
	 * @param decision what was answered
	 * @param received when
	 * @param until how long it holds
	 */
	private record Denial(Demand demand, Decision decision, long received, long until) {

		/**
		 * A changed rule is another one.
		 */
		boolean concerns(Demand asked) {
			return this.demand.rule() == asked.rule() && this.demand.cost() == asked.cost()
					&& this.demand.maxWait().equals(asked.maxWait());
		}

		/**
		 * The denial as it is told later. Times are told from when the answer came: who
		 * comes back then is not too early.
		 */
		@Nullable Decision at(long now) {
			if (now - this.until >= 0) {
				return null;
			}
			Duration elapsed = Duration.ofNanos(now - this.received);
			List<LimitStatus> limits = limitsAfter(elapsed);
			return new Decision(false, this.decision.rule(), this.decision.limit(), this.decision.remaining(),
					rest(this.decision.retryAfter(), elapsed), rest(this.decision.resetAfter(), elapsed), Duration.ZERO,
					Decisions.violated(limits), limits, Decision.Origin.DENY_CACHE);
		}

		private List<LimitStatus> limitsAfter(Duration elapsed) {
			List<LimitStatus> before = this.decision.limits();
			if (before.size() == 1) {
				return List.of(at(before.get(0), elapsed));
			}
			LimitStatus[] after = new LimitStatus[before.size()];
			for (int i = 0; i < after.length; i++) {
				after[i] = at(before.get(i), elapsed);
			}
			return List.of(after);
		}

		private static LimitStatus at(LimitStatus status, Duration elapsed) {
			return new LimitStatus(status.name(), status.max(), status.capacity(), status.period(), status.remaining(),
					rest(status.retryAfter(), elapsed), rest(status.resetAfter(), elapsed));
		}

		private static Duration rest(Duration time, Duration elapsed) {
			if (time.equals(Decision.NEVER)) {
				return time;
			}
			return (time.compareTo(elapsed) > 0) ? time.minus(elapsed) : Duration.ZERO;
		}

	}

}
