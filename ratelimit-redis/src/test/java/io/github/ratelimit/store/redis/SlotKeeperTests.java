package io.github.ratelimit.store.redis;

import java.time.Duration;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import io.github.ratelimit.Limit;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.store.Correction;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.RuleAnswer;
import io.github.ratelimit.store.tck.AlgorithmOnStore;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Slots of instances that die, freeze or lose Redis.
 */
class SlotKeeperTests extends SharedSlots {

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
	void callRenewsALeaseThatIsAThirdOver() {
		this.one.freeze();
		this.one.begin(RULE, this.key);
		long begun = this.clock.micros();
		this.clock.advance(LEASE.dividedBy(3).minusMillis(1));
		this.one.begin(RULE, this.key);
		assertThat(onlyLease()).isEqualTo(List.of(begun, begun));
		this.clock.advance(Duration.ofMillis(1));
		this.one.begin(RULE, this.key);
		assertThat(onlyLease()).isEqualTo(List.of(begun, this.clock.micros()));
	}

	@Test
	void leaseThatMovesBackWithTheClockHasBegunBefore() {
		this.one.begin(RULE, this.key);
		long begun = this.clock.micros();
		this.clock.advance(LEASE);
		this.clock.setBack(LEASE.dividedBy(2));
		this.one.begin(RULE, this.key);
		assertThat(onlyLease()).isEqualTo(List.of(begun, this.clock.micros()));
	}

	/**
	 * Return when the only lease began, and when it was renewed last.
	 */
	private Object onlyLease() {
		return RedisUnderTest.process().command("EVAL", """
				local leases = redis.call('HVALS', ARGV[1])
				local since, seen = struct.unpack('>I7I7', leases[1])
				return { since, seen, leases[2] }
				""", "0", this.prefix + ":{leases}:leases");
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

	@ParameterizedTest
	@ValueSource(longs = { 1, 3 })
	void callThatAClientRepeatsHoldsItsSlotsOnce(long units) {
		RateLimitRule rule = rule(units);
		Demand call = new Demand(rule, this.key, units);
		assertThat(this.one.store().acquire(call).isAdmitted()).isTrue();
		assertThat(this.one.store().acquire(call).isAdmitted()).isTrue();
		assertThat(this.one.remaining(rule, this.key)).isZero();
		AlgorithmOnStore.correct(this.one.store(), List.of(Correction.refund(call.withCost(0), Correction.NEWEST)));
		assertThat(this.one.remaining(rule, this.key)).isEqualTo(units);
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
	void allCallsOfADeadInstanceAreForgottenHoweverManyTheyAre() {
		RateLimitRule large = rule(10_000);
		for (int i = 0; i < 2_002; i++) {
			this.one.store().hold(new Demand(large, this.key, 1));
		}
		this.clock.advance(Duration.ofSeconds(1));
		assertThat(RedisUnderTest.process().command("HLEN", name())).isEqualTo(2_003L);
		this.one.freeze();
		this.clock.advance(LEASE);
		this.other.begin(large, this.key);
		assertThat(RedisUnderTest.process().command("HLEN", name())).as("the sums, and one call").isEqualTo(2L);
	}

	@Test
	void instanceWithoutCallsLeavesNothingBesideTheUnitsOfOthers() {
		this.one.begin(RULE, this.key);
		Object units = RedisUnderTest.process().command("HGET", name(), "held");
		this.other.end(this.other.begin(RULE, this.key));
		assertThat(RedisUnderTest.process().command("HGET", name(), "held")).isEqualTo(units);
	}

	@Test
	void endOfACallThatHoldsNothingWritesNothing() {
		RuleAnswer call = this.one.begin(RULE, this.key);
		this.other.begin(RULE, this.key);
		this.one.end(call);
		RedisUnderTest.resetStatistics();
		this.one.end(call);
		assertThat(RedisUnderTest.calls("hset")).isZero();
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
			this.one.store().hold(new Demand(large, this.key + "-" + i % 100, 1));
		}
		this.clock.advance(Duration.ofSeconds(1));
		int first = this.one.scripts();
		assertThat(first).as("each slot is taken once").isEqualTo(1 + slots / SlotKeeper.AT_ONCE);
		this.clock.advance(LEASE.multipliedBy(9));
		assertThat(this.one.scripts() - first).as("three renewals per lease").isBetween(25, 28);
		assertThat(this.other.remaining(large, this.key + "-0")).isEqualTo(1_000_000 - slots / 100);
	}

	@Test
	void checkOnAServerThatHasAllSlotsOnlyExtendsTheirTimeToLive() {
		List<RuleAnswer> calls = this.one.beginAll(rule(20), this.key);
		this.clock.advance(LEASE);
		this.one.failOver();
		RedisUnderTest.resetStatistics();
		this.clock.advance(LEASE.dividedBy(3));
		assertThat(RedisUnderTest.calls("pexpire")).isGreaterThanOrEqualTo(calls.size());
		assertThat(RedisUnderTest.calls("hset")).as("the lease").isLessThanOrEqualTo(2);
	}

	@ParameterizedTest
	@ValueSource(longs = { 0, 1_000, 2_000 })
	void endThatAServerDidNotReplicateIsRepeatedAtTheNextOne(long lacking) {
		RuleAnswer call = this.one.begin(RULE, this.key);
		this.one.begin(RULE, this.key + "-2");
		this.clock.advance(LEASE);
		Runnable replica = snapshot();
		this.one.end(call);
		this.clock.advance(Duration.ofMillis(lacking));
		replica.run();
		this.one.failOver();
		assertThat(this.other.remaining(RULE, this.key)).isEqualTo(2);
		this.clock.advance(LEASE.dividedBy(3));
		assertThat(this.other.remaining(RULE, this.key)).isEqualTo(3);
	}

	@Test
	void slotsHaveTheLeaseOfTheirHashSlotOnceRedisRefusesToReachAllKeys() {
		this.one.begin(RULE, this.key);
		this.clock.advance(LEASE.dividedBy(2));
		assertThat(this.other.remaining(RULE, this.key)).isEqualTo(2);
		for (SlotInstance each : List.of(this.one, this.other)) {
			each.refuseOnce();
			assertThat(each.begin(RULE, this.key + "-2")).isNotNull();
		}
		this.clock.advance(LEASE.multipliedBy(2));
		assertThat(this.other.remaining(RULE, this.key)).isEqualTo(2);
		assertThat(this.one.lost()).isZero();
	}

	@Test
	void callThatOnlyPeeksHoldsNothing() {
		Demand denied = new Demand(RULE, this.key, 1).withCost(0);
		assertThat(this.one.store().acquire(denied).isAdmitted()).isTrue();
		this.one.store().hold(denied);
		int scripts = this.one.scripts();
		this.clock.advance(LEASE.multipliedBy(2));
		assertThat(this.one.scripts()).isEqualTo(scripts);
		assertThat(this.one.lost()).isZero();
	}

	@Test
	void instanceWithoutSlotsCallsNobody() {
		this.one.end(this.one.begin(RULE, this.key));
		this.clock.advance(LEASE.multipliedBy(2));
		int scripts = this.one.scripts();
		this.clock.advance(LEASE.multipliedBy(30));
		assertThat(this.one.scripts()).isEqualTo(scripts);
		assertThat(RedisUnderTest.process().command("EXISTS", name())).isEqualTo(0L);
	}

}
