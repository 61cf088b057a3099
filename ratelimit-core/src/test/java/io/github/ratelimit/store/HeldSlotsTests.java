package io.github.ratelimit.store;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import io.github.ratelimit.Limit;
import io.github.ratelimit.RateLimitListener;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.store.HeldSlots.State;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Slots of calls, by a clock that stands still, in a store that answers when a test does.
 */
class HeldSlotsTests {

	private static final Duration LATER = Duration.ofDays(1);

	private static final RuleCounts RULE = RuleCounts
		.of(RateLimitRule.named("export").limit(Limit.ofConcurrency(1).withLease(Duration.ofSeconds(30))).build());

	private final Demand call = new Demand(RULE, "ann", 1);

	private final CompletableFuture<StoreAnswer> decided = new CompletableFuture<>();

	private final List<CompletableFuture<State>> sent = new ArrayList<>();

	private final List<String> lost = new ArrayList<>();

	private final RemoteStore.Events events = new RemoteStore.Events() {

		@Override
		public RateLimitListener listener() {
			return new RateLimitListener() {

				@Override
				public void slotsLost(String rule) {
					HeldSlotsTests.this.lost.add(rule);
				}

			};
		}

	};

	private final ScheduledThreadPoolExecutor timer = new ScheduledThreadPoolExecutor(1);

	private final HeldSlots slots = new HeldSlots((demand, renewal) -> {
		this.sent.add(new CompletableFuture<>());
		return this.sent.get(this.sent.size() - 1);
	}, () -> 0, this.timer, () -> this.events);

	@AfterEach
	void stop() {
		this.timer.shutdownNow();
	}

	private RuleAnswer answer(long wait) {
		return RuleAnswer.of(this.call, 0, new LimitOutcome(0, wait, 1));
	}

	private int sentAfter(Duration time) {
		this.slots.renew(time);
		return this.sent.size();
	}

	@Test
	void callThatIsNotDecidedIsNotRenewed() {
		this.slots.follow(this.call, this.decided);
		assertThat(sentAfter(LATER)).isZero();
		this.decided.complete(answer(1));
		assertThat(sentAfter(LATER)).as("denied").isZero();
	}

	@Test
	void leaseIsRenewedThreeTimes() {
		this.slots.follow(this.call, this.decided);
		this.decided.complete(answer(0));
		assertThat(sentAfter(Duration.ofMillis(9_999))).isZero();
		assertThat(sentAfter(Duration.ofSeconds(10))).isEqualTo(1);
		assertThat(sentAfter(LATER)).as("not answered").isEqualTo(1);
		this.sent.get(0).complete(State.HELD);
		assertThat(sentAfter(Duration.ofMillis(9_999))).isEqualTo(1);
		assertThat(sentAfter(Duration.ofSeconds(10))).isEqualTo(2);
	}

	@Test
	void renewalThatFailedIsRepeatedSoon() {
		this.slots.follow(this.call, this.decided);
		this.decided.complete(answer(0));
		sentAfter(LATER);
		this.sent.get(0).completeExceptionally(new StoreException("gone", null));
		assertThat(sentAfter(Duration.ofMillis(999))).isEqualTo(1);
		assertThat(sentAfter(Duration.ofSeconds(1))).isEqualTo(2);
		assertThat(this.lost).isEmpty();
	}

	@Test
	void slotsThatTheStoreHasConfirmedAreFreedAtOnce() throws Exception {
		this.slots.hold(this.call);
		sentAfter(LATER);
		this.sent.get(0).complete(State.HELD);
		this.slots.free(this.call);
		this.timer.submit(() -> {
		}).get();
		assertThat(this.sent).hasSize(2);
	}

	@Test
	void slotsOfACallWhoseAnswerIsUnknownAreFreed() {
		this.slots.follow(this.call, this.decided);
		this.decided.completeExceptionally(new StoreException("gone", null));
		assertThat(sentAfter(Duration.ofSeconds(1))).isEqualTo(1);
		this.sent.get(0).complete(State.FREE);
		assertThat(sentAfter(LATER)).isEqualTo(1);
	}

	@Test
	void slotsThatOthersHoldAreLostUnlessTheCallHasEnded() {
		this.slots.hold(this.call);
		sentAfter(LATER);
		this.sent.get(0).complete(State.LOST);
		assertThat(this.lost).containsExactly("export");
		this.slots.hold(this.call);
		sentAfter(LATER);
		this.slots.end(this.call, CompletableFuture::new);
		this.sent.get(1).complete(State.LOST);
		assertThat(this.lost).containsExactly("export");
	}

	@Test
	void callThatGoesOnWithoutTheStoreHoldsItsSlotsAgain() {
		this.slots.free(this.call);
		sentAfter(LATER);
		this.slots.hold(this.call);
		this.sent.get(0).complete(State.FREE);
		assertThat(sentAfter(Duration.ofSeconds(1))).isEqualTo(2);
	}

	@Test
	void slotsWhoseRefundFailedAreFreedLater() {
		this.slots.follow(this.call, this.decided);
		this.decided.complete(answer(0));
		this.slots.end(this.call, () -> CompletableFuture.failedFuture(new StoreException("gone", null)));
		assertThat(sentAfter(Duration.ofSeconds(1))).isEqualTo(1);
		this.sent.get(0).complete(State.FREE);
		assertThat(sentAfter(LATER)).isEqualTo(1);
	}

	@Test
	void slotsWhoseRefundIsAnsweredNeedNoRenewal() {
		this.slots.follow(this.call, this.decided);
		this.decided.complete(answer(0));
		this.slots.end(this.call, () -> CompletableFuture.completedFuture(true));
		assertThat(sentAfter(LATER)).isZero();
	}

}
