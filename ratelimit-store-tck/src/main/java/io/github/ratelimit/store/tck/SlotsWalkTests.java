package io.github.ratelimit.store.tck;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.LongStream;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.Limit;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.store.Correction;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.RuleAnswer;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Random calls that begin and end in any order, on all stores in step, against a list of
 * the calls that run.
 */
class SlotsWalkTests {

	private static final Duration PERIOD = Duration.ofSeconds(10);

	static LongStream seeds() {
		return Seeds.seeds();
	}

	@ParameterizedTest
	@MethodSource("seeds")
	void storesAgreeAndNeverRunMoreThanMax(long seed) {
		Random random = new Random(seed);
		StoresInStep stores = new StoresInStep(AlgorithmUnderTest.TOKEN_BUCKET);
		String[] keys = { AlgorithmOnStore.freshKey(), AlgorithmOnStore.freshKey() };
		Map<Demand, RuleAnswer> running = new HashMap<>();
		long now = AlgorithmOnStore.NOW;
		for (int i = 0; i < 600; i++) {
			now += (random.nextInt(20) == 0) ? -random.nextInt(2_000_000) : random.nextInt(500_000);
			stores.setClock(now);
			String key = keys[random.nextInt(keys.length)];
			if (random.nextInt(5) < 2 && !running.isEmpty()) {
				end(running, random);
			}
			else {
				begin(stores, running, new Demand(rule(random), key, random.nextInt(4)));
			}
		}
		while (!running.isEmpty()) {
			end(running, random);
		}
		for (String key : keys) {
			Demand last = new Demand(rule(random), key, 0);
			assertThat(stores.answer(last).get(0).outcome(slots(last)).resetAfter()).as("seed %d", seed).isZero();
		}
	}

	private static RateLimitRule rule(Random random) {
		Limit slots = Limit.ofConcurrency(1 + random.nextInt(8)).withLease(Duration.ofHours(1)).withName("running");
		RateLimitRule.Builder rule = RateLimitRule.named("walk");
		boolean isFirst = random.nextBoolean();
		if (isFirst) {
			rule.limit(slots);
		}
		rule.limit(Limit.of(20, PERIOD).withAlgorithm(Algorithm.TOKEN_BUCKET).withName("bucket"));
		rule.limit(Limit.of(30, PERIOD).withAlgorithm(Algorithm.SLIDING_LOG).withName("log"));
		if (!isFirst) {
			rule.limit(slots);
		}
		return rule.build();
	}

	private static void begin(StoresInStep stores, Map<Demand, RuleAnswer> running, Demand call) {
		RuleAnswer answer = stores.answer(call).get(0);
		int slots = slots(call);
		long max = call.rule().limits().get(slots).max();
		long held = running.keySet()
			.stream()
			.filter((other) -> other.key().equals(call.key()))
			.mapToLong(Demand::cost)
			.sum();
		assertThat(answer.outcome(slots).admitted()).isEqualTo(call.cost() == 0 || held + call.cost() <= max);
		if (answer.isAdmitted() && call.cost() > 0) {
			running.put(call, answer);
			held += call.cost();
		}
		assertThat(answer.outcome(slots).remaining()).isEqualTo(Math.max(0, max - held));
	}

	/**
	 * Return the index of the limit that counts slots.
	 */
	private static int slots(Demand call) {
		return call.counts().get(0).isHeldByCalls() ? 0 : 2;
	}

	/**
	 * End a call in the instance that has begun it.
	 */
	private static void end(Map<Demand, RuleAnswer> running, Random random) {
		Demand call = new ArrayList<>(running.keySet()).get(random.nextInt(running.size()));
		Correction all = running.remove(call).refund();
		Correction some = Correction.refund(call.withCost(random.nextLong(call.cost() + 1)), all.countedAt());
		List<Correction> refunds = List.of(random.nextBoolean() ? all : some);
		StoresInStep.ALL.forEach((store) -> store.correct(refunds));
	}

}
