package io.github.ratelimit.store.jdbc;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

import io.github.ratelimit.Limit;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.store.Correction;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.RuleCounts;
import io.github.ratelimit.store.StoreAnswer;
import io.github.ratelimit.store.StoreEvents;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Slots that two instances hold, by a clock that the test sets. Renewals by the timer are
 * further away than the test lasts.
 */
class SlotLeaseTests {

	private static final Duration LEASE = Duration.ofMinutes(10);

	private static final RuleCounts RULE = RuleCounts
		.of(RateLimitRule.named("export").limit(Limit.ofConcurrency(3).withLease(LEASE)).build());

	@AutoClose
	private final TwoInstances instances = new TwoInstances();

	private final JdbcRateLimitStore first = this.instances.first();

	private final JdbcRateLimitStore second = this.instances.second();

	private final List<String> lost = new ArrayList<>();

	private void followLosses() {
		this.first.follow(StoreEvents.ofLostSlots(this.lost::add));
	}

	private static Demand call(int units) {
		return new Demand(RULE, "ann", units);
	}

	/**
	 * Acquire slots, and wait until the instance has noted that it holds them: it answers
	 * its next call for the key after that.
	 */
	private static void hold(JdbcRateLimitStore store, Demand call) {
		assertThat(store.acquire(call).isAdmitted()).isTrue();
		store.peek(call(1));
	}

	@Test
	void slotsOfADeadInstanceAreFreeWhenItsLeaseHasEnded() {
		assertThat(this.first.acquire(call(3)).isAdmitted()).isTrue();
		this.instances.advance(LEASE.minusSeconds(1));
		assertThat(this.second.acquire(call(1)).isAdmitted()).isFalse();
		this.instances.advance(Duration.ofSeconds(1));
		assertThat(this.second.acquire(call(3)).isAdmitted()).isTrue();
	}

	@Test
	void renewedSlotsAreHeld() {
		Demand held = call(3);
		hold(this.first, held);
		for (int i = 0; i < 5; i++) {
			this.instances.advance(LEASE.dividedBy(2));
			this.first.renewSlots();
			assertThat(this.second.acquire(call(1)).isAdmitted()).isFalse();
		}
		this.first.correct(List.of(Correction.refund(held.withCost(0), this.instances.now())))
			.toCompletableFuture()
			.join();
		this.first.renewSlots();
		assertThat(this.second.acquire(call(3)).isAdmitted()).isTrue();
	}

	@Test
	void callsWhoseSlotsOthersHoldHaveLostThem() {
		followLosses();
		Demand held = call(2);
		hold(this.first, held);
		this.instances.advance(LEASE);
		Demand other = call(2);
		hold(this.second, other);
		this.first.renewSlots();
		assertThat(this.lost).containsExactly("export");
		this.second.renewSlots();
		assertThat(this.second.peek(call(1)).outcome(0).remaining()).isEqualTo(1);
	}

	@Test
	void slotsThatWereFreedMeanwhileAreTakenAgain() {
		followLosses();
		hold(this.first, call(2));
		this.instances.advance(LEASE);
		Demand other = call(1);
		hold(this.second, other);
		this.first.renewSlots();
		assertThat(this.lost).isEmpty();
		assertThat(this.second.peek(call(1)).outcome(0).remaining()).isZero();
	}

	@Test
	void callThatRanWithoutTheStoreHoldsItsSlotsAndFreesThem() {
		Demand ran = call(3);
		this.first.hold(ran);
		this.first.renewSlots();
		assertThat(this.second.acquire(call(1)).isAdmitted()).isFalse();
		this.first.free(ran);
		this.first.renewSlots();
		assertThat(this.second.acquire(call(3)).isAdmitted()).isTrue();
	}

	@Test
	void callThatGoesOnWithoutTheStoreKeepsItsSlotsWhenItsAnswerComesLate() {
		CompletableFuture<Demand> refunded = new CompletableFuture<>();
		this.first.follow(StoreEvents.ofRefunds(refunded::complete));
		Demand ran = call(3);
		StoreAnswer late = this.first.acquire(ran);
		this.first.hold(ran);
		this.first.refundUnused(late);
		assertThat(refunded.join()).isSameAs(ran);
		this.first.renewSlots();
		assertThat(this.second.acquire(call(1)).isAdmitted()).isFalse();
	}

	@Test
	void stoppedInstanceFreesItsSlots() {
		JdbcRateLimitStore third = this.instances.another();
		third.acquire(call(3));
		third.close();
		assertThat(this.second.acquire(call(3)).isAdmitted()).isTrue();
	}

}
