package io.github.ratelimit.store;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import io.github.ratelimit.Headroom;
import io.github.ratelimit.Limit;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.engine.RecordedLog;
import io.github.ratelimit.store.HeldSlots.Held;
import io.github.ratelimit.store.HeldSlots.Leases;
import io.github.ratelimit.store.HeldSlots.State;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Slots of calls, by a clock that stands still, in a store that answers when a test does.
 */
class HeldSlotsTests {

	private static final Duration SECOND = Duration.ofSeconds(1);

	private static final Duration LATER = Duration.ofHours(1);

	private static final StoreException REFUSAL = new StoreException("unreadable", null, "state", false, "Reset it.");

	private static final RuleCounts RULE = RuleCounts
		.of(RateLimitRule.named("export").limit(Limit.ofConcurrency(1).withLease(Duration.ofSeconds(30))).build());

	private final Demand call = new Demand(RULE, "ann", 1);

	private final CompletableFuture<StoreAnswer> decided = new CompletableFuture<>();

	private final List<CompletableFuture<State>> sent = new ArrayList<>();

	private final List<String> lost = new ArrayList<>();

	private final RemoteStore.Events events = StoreEvents.ofLostSlots(this.lost::add);

	private final NavigableMap<Long, Runnable> timers = new TreeMap<>();

	private long now;

	private boolean withoutTimer;

	private final HeldSlots slots = new HeldSlots(Leases.perCall((demand, renewal) -> {
		this.sent.add(new CompletableFuture<>());
		return this.sent.get(this.sent.size() - 1);
	}), () -> this.now, this::schedule, () -> this.events);

	private List<Held> renewed = List.of();

	/**
	 * Slots in a store whose answers may overtake each other.
	 */
	private final HeldSlots unordered = new HeldSlots(new Leases() {

		@Override
		public CompletableFuture<Void> renew(Collection<Held> slots, long now) {
			HeldSlotsTests.this.renewed = List.copyOf(slots);
			return new CompletableFuture<>();
		}

		@Override
		public CompletableFuture<Void> end(Collection<Held> slots) {
			return new CompletableFuture<>();
		}

	}, () -> this.now, (task, nanos) -> {
	}, () -> this.events);

	private void schedule(Runnable task, long nanos) {
		if (this.withoutTimer) {
			throw new InternalError("no timer");
		}
		this.timers.merge(this.now + nanos, task, (one, other) -> () -> {
			one.run();
			other.run();
		});
	}

	private RuleAnswer answer(long wait) {
		return RuleAnswer.of(this.call, 0, new LimitOutcome(0, wait, 1));
	}

	/**
	 * Let the timers of some time run, and return how many calls were sent so far.
	 */
	private int sentAfter(Duration time) {
		long end = this.now + time.toNanos();
		while (!this.timers.isEmpty() && this.timers.firstKey() <= end) {
			Map.Entry<Long, Runnable> next = this.timers.pollFirstEntry();
			this.now = next.getKey();
			next.getValue().run();
		}
		this.now = end;
		return this.sent.size();
	}

	private Refund end() {
		Correction refund = Correction.refund(this.call, 0);
		this.slots.end(refund);
		return (failure) -> this.slots.refunded(refund, failure);
	}

	@Test
	void callThatIsNotDecidedIsNotRenewed() {
		this.slots.follow(this.call, this.decided);
		assertThat(sentAfter(LATER)).isZero();
		this.decided.complete(answer(1));
		assertThat(sentAfter(LATER)).as("denied").isZero();
	}

	@Test
	void callOfAClassThatRunsHoldsItsSlotsInTheWholeCapacity() {
		RuleCounts classes = RuleCounts.of(RateLimitRule.named("export")
			.limit(Limit.ofConcurrency(4))
			.headroom("low", Headroom.ofUnits(3))
			.build());
		Demand low = new Demand(classes, "ann", 1).withPriority("low").belowHeadroom();
		assertThat(low.rule().limits().get(0).max()).isEqualTo(1);
		this.unordered.hold(low);
		this.unordered.renewAll();
		assertThat(this.renewed).singleElement()
			.satisfies((held) -> assertThat(held.demand().rule().limits().get(0).max()).isEqualTo(4));
	}

	@Test
	void callUnderAPlanHoldsItsSlotsInTheCapacityOfThePlan() {
		RuleCounts own = RuleCounts.of(RateLimitRule.named("export")
			.limit(Limit.ofConcurrency(4))
			.plan("free", Limit.ofConcurrency(2))
			.build());
		this.unordered.hold(new Demand(RuleVariants.of(own).under("free"), "ann", 1));
		this.unordered.renewAll();
		assertThat(this.renewed).singleElement()
			.satisfies((held) -> assertThat(held.demand().rule().limits().get(0).max()).isEqualTo(2));
	}

	@Test
	void leaseIsRenewedThreeTimes() {
		this.slots.follow(this.call, this.decided);
		this.decided.complete(answer(0));
		assertThat(sentAfter(Duration.ofMillis(9_999))).isZero();
		assertThat(sentAfter(Duration.ofMillis(1))).isEqualTo(1);
		assertThat(sentAfter(LATER)).as("not answered").isEqualTo(1);
		this.sent.get(0).complete(State.HELD);
		for (int i = 2; i < 20; i++) {
			assertThat(sentAfter(Duration.ofSeconds(10))).isEqualTo(i);
			this.sent.get(i - 1).complete(State.HELD);
		}
	}

	@Test
	void renewalThatFailedIsRepeatedSoon() {
		this.slots.follow(this.call, this.decided);
		this.decided.complete(answer(0));
		sentAfter(Duration.ofSeconds(10));
		this.sent.get(0).completeExceptionally(new StoreException("gone", null));
		assertThat(sentAfter(Duration.ofMillis(999))).isEqualTo(1);
		assertThat(sentAfter(Duration.ofMillis(1))).isEqualTo(2);
		assertThat(this.lost).isEmpty();
	}

	@Test
	void renewalForWhichThereIsNoTimerIsPlannedByTheNextCall() {
		this.withoutTimer = true;
		this.slots.follow(this.call, this.decided);
		this.decided.complete(answer(0));
		assertThat(sentAfter(LATER)).isZero();
		this.withoutTimer = false;
		this.slots.hold(new Demand(RULE, "bob", 1));
		assertThat(sentAfter(SECOND)).isEqualTo(2);
	}

	@Test
	void slotsThatTheStoreHasConfirmedAreFreedAtOnce() {
		this.slots.hold(this.call);
		assertThat(sentAfter(SECOND)).isEqualTo(1);
		this.sent.get(0).complete(State.HELD);
		this.slots.free(this.call);
		assertThat(sentAfter(Duration.ZERO)).isEqualTo(2);
	}

	@Test
	void callThatRanWithoutTheStoreFromItsBeginningToItsEndLeavesNothing() {
		this.slots.hold(this.call);
		this.slots.free(this.call);
		assertThat(sentAfter(LATER)).isZero();
	}

	@Test
	void slotsOfACallWhoseAnswerIsUnknownAreFreed() {
		this.slots.follow(this.call, this.decided);
		this.decided.completeExceptionally(new StoreException("gone", null));
		assertThat(sentAfter(SECOND)).isEqualTo(1);
		this.sent.get(0).complete(State.FREE);
		assertThat(sentAfter(LATER)).isEqualTo(1);
		assertThat(this.timers).isEmpty();
	}

	@Test
	void callThatTheStoreRefusesLeavesNothing() {
		this.slots.follow(this.call, this.decided);
		this.decided.completeExceptionally(REFUSAL);
		assertThat(sentAfter(LATER)).isZero();
	}

	@Test
	void callBeyondThoseThatMayWaitForTheStoreLeavesNothing() {
		this.slots.follow(this.call, this.decided);
		this.decided.completeExceptionally(new StoreException("too many wait", null, "overload", false, null));
		assertThat(sentAfter(LATER)).isZero();
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void callThatTheStoreRefusesAndThatGoesOnWithoutItLeavesNothing(boolean goesOnFirst) {
		this.slots.follow(this.call, this.decided);
		if (goesOnFirst) {
			this.slots.hold(this.call);
		}
		this.decided.completeExceptionally(REFUSAL);
		if (!goesOnFirst) {
			this.slots.hold(this.call);
		}
		this.slots.free(this.call);
		assertThat(sentAfter(LATER)).isZero();
	}

	@Test
	void callThatTheStoreRefusesTakesItsSlotsWhileItGoesOn() {
		this.slots.follow(this.call, this.decided);
		this.slots.hold(this.call);
		this.decided.completeExceptionally(REFUSAL);
		assertThat(sentAfter(SECOND)).isEqualTo(1);
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void callThatTheStoreRefusesFreesTheSlotsThatItsRenewalTakes(boolean renewalIsAnsweredFirst) {
		this.slots.follow(this.call, this.decided);
		this.slots.hold(this.call);
		sentAfter(SECOND);
		if (renewalIsAnsweredFirst) {
			this.sent.get(0).complete(State.HELD);
		}
		this.decided.completeExceptionally(REFUSAL);
		this.slots.free(this.call);
		this.sent.get(0).complete(State.HELD);
		assertThat(sentAfter(SECOND)).isEqualTo(2);
	}

	@Test
	void slotsThatTheStoreRefusesToFreeAreForgotten() {
		this.slots.hold(this.call);
		sentAfter(SECOND);
		this.slots.free(this.call);
		this.sent.get(0).completeExceptionally(REFUSAL);
		assertThat(sentAfter(LATER)).isEqualTo(1);
	}

	@Test
	void slotsThatTheStoreRefusesToFreeInAnyOrderAreForgottenAfterALeaseAndTenSeconds() {
		Held held = outOfOrder(true);
		held.refused();
		assertThat(held.hasEnded()).as("it runs").isFalse();
		this.unordered.free(this.call);
		held.refused();
		this.now += Duration.ofMillis(39_999).toNanos();
		held.refused();
		assertThat(held.hasEnded()).isTrue();
		this.now += Duration.ofMillis(1).toNanos();
		held.refused();
		assertThat(held.hasEnded()).isFalse();
		assertThat(slotsOf(this.unordered)).containsExactly(held);
	}

	@Test
	void callThatGoesOnAlthoughItsAnswerIsUnknownKeepsItsSlots() {
		this.slots.follow(this.call, this.decided);
		this.slots.hold(this.call);
		this.decided.completeExceptionally(new StoreException("gone", null));
		assertThat(sentAfter(SECOND)).isEqualTo(1);
		this.sent.get(0).complete(State.HELD);
		this.slots.refunded(Correction.refund(this.call, 0), null);
		this.slots.renewWithin(0);
		assertThat(sentAfter(Duration.ZERO)).as("the refund of the late answer frees them").isEqualTo(2);
	}

	@Test
	void callThatGoesOnKeepsItsSlotsAlthoughTheRefundOfItsLateAnswerFailed() {
		this.slots.hold(this.call);
		sentAfter(SECOND);
		this.sent.get(0).complete(State.HELD);
		this.slots.refunded(Correction.refund(this.call, 0), new StoreException("gone", null));
		assertThat(sentAfter(SECOND)).isEqualTo(2);
		this.sent.get(1).complete(State.LOST);
		assertThat(this.lost).as("it runs").containsExactly("export");
	}

	@Test
	void callThatGoesOnKeepsItsSlotsAlthoughWhatTheStoreHasCountedOfItIsRefunded() {
		this.slots.follow(this.call, this.decided);
		this.decided.complete(answer(0));
		this.slots.hold(this.call);
		end().answered(null);
		assertThat(sentAfter(SECOND)).isEqualTo(1);
		this.sent.get(0).complete(State.LOST);
		assertThat(this.lost).as("it runs").containsExactly("export");
	}

	@Test
	void warningCountsTheCallsThatHaveLostTheirSlots() {
		try (RecordedLog log = new RecordedLog(HeldSlots.class)) {
			this.slots.hold(this.call);
			sentAfter(SECOND);
			this.sent.get(0).complete(State.LOST);
			this.slots.hold(this.call);
			this.slots.hold(new Demand(RULE, "bob", 1));
			sentAfter(SECOND);
			this.sent.subList(1, 3).forEach((call) -> call.complete(State.LOST));
			assertThat(log.lines()).hasSize(2);
			assertThat(log.lines().get(0)).startsWith("WARNING").contains("\"export\" (1 call)");
			assertThat(log.lines().get(1)).contains("(2 calls)");
		}
	}

	@Test
	void slotsThatOthersHoldAreLostUnlessTheCallHasEnded() {
		this.slots.hold(this.call);
		sentAfter(SECOND);
		this.sent.get(0).complete(State.LOST);
		assertThat(this.lost).containsExactly("export");
		this.slots.hold(this.call);
		sentAfter(SECOND);
		this.slots.free(this.call);
		this.sent.get(1).complete(State.LOST);
		assertThat(this.lost).containsExactly("export");
	}

	@Test
	void callThatGoesOnWithoutTheStoreHoldsItsSlotsAgain() {
		this.slots.free(this.call);
		sentAfter(SECOND);
		this.slots.hold(this.call);
		this.sent.get(0).complete(State.FREE);
		assertThat(sentAfter(SECOND)).isEqualTo(2);
	}

	@Test
	void slotsWhoseRefundFailedAreFreedLater() {
		this.slots.follow(this.call, this.decided);
		this.decided.complete(answer(0));
		end().answered(new StoreException("gone", null));
		assertThat(sentAfter(SECOND)).isEqualTo(1);
		this.sent.get(0).complete(State.FREE);
		assertThat(sentAfter(LATER)).isEqualTo(1);
	}

	@Test
	void slotsWhoseRefundIsAnsweredNeedNoRenewal() {
		this.slots.follow(this.call, this.decided);
		this.decided.complete(answer(0));
		end().answered(null);
		assertThat(sentAfter(LATER)).isZero();
		assertThat(this.timers).isEmpty();
	}

	@Test
	void instanceThatIsOpenAgainRenewsLeases() {
		this.slots.close();
		this.slots.hold(this.call);
		assertThat(sentAfter(LATER)).as("closed").isZero();
		this.slots.open();
		assertThat(sentAfter(Duration.ZERO)).isEqualTo(1);
	}

	@Test
	void instanceWithoutSlotsSetsNoTimerWhenItIsOpened() {
		this.slots.open();
		assertThat(this.timers).isEmpty();
	}

	@Test
	void freeSlotsAreRememberedForALeaseAndFreedAgainOnAServerThatTakesOver() {
		Held held = outOfOrder(true);
		this.unordered.free(this.call);
		held.freed();
		this.now += Duration.ofMillis(29_999).toNanos();
		held.forgetFreed(this.now, false);
		assertThat(slotsOf(this.unordered)).containsExactly(held);
		assertThat(held.hasEnded()).isFalse();
		held.forgetFreed(this.now, true);
		assertThat(held.hasEnded()).isTrue();
		held.freed();
		held.forgetFreed(this.now + Duration.ofSeconds(30).toNanos(), false);
		assertThat(slotsOf(this.unordered)).isEmpty();
	}

	@Test
	void slotsThatAreNotFreeAreNotForgotten() {
		Held held = outOfOrder(true);
		held.forgetFreed(LATER.toNanos(), false);
		assertThat(slotsOf(this.unordered)).containsExactly(held);
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void slotsThatACallOnItsWayMayStillTakeAreFreedForALeaseAndTenSeconds(boolean isAnswered) {
		Held held = outOfOrder(isAnswered);
		assertThat(held.beginCheck()).as("the answer to the check is missing").isEqualTo(isAnswered);
		this.unordered.free(this.call);
		held.freed();
		this.now += Duration.ofMillis(39_999).toNanos();
		held.freed();
		assertThat(held.hasEnded()).isTrue();
		this.now += Duration.ofMillis(1).toNanos();
		held.freed();
		assertThat(held.hasEnded()).isFalse();
	}

	@Test
	void slotsThatACheckMayTakeAgainAreFreedForALeaseAndTenSeconds() {
		Held held = outOfOrder(false);
		held.freed();
		this.unordered.hold(this.call);
		this.now += LATER.toNanos();
		assertThat(held.beginCheck()).isTrue();
		this.unordered.free(this.call);
		held.freed();
		assertThat(held.hasEnded()).isTrue();
	}

	/**
	 * Return the slots of a call whose answer is there, or lost.
	 */
	private Held outOfOrder(boolean isAnswered) {
		this.unordered.follow(this.call, this.decided);
		if (isAnswered) {
			this.decided.complete(answer(0));
		}
		else {
			this.decided.completeExceptionally(new StoreException("gone", null));
		}
		return slotsOf(this.unordered).get(0);
	}

	private List<Held> slotsOf(HeldSlots slots) {
		slots.renewAll();
		return this.renewed;
	}

	@Test
	void closedInstanceFreesAllSlots() {
		this.slots.hold(this.call);
		assertThat(this.slots.close()).isNotDone();
		assertThat(this.sent).hasSize(1);
		this.sent.get(0).complete(State.FREE);
		assertThat(sentAfter(LATER)).isEqualTo(1);
	}

	private interface Refund {

		void answered(@Nullable Throwable failure);

	}

}
