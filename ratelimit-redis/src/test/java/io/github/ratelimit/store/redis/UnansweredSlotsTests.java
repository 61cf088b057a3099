package io.github.ratelimit.store.redis;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.Demands;
import io.github.ratelimit.store.RuleAnswer;
import io.github.ratelimit.store.StoreAnswer;
import io.github.ratelimit.store.StoreException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Slots of calls that Redis does not answer, or answers late.
 */
class UnansweredSlotsTests extends SharedSlots {

	@Test
	void slotOfACallWithoutAnswerIsFreed() {
		this.one.loseReplies(true);
		assertThatExceptionOfType(StoreException.class).isThrownBy(() -> this.one.begin(RULE, this.key));
		this.one.loseReplies(false);
		assertThat(this.other.remaining(RULE, this.key)).isEqualTo(2);
		this.clock.advance(LEASE.dividedBy(3));
		assertThat(this.other.remaining(RULE, this.key)).isEqualTo(3);
	}

	@Test
	void slotThatIsTakenAfterItWasFreedIsFreedAgain() {
		this.one.delayScripts();
		assertThatExceptionOfType(StoreException.class).isThrownBy(() -> this.one.begin(RULE, this.key));
		List<RuleAnswer> others = this.other.beginAll(RULE, this.key);
		this.clock.advance(Duration.ofMillis(10));
		this.other.end(others.get(0));
		this.one.arrive();
		assertThat(this.other.remaining(RULE, this.key)).as("the call arrived late").isZero();
		this.clock.advance(LEASE);
		assertThat(this.other.remaining(RULE, this.key)).isEqualTo(1);
	}

	@Test
	void endThatRedisDidNotHearIsRepeated() {
		List<RuleAnswer> calls = this.one.beginAll(RULE, this.key);
		this.one.disconnect(true);
		assertThatExceptionOfType(StoreException.class).isThrownBy(() -> this.one.end(calls.get(0)));
		assertThat(this.one.store().correct(List.of(SlotInstance.endOf(calls.get(1)))).toCompletableFuture())
			.isCompletedExceptionally();
		this.one.disconnect(false);
		this.clock.advance(Duration.ofSeconds(1));
		assertThat(this.other.remaining(RULE, this.key)).isEqualTo(2);
	}

	@Test
	void endWithoutAnswerFreesNobodyElse() {
		List<RuleAnswer> calls = this.one.beginAll(RULE, this.key);
		this.one.loseReplies(true);
		assertThatExceptionOfType(StoreException.class).isThrownBy(() -> this.one.end(calls.get(0)));
		this.one.loseReplies(false);
		assertThat(this.other.begin(RULE, this.key)).isNotNull();
		this.clock.advance(LEASE);
		assertThat(this.other.begin(RULE, this.key)).isNull();
	}

	@Test
	void instanceConnectsAnewIfARenewalFails() {
		this.one.begin(RULE, this.key);
		this.clock.advance(LEASE);
		assertThat(this.one.connections()).as("all have succeeded").isZero();
		this.one.disconnect(true);
		this.clock.advance(LEASE.dividedBy(2));
		assertThat(this.one.connections()).isPositive();
	}

	@Test
	void callThatRunsWithoutRedisTakesItsSlotsWhenThereIsRoom() {
		Demand[] running = { new Demand(RULE, this.key, 2), new Demand(RULE, this.key, 2) };
		for (Demand call : running) {
			this.one.store().hold(call);
		}
		this.clock.advance(Duration.ofSeconds(1));
		assertThat(this.other.remaining(RULE, this.key)).isEqualTo(1);
		assertThat(this.one.lost()).as("there was room for one of both").isEqualTo(1);
		for (Demand call : running) {
			this.one.store().free(call);
		}
		this.clock.advance(Duration.ofSeconds(1));
		assertThat(this.other.remaining(RULE, this.key)).isEqualTo(3);
	}

	@Test
	void callThatRanWithoutRedisFromItsBeginningToItsEndLeavesNothing() {
		this.one.disconnect(true);
		Demand call = new Demand(RULE, this.key, 1);
		this.one.store().hold(call);
		this.one.store().free(call);
		this.one.disconnect(false);
		this.clock.advance(LEASE);
		assertThat(this.one.scripts()).isZero();
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void callThatGoesOnWithoutRedisTakesItsSlotsAgainAfterTheyWereFreed(boolean answered) {
		RuleAnswer call = this.one.begin(RULE, this.key);
		this.clock.advance(LEASE);
		CompletableFuture<Void> delivery = this.one.delayReplies();
		CompletionStage<?> refund = this.one.store().correct(List.of(SlotInstance.endOf(call)));
		this.one.store().hold(call.demand());
		assertThat(answered ? delivery.complete(null) : delivery.completeExceptionally(new IOException("lost")))
			.isTrue();
		assertThat(refund.toCompletableFuture()).isDone();
		this.one.delayReplies().complete(null);
		assertThat(this.other.remaining(RULE, this.key)).isEqualTo(3);
		this.clock.advance(Duration.ofSeconds(1));
		assertThat(this.other.remaining(RULE, this.key)).isEqualTo(2);
	}

	@Test
	void callThatGoesOnWithoutRedisKeepsItsSlotsAlthoughAnotherHashSlotFailsLater() {
		Demand call = new Demand(RULE, this.key, 1);
		Demand elsewhere = new Demand(rule(5), this.key + "-2", 1);
		try (SlotInstance clustered = new SlotInstance(this.clock, this.prefix,
				new SynchronousScriptRunner(RedisUnderTest.process()), RedisSharding.CLUSTER)) {
			CompletableFuture<Void> first = clustered.delayReplies();
			CompletionStage<StoreAnswer> answer = clustered.store().acquireAsync(Demands.of(call, elsewhere));
			CompletableFuture<Void> second = clustered.delayReplies();
			first.complete(null);
			clustered.store().hold(call);
			clustered.delayReplies().complete(null);
			second.completeExceptionally(new IOException("late"));
			assertThat(answer.toCompletableFuture()).isCompletedExceptionally();
			assertThat(clustered.remaining(RULE, this.key)).as("refunded").isEqualTo(3);
			this.clock.advance(Duration.ofSeconds(1));
			assertThat(clustered.remaining(RULE, this.key)).isEqualTo(2);
			clustered.store().free(call);
			this.clock.advance(Duration.ofSeconds(1));
			assertThat(clustered.remaining(RULE, this.key)).isEqualTo(3);
		}
	}

}
