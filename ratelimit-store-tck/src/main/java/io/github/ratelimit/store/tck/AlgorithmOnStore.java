package io.github.ratelimit.store.tck;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.ServiceLoader;
import java.util.ServiceLoader.Provider;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

import org.junit.jupiter.params.provider.Arguments;

import io.github.ratelimit.Limit;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.store.Correction;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.RateLimitStore;
import io.github.ratelimit.store.tck.Walk.Step;

/**
 * Algorithm on a store, the parameter of every common test. JUnit closes it after the
 * test.
 *
 * @param algorithm the algorithm
 * @param store the store
 * @since 0.1.0
 */
public record AlgorithmOnStore(AlgorithmUnderTest algorithm, StoreUnderTest store) implements AutoCloseable {

	/**
	 * Arbitrary time with a fraction of a millisecond.
	 */
	public static final long NOW = 1_700_000_000_000_123L;

	/**
	 * The stores under test: services of the class path, which are found once.
	 */
	public static final List<StoreUnderTest> STORES = ServiceLoader.load(StoreUnderTest.class)
		.stream()
		.map(Provider::get)
		.toList();

	private static final AtomicInteger keys = new AtomicInteger();

	static List<StoreUnderTest> stores() {
		return STORES;
	}

	/**
	 * Return all algorithms on all stores under test.
	 * @return the algorithms on the first store, then those on the next one
	 */
	public static Stream<AlgorithmOnStore> all() {
		return STORES.stream()
			.flatMap((store) -> Arrays.stream(AlgorithmUnderTest.values())
				.map((algorithm) -> new AlgorithmOnStore(algorithm, store)));
	}

	/**
	 * Return all algorithms on all stores in step, each with all seeds.
	 */
	static Stream<Arguments> inStep() {
		return AlgorithmUnderTest.withSeeds().map(AlgorithmOnStore::inStep);
	}

	/**
	 * Return the algorithms in step that can count denied calls.
	 */
	static Stream<Arguments> countingDeniedInStep() {
		return AlgorithmUnderTest.thatCanCountDeniedWithSeeds().map(AlgorithmOnStore::inStep);
	}

	/**
	 * Return the algorithms in step that admit unit by unit.
	 */
	static Stream<Arguments> admittingUnitByUnitInStep() {
		return inStep().filter((each) -> ((AlgorithmOnStore) each.get()[0]).algorithm.admitsUnitByUnit());
	}

	private static Arguments inStep(Arguments algorithmAndSeed) {
		Object[] both = algorithmAndSeed.get();
		return Arguments.of(inStep((AlgorithmUnderTest) both[0]), both[1]);
	}

	/**
	 * Return an algorithm on all stores in step.
	 */
	static AlgorithmOnStore inStep(AlgorithmUnderTest algorithm) {
		return new AlgorithmOnStore(algorithm, new StoresInStep(algorithm));
	}

	static Stream<AlgorithmOnStore> admittingUnitByUnit() {
		return all().filter((on) -> on.algorithm.admitsUnitByUnit());
	}

	/**
	 * Return the algorithms that can count denied calls, on all stores under test.
	 * @return the algorithms, as {@link #all()} does
	 */
	public static Stream<AlgorithmOnStore> thatCanCountDenied() {
		List<AlgorithmUnderTest> able = AlgorithmUnderTest.thatCanCountDenied().toList();
		return all().filter((on) -> able.contains(on.algorithm));
	}

	/**
	 * Return an unused key.
	 * @return a key that no other test of this JVM uses
	 */
	public static String freshKey() {
		return "key-" + keys.incrementAndGet();
	}

	/**
	 * Return an unused counter of one limit, at {@link #NOW}.
	 */
	Counter counter(long max, Duration period) {
		return counter(this.algorithm.limit(max, period));
	}

	Counter counter(Limit limit) {
		return new Counter(this.store, limit, NOW);
	}

	/**
	 * Return a counter after some random calls.
	 */
	Counter wornCounter(Random random) {
		return wornCounter(random, new Walk(random, this.algorithm, false));
	}

	/**
	 * Return a used counter of a limit that counts denied calls.
	 */
	Counter wornCounterCountingDenied(Random random) {
		return wornCounter(random, new Walk(random, this.algorithm, false).countingDenied());
	}

	private Counter wornCounter(Random random, Walk walk) {
		Step step = walk.next(null);
		Counter counter = new Counter(this.store, step.limit(), step.now());
		for (int i = 1 + random.nextInt(20); i > 0; i--) {
			counter.setClock(step.now());
			step = walk.next(counter.acquire(step.cost()));
		}
		return counter;
	}

	/**
	 * Return a rule with one limit.
	 * @param limit the limit
	 * @return the rule, which has the same name each time
	 */
	public static RateLimitRule rule(Limit limit) {
		return RateLimitRule.named("rule").limit(limit).build();
	}

	/**
	 * Return a rule whose calls may be settled, which a bucket prepares for.
	 * @param limit the limit
	 * @return the rule
	 */
	public static RateLimitRule settledRule(Limit limit) {
		return rule(limit).withSettling(true, null);
	}

	/**
	 * Return a rule that has plans, as it counts calls of one of them.
	 * @param limit the limit under the plan
	 * @return the rule
	 */
	public static RateLimitRule ruleWithPlans(Limit limit) {
		return RateLimitRule.named("rule").limit(limit).plan("#plan").build();
	}

	/**
	 * Return the debt of a call that has not waited.
	 * @param demand the rule, the key and how many units
	 * @param countedAt the time at which the call was counted
	 * @param first whether the call had taken nothing
	 * @return the debt
	 */
	public static Correction debt(Demand demand, long countedAt, boolean first) {
		return Correction.debt(demand, countedAt, first ? Correction.NEWEST : countedAt);
	}

	/**
	 * Correct counts, and wait until that is done.
	 * @param store the store
	 * @param corrections the corrections
	 * @return how many units each count of each charge has counted
	 */
	public static List<long[]> correct(RateLimitStore store, List<Correction> corrections) {
		try {
			return store.correct(corrections).toCompletableFuture().join();
		}
		catch (CompletionException ex) {
			throw (ex.getCause() instanceof RuntimeException failure) ? failure : ex;
		}
	}

	@Override
	public void close() {
		if (this.store instanceof StoresInStep stores) {
			stores.checkAnswers();
		}
	}

	@Override
	public String toString() {
		return this.algorithm + " on " + this.store;
	}

}
