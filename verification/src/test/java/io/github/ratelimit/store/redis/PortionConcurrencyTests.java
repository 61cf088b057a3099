package io.github.ratelimit.store.redis;

import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;

import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.Validate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.algorithm.Count;
import io.github.ratelimit.concurrency.Interleavings;
import io.github.ratelimit.concurrency.Interleavings.Call;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.LimitOutcome;
import io.github.ratelimit.store.RuleAnswer;
import io.github.ratelimit.store.RuleCounts;
import io.github.ratelimit.store.redis.Portions.Portion;

/**
 * Units of portions that calls take and refund while portions are added, end and are used
 * up: each unit is paid once, or refunded to Redis once.
 */
@Tag("in-ci")
@Tag("concurrency")
public class PortionConcurrencyTests {

	private static final long LIFETIME_MICROS = 20_000;

	@Test
	void everyUnitIsPaidOrRefundedOnce() {
		Interleavings.check(PortionsOfOneKey.class);
	}

	@Test
	void unitThatIsRefundedWhileItsPortionIsLeftIsNotLost() {
		Call refunded = new Call("callThatIsRefunded", 1);
		Interleavings.check(PortionsOfOneKey.class, new Call("fetch", 1),
				List.of(List.of(new Call("fetch", 1), new Call("fetch", 3)), List.of(refunded, refunded)));
	}

	/**
	 * Portions of one key, as {@link Stock} holds them.
	 */
	@Param(name = "units", gen = IntGen.class, conf = "1:3")
	@Param(name = "cost", gen = IntGen.class, conf = "1:2")
	public static class PortionsOfOneKey {

		private final RuleCounts counts = RuleCounts.of(RateLimitRule.named("rule")
			.limit(100, Duration.ofHours(1))
			.algorithm(Algorithm.SLIDING_LOG)
			.prefetch(Duration.ofMillis(20))
			.build());

		private final Queue<Portion> added = new ConcurrentLinkedQueue<>();

		private final AtomicLong fetched = new AtomicLong();

		private final AtomicLong paid = new AtomicLong();

		private final AtomicLong refunded = new AtomicLong();

		private volatile long now;

		private final Portions portions = new Portions(() -> this.now,
				(unused) -> this.refunded.addAndGet(unused.demand().cost()));

		private RuleAnswer pay(long cost) {
			return this.portions.pay(new Demand(this.counts, "key", cost));
		}

		@Operation(params = "cost")
		public void call(int cost) {
			if (pay(cost) != null) {
				this.paid.addAndGet(cost);
			}
		}

		@Operation(params = "cost")
		public void callThatIsRefunded(int cost) {
			RuleAnswer answer = pay(cost);
			if (answer != null && this.portions.refund(answer.time(), cost) == 0) {
				this.paid.addAndGet(cost);
			}
		}

		@Operation(params = "cost")
		public void refundNewest(int cost) {
			this.paid.addAndGet(-this.portions.refund(Count.NEWEST, cost));
		}

		@Operation(params = "units")
		public void fetch(int units) {
			long id = this.fetched.get();
			long sent = this.now;
			RuleAnswer answer = RuleAnswer.of(new Demand(this.counts, "key", 1), 5_000_000 + sent / 1000 + id,
					(limit) -> new LimitOutcome(90, 0, 3_600_000_000L));
			Portion portion = new Portion(id, answer, new LimitOutcome(units, 0, LIFETIME_MICROS), units, sent, sent);
			this.fetched.addAndGet(units);
			if (this.portions.add(portion)) {
				this.added.add(portion);
			}
			else {
				this.refunded.addAndGet(portion.close());
			}
		}

		@Operation
		public void end() {
			Portion oldest = this.added.poll();
			if (oldest != null) {
				this.refunded.addAndGet(oldest.close());
				this.portions.remove(oldest);
			}
		}

		@Operation
		public void useUp() {
			this.portions.usedUp();
		}

		@Operation(nonParallelGroup = "clock")
		public void passTime() {
			this.now += LIFETIME_MICROS * 1000 / 2;
		}

		@Validate
		public void noUnitIsLost() {
			for (Portion portion : this.added) {
				this.refunded.addAndGet(portion.close());
				this.portions.remove(portion);
			}
			if (this.fetched.get() != this.paid.get() + this.refunded.get()) {
				throw new IllegalStateException(this.fetched + " units were fetched, " + this.paid + " paid and "
						+ this.refunded + " refunded");
			}
		}

	}

}
