package io.github.ratelimit.engine;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.Limit;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.concurrency.Interleavings;
import io.github.ratelimit.concurrency.Interleavings.Call;
import io.github.ratelimit.store.Correction;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.RuleAnswer;
import io.github.ratelimit.store.RuleCounts;
import io.github.ratelimit.store.RuleVariants;
import io.github.ratelimit.store.StoreAnswer;
import io.github.ratelimit.store.local.LocalRateLimitStore;

/**
 * Remembered denials hide nothing: the calls of several threads get the answers of a
 * store without them, while others refund units or are admitted under a larger plan.
 */
@Tag("in-ci")
@Tag("concurrency")
public class DenyCacheConcurrencyTests {

	private static final int MAX = 2;

	@Test
	void callsAreDecidedAsWithoutTheCache() {
		Interleavings.check(CachedCalls.class, CallsOfTheModel.class);
	}

	@Test
	void denialThatWasUnderWayIsNotFoundAfterARefund() {
		Call remember = new Call("remember");
		Interleavings.check(LateDenial.class, remember,
				List.of(List.of(remember, remember), List.of(new Call("refund"))));
	}

	/**
	 * Denial of a call that was sent before units are refunded.
	 */
	public static class LateDenial {

		private final RuleCounts counts = RuleCounts.of(RateLimitRule.named("rule")
			.limit(Limit.of(MAX, Duration.ofDays(1)).withAlgorithm(Algorithm.FIXED_WINDOW))
			.build());

		private final Demand demand = new Demand(this.counts, "key", MAX);

		private final RuleAnswer denial;

		private final DenyCache cache = new DenyCache(1, Duration.ofSeconds(1), () -> 0);

		public LateDenial() {
			LocalRateLimitStore store = new LocalRateLimitStore(100, () -> 1_700_000_000_000_000L);
			store.acquire(this.demand);
			this.denial = store.acquire(this.demand).get(0);
		}

		@Operation
		public void remember() {
			this.cache.remember(this.denial, 0);
		}

		@Operation
		public void refund() {
			this.cache.forget(this.counts, this.demand.key());
			if (this.cache.find(this.demand) != null) {
				throw new IllegalStateException("A denial hides units that were refunded");
			}
		}

	}

	/**
	 * Calls as {@link Decider} makes them.
	 */
	@Param(name = "cost", gen = IntGen.class, conf = "1:2")
	public static class CachedCalls {

		private final RuleCounts counts = RuleCounts.of(RateLimitRule.named("rule")
			.limit(Limit.of(MAX, Duration.ofDays(1)))
			.algorithm(Algorithm.FIXED_WINDOW)
			.plan("pro", Limit.of(MAX + 1, Duration.ofDays(1)))
			.build());

		private final LocalRateLimitStore store = new LocalRateLimitStore(100, () -> 1_700_000_000_000_000L);

		private final AtomicLong clock = new AtomicLong();

		private final DenyCache cache = new DenyCache(1, Duration.ofSeconds(1), this.clock::incrementAndGet);

		@Operation(params = "cost")
		public boolean call(int cost) {
			return call(this.counts, cost);
		}

		@Operation(params = "cost")
		public boolean callAsPro(int cost) {
			return call(RuleVariants.of(this.counts).under("pro"), cost);
		}

		private boolean call(RuleCounts by, int cost) {
			Demand demand = new Demand(by, "key", cost);
			if (this.cache.find(demand) != null) {
				return false;
			}
			long sent = this.cache.now();
			StoreAnswer answer = this.store.acquire(demand);
			this.cache.decided(answer, sent);
			return answer.isAdmitted();
		}

		@Operation(params = "cost")
		public void refund(int cost) {
			Demand demand = new Demand(this.counts, "key", cost);
			this.store.correct(List.of(Correction.refund(demand, Correction.NEWEST)));
			this.cache.forget(demand.counts(), demand.key());
		}

		@Operation
		public void reset() {
			Demand demand = new Demand(this.counts, "key", 0);
			this.store.reset(demand.counts(), demand.key());
			this.cache.forget(demand.counts(), demand.key());
		}

	}

	/**
	 * Units used of the key.
	 */
	public static class CallsOfTheModel {

		private int used;

		public boolean call(int cost) {
			return call(MAX, cost);
		}

		public boolean callAsPro(int cost) {
			return call(MAX + 1, cost);
		}

		private boolean call(int max, int cost) {
			boolean fits = this.used + cost <= max;
			this.used += fits ? cost : 0;
			return fits;
		}

		public void refund(int cost) {
			this.used -= Math.min(cost, this.used);
		}

		public void reset() {
			this.used = 0;
		}

	}

}
