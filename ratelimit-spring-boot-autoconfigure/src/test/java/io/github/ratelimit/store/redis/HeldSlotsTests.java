package io.github.ratelimit.store.redis;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import io.github.ratelimit.Limit;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.store.AlgorithmOnStore;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.Refund;
import io.github.ratelimit.store.RuleAnswer;
import io.github.ratelimit.store.RuleCounts;
import io.github.ratelimit.store.StoreException;
import io.github.ratelimit.store.StoredKey;
import io.github.ratelimit.store.redis.SlotInstance.SlotClock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Slots of instances that die, freeze or lose Redis, by a given clock.
 */
@Tag("every-redis")
class HeldSlotsTests {

	private static final Duration LEASE = Duration.ofSeconds(3);

	private static final RateLimitRule RULE = rule(3);

	private final String key = AlgorithmOnStore.freshKey();

	private final String prefix = "slots-" + this.key;

	private final SlotClock clock = new SlotClock();

	private final SlotInstance one = new SlotInstance(this.clock, this.prefix);

	private final SlotInstance other = new SlotInstance(this.clock, this.prefix);

	@AfterEach
	void close() {
		Stream.of(this.one, this.other).forEach((instance) -> {
			instance.disconnect(false);
			instance.loseReplies(false);
			instance.close();
		});
		forgetAll();
	}

	private static RateLimitRule rule(long max) {
		return RateLimitRule.named("export").limit(Limit.ofConcurrency(max).withLease(LEASE)).build();
	}

	private static void forgetAll(String prefix) {
		RedisUnderTest.process()
			.command("EVAL", "for _, key in ipairs(redis.call('KEYS', ARGV[1])) do redis.call('DEL', key) end", "0",
					prefix + ":*");
	}

	private void forgetAll() {
		forgetAll(this.prefix);
	}

	private String keysInRedis() {
		return String.valueOf(RedisUnderTest.process()
			.command("EVAL", "return table.concat(redis.call('KEYS', ARGV[1]), ' ')", "0", this.prefix + ":*"));
	}

	private String name() {
		return new String(new RedisKeys(this.prefix).counters(RuleCounts.of(RULE)).of(StoredKey.of(this.key))[0]);
	}

	@Test
	void instancesShareTheSlotsOfAKey() {
		RuleAnswer call = this.one.begin(RULE, this.key);
		assertThat(this.other.beginAll(RULE, this.key)).hasSize(2);
		assertThat(this.one.begin(RULE, this.key)).isNull();
		this.one.end(call);
		assertThat(this.other.begin(RULE, this.key)).isNotNull();
	}

	@Test
	void callMayTakeLongerThanTheLease() {
		this.one.beginAll(RULE, this.key);
		this.clock.advance(LEASE.multipliedBy(25));
		assertThat(this.other.begin(RULE, this.key)).isNull();
		assertThat(this.one.lost()).isZero();
	}

	@Test
	void leaseThatIsNearlyOverIsRenewedByACall() {
		this.one.end(this.one.begin(RULE, this.key));
		this.clock.advance(LEASE.minusMillis(100));
		this.one.beginAll(RULE, this.key);
		this.clock.advance(Duration.ofMillis(900));
		assertThat(this.other.begin(RULE, this.key)).as("before the next renewal").isNull();
		this.clock.advance(LEASE);
		assertThat(this.other.begin(RULE, this.key)).isNull();
	}

	@Test
	void callThatRenewsALeaseDoesNotHideThatAShorterOneHasEnded() {
		this.one.beginAll(RULE, this.key);
		this.one.freeze();
		this.clock.advance(LEASE);
		this.other.beginAll(RULE, this.key);
		RateLimitRule longer = RateLimitRule.named("longer")
			.limit(Limit.ofConcurrency(1).withLease(Duration.ofMinutes(1)))
			.build();
		assertThat(this.one.begin(longer, this.key)).isNotNull();
		this.one.resume();
		assertThat(this.one.lost()).isEqualTo(3);
	}

	@Test
	void callThatAClientRepeatsHoldsItsSlotsOnce() {
		Demand call = new Demand(RULE, this.key, 3);
		assertThat(this.one.store().acquire(call).isAdmitted()).isTrue();
		assertThat(this.one.store().acquire(call).isAdmitted()).isTrue();
		assertThat(this.one.remaining(RULE, this.key)).isZero();
		this.one.store().refund(List.of(new Refund(call.withCost(0), Refund.NEWEST)));
		assertThat(this.one.remaining(RULE, this.key)).isEqualTo(3);
	}

	@Test
	void slotsOfADeadInstanceAreFreeAfterOneLease() {
		this.one.beginAll(RULE, this.key);
		this.one.freeze();
		this.clock.advance(LEASE.minusMillis(1));
		assertThat(this.other.begin(RULE, this.key)).isNull();
		this.clock.advance(Duration.ofMillis(1));
		assertThat(this.other.beginAll(RULE, this.key)).hasSize(3);
	}

	@Test
	void deadInstanceLeavesNothingBesideItsLease() {
		this.one.beginAll(RULE, this.key);
		this.one.freeze();
		this.clock.advance(LEASE);
		this.other.beginAll(RULE, this.key).forEach(this.other::end);
		assertThat(keysInRedis()).isEqualTo(this.prefix + ":{leases}:leases");
	}

	@Test
	void callsOfADeadInstanceAreForgottenByTheFirstThatIsAdmitted() {
		this.one.beginAll(RULE, this.key);
		this.one.freeze();
		this.clock.advance(LEASE);
		this.other.begin(RULE, this.key);
		assertThat(RedisUnderTest.process().command("HLEN", name())).as("the sums, and one call").isEqualTo(2L);
	}

	@Test
	void frozenInstanceTakesAgainWhatIsLeftAndLosesTheRest() {
		List<RuleAnswer> calls = this.one.beginAll(RULE, this.key);
		this.one.freeze();
		this.clock.advance(LEASE.multipliedBy(2));
		RuleAnswer first = this.other.begin(RULE, this.key);
		this.other.begin(RULE, this.key);
		this.one.resume();
		assertThat(this.one.lost()).as("one of three slots was left").isEqualTo(2);
		assertThat(this.other.begin(RULE, this.key)).isNull();
		calls.forEach(this.one::end);
		assertThat(this.one.remaining(RULE, this.key)).as("the other two still run").isEqualTo(1);
		this.other.end(first);
		assertThat(this.one.remaining(RULE, this.key)).isEqualTo(2);
	}

	@Test
	void frozenInstanceLosesNothingIfNobodyCame() {
		this.one.beginAll(RULE, this.key);
		this.one.freeze();
		this.clock.advance(LEASE.multipliedBy(5));
		this.one.resume();
		assertThat(this.one.lost()).isZero();
		assertThat(this.other.begin(RULE, this.key)).isNull();
	}

	@Test
	void callThatBeginsAfterAFreezeDoesNotHideWhatWasLostInIt() {
		this.one.beginAll(RULE, this.key);
		this.one.freeze();
		this.clock.advance(LEASE);
		this.other.beginAll(RULE, this.key);
		assertThat(this.one.begin(rule(4), this.key)).as("begins a new lease").isNotNull();
		this.one.resume();
		this.clock.advance(LEASE);
		assertThat(this.one.lost()).isEqualTo(3);
	}

	@Test
	void slotsThatRedisHasForgottenAreTakenAgain() {
		List<RuleAnswer> calls = this.one.beginAll(RULE, this.key);
		this.clock.advance(LEASE.dividedBy(3));
		forgetAll();
		this.clock.advance(LEASE.dividedBy(3));
		assertThat(this.other.begin(RULE, this.key)).isNull();
		assertThat(this.one.lost()).isZero();
		this.one.end(calls.get(0));
		assertThat(this.other.begin(RULE, this.key)).isNotNull();
	}

	@Test
	void slotsThatRedisForgetsBeforeTheirFirstRenewalAreTakenAgain() {
		this.one.beginAll(RULE, this.key);
		forgetAll();
		this.clock.advance(LEASE.dividedBy(3));
		assertThat(this.other.begin(RULE, this.key)).isNull();
	}

	@Test
	void slotsThatOthersTookFromAnEmptyRedisAreLost() {
		this.one.beginAll(RULE, this.key);
		this.clock.advance(LEASE.dividedBy(3));
		forgetAll();
		this.other.begin(RULE, this.key);
		this.clock.advance(LEASE);
		assertThat(this.one.lost()).isEqualTo(1);
		assertThat(this.other.lost()).isZero();
	}

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
		assertThat(this.one.store().refundAsync(List.of(SlotInstance.endOf(calls.get(1)))).toCompletableFuture())
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
	void callThatRunsWithoutRedisTakesItsSlotsWhenThereIsRoom() {
		Demand[] running = { new Demand(RULE, this.key, 2), new Demand(RULE, this.key, 2) };
		for (Demand call : running) {
			this.one.store().holdSlots(call);
		}
		this.clock.advance(Duration.ofSeconds(1));
		assertThat(this.other.remaining(RULE, this.key)).isEqualTo(1);
		assertThat(this.one.lost()).as("there was room for one of both").isEqualTo(1);
		for (Demand call : running) {
			this.one.store().freeSlots(call);
		}
		this.clock.advance(Duration.ofSeconds(1));
		assertThat(this.other.remaining(RULE, this.key)).isEqualTo(3);
	}

	@Test
	void callThatRanWithoutRedisFromItsBeginningToItsEndLeavesNothing() {
		this.one.disconnect(true);
		Demand call = new Demand(RULE, this.key, 1);
		this.one.store().holdSlots(call);
		this.one.store().freeSlots(call);
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
		CompletionStage<Void> refund = this.one.store().refundAsync(List.of(SlotInstance.endOf(call)));
		this.one.store().holdSlots(call.demand());
		assertThat(answered ? delivery.complete(null) : delivery.completeExceptionally(new IOException("lost")))
			.isTrue();
		assertThat(refund.toCompletableFuture()).isDone();
		this.one.delayReplies().complete(null);
		assertThat(this.other.remaining(RULE, this.key)).isEqualTo(3);
		this.clock.advance(Duration.ofSeconds(1));
		assertThat(this.other.remaining(RULE, this.key)).isEqualTo(2);
	}

	@Test
	void instanceThatWasStoppedRenewsItsLeaseAgain() {
		this.one.store().refundHeldUnits();
		this.one.beginAll(RULE, this.key);
		this.clock.advance(LEASE.minusMillis(100));
		this.one.store().holdUnits();
		this.clock.advance(LEASE.multipliedBy(2));
		assertThat(this.other.begin(RULE, this.key)).isNull();
		assertThat(this.one.lost()).isZero();
	}

	@Test
	void closedInstanceFreesItsSlotsAtOnce() {
		this.one.beginAll(RULE, this.key);
		this.one.close();
		assertThat(this.other.beginAll(RULE, this.key)).hasSize(3);
	}

	@Test
	void clockSetBackFreesNothingAndKeepsADeadInstanceForOneMoreLease() {
		this.one.beginAll(RULE, this.key);
		this.one.freeze();
		this.clock.setBack(Duration.ofHours(1));
		assertThat(this.other.begin(RULE, this.key)).isNull();
		this.clock.advance(LEASE);
		assertThat(this.other.beginAll(RULE, this.key)).hasSize(3);
	}

	@Test
	void renewalIsOneCallHoweverManySlotsThereAre() {
		RateLimitRule large = rule(1_000_000);
		int slots = 20_000;
		for (int i = 0; i < slots; i++) {
			this.one.store().holdSlots(new Demand(large, this.key + "-" + i % 100, 1));
		}
		this.clock.advance(Duration.ofSeconds(1));
		int first = this.one.scripts();
		assertThat(first).as("each slot is taken once").isEqualTo(1 + slots / SlotLease.AT_ONCE);
		this.clock.advance(LEASE.multipliedBy(9));
		assertThat(this.one.scripts() - first).as("three renewals per lease").isBetween(25, 28);
		assertThat(this.other.remaining(large, this.key + "-0")).isEqualTo(1_000_000 - slots / 100);
	}

	@Test
	void endThatAServerDidNotReplicateIsRepeatedAtTheNextOne() {
		RuleAnswer call = this.one.begin(RULE, this.key);
		this.clock.advance(LEASE);
		RedisUnderTest.process().command("COPY", name(), this.prefix + ":replica");
		this.one.end(call);
		RedisUnderTest.process().command("COPY", this.prefix + ":replica", name());
		this.one.failOver();
		assertThat(this.other.remaining(RULE, this.key)).isEqualTo(2);
		this.clock.advance(LEASE.dividedBy(3));
		assertThat(this.other.remaining(RULE, this.key)).isEqualTo(3);
	}

	@Test
	void callThatOnlyPeeksHoldsNothing() {
		Demand denied = new Demand(RULE, this.key, 1).withCost(0);
		assertThat(this.one.store().acquire(denied).isAdmitted()).isTrue();
		this.one.store().holdSlots(denied);
		int scripts = this.one.scripts();
		this.clock.advance(LEASE.multipliedBy(2));
		assertThat(this.one.scripts()).isEqualTo(scripts);
		assertThat(this.one.lost()).isZero();
	}

	@Test
	void instanceWithoutSlotsCallsNobody() {
		this.one.end(this.one.begin(RULE, this.key));
		this.clock.advance(LEASE);
		int scripts = this.one.scripts();
		this.clock.advance(LEASE.multipliedBy(30));
		assertThat(this.one.scripts()).isEqualTo(scripts);
		assertThat(RedisUnderTest.process().command("EXISTS", name())).isEqualTo(0L);
	}

}
