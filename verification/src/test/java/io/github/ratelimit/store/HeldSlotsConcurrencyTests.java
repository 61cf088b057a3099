package io.github.ratelimit.store;

import java.util.Collection;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Validate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import io.github.ratelimit.Limit;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.concurrency.Interleavings;
import io.github.ratelimit.store.HeldSlots.Held;

/**
 * Call that goes on without the store while the store refuses it, or frees its slots
 * since the answer is lost or another part of the store fails: its slots are followed.
 */
@Tag("in-ci")
@Tag("concurrency")
public class HeldSlotsConcurrencyTests {

	@Test
	void slotsOfACallThatGoesOnAreFollowed() {
		Interleavings.checkFromTheStart(UndecidedCall.class);
	}

	@Test
	void slotsInAStoreWhoseAnswersMayOvertakeEachOtherAreFollowed() {
		Interleavings.checkFromTheStart(OutOfOrder.class);
	}

	/**
	 * Call whose answer has not arrived.
	 */
	public static class UndecidedCall implements HeldSlots.Leases {

		private final Demand call = new Demand(
				RuleCounts.of(RateLimitRule.named("rule").limit(Limit.ofConcurrency(1)).build()), "key", 1);

		private final CompletableFuture<StoreAnswer> answer = new CompletableFuture<>();

		private final Correction refund = Correction.refund(this.call, 0);

		private final AtomicInteger hours = new AtomicInteger();

		private final HeldSlots slots = new HeldSlots(this, () -> TimeUnit.HOURS.toNanos(this.hours.incrementAndGet()),
				(renewal, nanos) -> {
				}, () -> null);

		private volatile boolean runs;

		private volatile boolean isFollowed;

		public UndecidedCall() {
			this.slots.follow(this.call, this.answer);
		}

		@Operation
		public void goOn() {
			this.slots.hold(this.call);
			this.runs = true;
		}

		@Operation
		public void refuse() {
			this.answer.completeExceptionally(new StoreException("unreadable", null, "state", false, "Reset it."));
		}

		@Operation
		public void loseAnswer() {
			this.answer.completeExceptionally(new StoreException("lost", null, "timeout", true, null));
		}

		@Operation
		public void refund() {
			this.slots.end(this.refund);
			this.slots.refunded(this.refund, null);
		}

		@Operation
		public void failToRefund() {
			this.slots.end(this.refund);
			this.slots.refunded(this.refund, new StoreException("gone", null));
		}

		@Operation
		public void renewLeases() {
			this.slots.renewAll();
		}

		@Validate
		public void slotsAreFollowed() {
			renewLeases();
			if (this.runs && !this.isFollowed) {
				throw new IllegalStateException("Nobody follows the slots of a running call");
			}
		}

		@Override
		public CompletableFuture<Void> renew(Collection<Held> held, long now) {
			held.forEach((each) -> each.forgetFreed(now, false));
			held.stream().filter(Held::hasEnded).forEach(Held::freed);
			this.isFollowed = held.stream().anyMatch(Held::beginCheck);
			return CompletableFuture.completedFuture(null);
		}

		@Override
		public CompletableFuture<Void> end(Collection<Held> held) {
			return CompletableFuture.completedFuture(null);
		}

		@Override
		public boolean areInOrder() {
			return true;
		}

	}

	/**
	 * The same in a store that may still take slots after it has freed them.
	 */
	public static class OutOfOrder extends UndecidedCall {

		@Override
		public boolean areInOrder() {
			return false;
		}

	}

}
