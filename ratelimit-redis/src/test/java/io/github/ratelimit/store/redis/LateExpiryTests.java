package io.github.ratelimit.store.redis;

import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.function.Function;
import java.util.stream.Stream;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import io.github.ratelimit.Limit;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.store.Correction;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.LimitOutcome;
import io.github.ratelimit.store.tck.AlgorithmOnStore;
import io.github.ratelimit.store.tck.AlgorithmUnderTest;
import io.github.ratelimit.store.tck.LocalStoreUnderTest;
import io.github.ratelimit.store.tck.Seeds;
import io.github.ratelimit.store.tck.StoreUnderTest;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Random calls just before and after the time at which a state equals an unused one, of
 * which some change the limit. Redis drops a key up to two milliseconds after that time,
 * because its times to live are milliseconds. What is still stored then has no effect.
 */
@Tag("every-redis")
class LateExpiryTests {

	private static final int STEPS = Seeds.steps(5_000);

	private static final int STEPS_PER_WALK = 10;

	private static final long LATEST = 1_999;

	private static final long BEGINNING = 1_700_000_000_000_000L;

	private final StoreUnderTest local = new LocalStoreUnderTest();

	private final StoreUnderTest redis = new RedisStoreUnderTest(LATEST);

	@ParameterizedTest(name = "{0}, seed {1}")
	@MethodSource
	void keyThatRedisHasNotDroppedYetCountsNothing(Kind kind, long seed) {
		Random random = new Random(seed);
		for (int walk = 0; walk < STEPS / STEPS_PER_WALK; walk++) {
			walk(random, kind, "walk " + walk);
		}
	}

	static Stream<Arguments> keyThatRedisHasNotDroppedYetCountsNothing() {
		return AlgorithmUnderTest.withSeeds()
			.flatMap((arguments) -> Kind.of((AlgorithmUnderTest) arguments.get()[0])
				.map((kind) -> Arguments.of(kind, arguments.get()[1])));
	}

	private void walk(Random random, Kind kind, String walk) {
		String key = AlgorithmOnStore.freshKey();
		long now = BEGINNING + random.nextInt(1_000_000_000);
		Limit limit = kind.limit(1 + random.nextInt(5), magnitude(random));
		for (int i = 0; i < STEPS_PER_WALK; i++) {
			Demand demand = new Demand(kind.rule.apply(limit), key, random.nextInt(1 + (int) limit.capacity()));
			LimitOutcome outcome = inBoth(now, (store) -> store.acquire(List.of(demand)).get(0), walk + ", " + demand);
			long slot = now;
			now = later(random, now, outcome);
			if (demand.cost() > 0 && outcome.admitted() && random.nextInt(3) == 0) {
				correct(random, kind, demand, slot, now, walk);
			}
			limit = random.nextBoolean() ? limit : changed(random, kind, limit);
		}
	}

	private void correct(Random random, Kind kind, Demand demand, long slot, long now, String walk) {
		Demand units = demand.withCost(1 + random.nextInt(3));
		boolean owes = kind.hasDebt() && random.nextBoolean();
		inBoth(now, (store) -> {
			if (owes) {
				store.correct(List.of(AlgorithmOnStore.debt(units, slot, false)));
			}
			else {
				store.correct(List.of(Correction.refund(units, slot)));
			}
			return store.acquire(List.of(demand.withCost(0)));
		}, walk);
	}

	private <T> T inBoth(long now, Function<StoreUnderTest, T> call, String what) {
		this.local.setClock(now);
		this.redis.setClock(now);
		T answer = call.apply(this.local);
		assertThat(call.apply(this.redis)).as(() -> what + " at " + now).isEqualTo(answer);
		return answer;
	}

	private static long later(Random random, long now, LimitOutcome outcome) {
		return now + switch (random.nextInt(6)) {
			case 0 -> random.nextInt(3);
			case 1 -> Math.max(0, outcome.resetAfter() - 1);
			case 2 -> outcome.resetAfter() + LATEST;
			case 3 -> outcome.resetAfter() / 2;
			case 4 -> outcome.resetAfter();
			default -> outcome.resetAfter() + random.nextInt(1000);
		};
	}

	/**
	 * Return a limit whose windows differ from those before by little or by much.
	 */
	private static Limit changed(Random random, Kind kind, Limit limit) {
		long millis = Math.round(limit.period().toMillis() * (0.3 + random.nextDouble()));
		return kind.changed(limit, 1 + random.nextInt(5), Math.max(1, millis));
	}

	private static long magnitude(Random random) {
		return Math.round(Math.exp(random.nextDouble() * Math.log(Duration.ofDays(300).toMillis())));
	}

	/**
	 * Algorithm, and the rules whose counts it is.
	 */
	private record Kind(AlgorithmUnderTest algorithm, String title, Function<Limit, RateLimitRule> rule) {

		static Stream<Kind> of(AlgorithmUnderTest algorithm) {
			Kind own = new Kind(algorithm, "", AlgorithmOnStore::rule);
			Kind planned = new Kind(algorithm, " under plans", AlgorithmOnStore::ruleWithPlans);
			Kind settled = new Kind(algorithm, " of calls that are settled", AlgorithmOnStore::settledRule);
			return own.hasDebt() ? Stream.of(own, planned, settled) : Stream.of(own, planned);
		}

		Limit limit(long max, long millis) {
			return this.algorithm.limitUpTo(max, Duration.ofMillis(millis));
		}

		/**
		 * A calendar is the same under all plans. What a warm-up stores does not contain
		 * its limit, so that it equals an unused one by the new limit later.
		 */
		Limit changed(Limit limit, long max, long millis) {
			return switch (this.algorithm) {
				case WARM_UP -> limit;
				case CALENDAR_WINDOW -> limit.withMax(max);
				default -> limit(max, millis);
			};
		}

		boolean hasDebt() {
			return this.algorithm.algorithm().hasDebt();
		}

		@Override
		public String toString() {
			return this.algorithm + this.title;
		}

	}

}
