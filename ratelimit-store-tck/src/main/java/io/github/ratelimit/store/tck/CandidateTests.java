package io.github.ratelimit.store.tck;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.Headroom;
import io.github.ratelimit.Limit;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.store.Correction;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.Demands;
import io.github.ratelimit.store.RuleAnswer;
import io.github.ratelimit.store.RuleCounts;
import io.github.ratelimit.store.StoreAnswer;
import io.github.ratelimit.store.StoredKey;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

/**
 * Candidates of rules: each decides the calls of its rule as a rule of its numbers that
 * is asked by itself for the same calls at the same times, and changes no decision.
 */
@Tag("every-redis")
class CandidateTests {

	private static final Duration MINUTE = Duration.ofMinutes(1);

	private static final int CALLS = Seeds.steps(100_000);

	private static final int CALLS_PER_RULE = 100;

	static Stream<Arguments> storesWithSeeds() {
		return AlgorithmOnStore.STORES.stream()
			.flatMap((store) -> Seeds.seeds().mapToObj((seed) -> Arguments.of(store, seed)));
	}

	@CommonTest
	void candidateDecidesCallsThatTheLimitDenies(AlgorithmOnStore on) {
		assumeThat(on.algorithm()).isNotEqualTo(AlgorithmUnderTest.WARM_UP);
		RuleCounts counts = RuleCounts.of(RateLimitRule.named("tried")
			.limit(on.algorithm().limit(2, MINUTE))
			.candidate("loose", on.algorithm().limit(3, MINUTE))
			.candidate("tight", on.algorithm().limit(1, MINUTE))
			.build());
		Demand call = new Demand(counts, AlgorithmOnStore.freshKey(), 1);
		on.store().setClock(AlgorithmOnStore.NOW);
		assertThat(decisions(on.store().answer(call))).containsExactly(true, true, true);
		assertThat(decisions(on.store().answer(call))).containsExactly(true, true, false);
		assertThat(decisions(on.store().answer(call))).containsExactly(false, true, false);
		assertThat(decisions(on.store().answer(call))).containsExactly(false, false, false);
	}

	@StoreTest
	void callsWithoutCostAreNotTried(StoreUnderTest store) {
		RuleCounts counts = RuleCounts.of(RateLimitRule.named("tried")
			.limit(2, MINUTE)
			.algorithm(Algorithm.TOKEN_BUCKET)
			.candidate("tight", Limit.of(1, MINUTE))
			.build());
		String key = AlgorithmOnStore.freshKey();
		assertThat(store.answer(new Demand(counts, key, 0)).tried()).isEmpty();
		assertThat(store.answerToPeek(new Demand(counts, key, 1)).tried()).isEmpty();
		assertThat(decisions(store.answer(new Demand(counts, key, 1)))).containsExactly(true, true);
	}

	@StoreTest
	void changedCandidateBeginsAnewAndTheRuleGoesOn(StoreUnderTest store) {
		RateLimitRule rule = RateLimitRule.named("tried")
			.limit(2, MINUTE)
			.algorithm(Algorithm.SLIDING_LOG)
			.candidate("tight", Limit.of(1, MINUTE))
			.build();
		RateLimitRule changed = RateLimitRule.named("tried")
			.limit(2, MINUTE)
			.algorithm(Algorithm.SLIDING_LOG)
			.candidate("tight", Limit.of(1, MINUTE.multipliedBy(2)))
			.build();
		String key = AlgorithmOnStore.freshKey();
		store.setClock(AlgorithmOnStore.NOW);
		assertThat(decisions(store.answer(new Demand(rule, key, 1)))).containsExactly(true, true);
		assertThat(decisions(store.answer(new Demand(changed, key, 1)))).containsExactly(true, true);
		assertThat(decisions(store.answer(new Demand(rule, key, 1)))).containsExactly(false, false);
	}

	@ParameterizedTest(name = "{0}, seed {1}")
	@MethodSource("storesWithSeeds")
	void candidateDecidesAsARuleThatIsAskedByItself(StoreUnderTest store, long seed) {
		walk(store, seed, 1);
	}

	/**
	 * Versions of the rule that take turns differ in its limits, and in all candidates
	 * but one.
	 */
	@ParameterizedTest(name = "{0}, seed {1}")
	@MethodSource("storesWithSeeds")
	void candidateThatStaysDecidesTheCallsOfAllVersions(StoreUnderTest store, long seed) {
		walk(store, seed, 3);
	}

	private static void walk(StoreUnderTest store, long seed, int versions) {
		Random random = new Random(seed);
		for (int i = 0; i < CALLS / CALLS_PER_RULE; i++) {
			new Tried(store, random, versions, "seed " + seed + ", rule " + i).run();
		}
	}

	private static List<Boolean> decisions(StoreAnswer answer) {
		return Stream.concat(Stream.of(answer), answer.tried().stream()).map(StoreAnswer::isAdmitted).toList();
	}

	/**
	 * Versions of a rule with candidates.
	 */
	private static final class Tried {

		private static final List<String> NAMES = List.of("one", "two", "three", "four");

		private final StoreUnderTest store;

		private final Random random;

		private final String description;

		private final boolean hasClasses;

		private final List<Version> versions = new ArrayList<>();

		/**
		 * Another rule of some calls, which denies most of them.
		 */
		private final RuleCounts other = RuleCounts
			.of(RateLimitRule.named("other").limit(1, Duration.ofMillis(1)).algorithm(Algorithm.SLIDING_LOG).build());

		private final List<String> keys = List.of(AlgorithmOnStore.freshKey(), AlgorithmOnStore.freshKey());

		private final List<Sent> sent = new ArrayList<>();

		private long now = AlgorithmOnStore.NOW;

		Tried(StoreUnderTest store, Random random, int versions, String description) {
			this.store = store;
			this.random = random;
			this.description = description;
			this.hasClasses = random.nextInt(4) == 0;
			List<Limit> staying = limits(1 + random.nextInt(2));
			for (int i = 0; i < versions; i++) {
				this.versions.add(version(staying));
			}
		}

		/**
		 * Return a version, one of whose candidates has these limits.
		 */
		private Version version(List<Limit> staying) {
			Headroom headroom = Headroom.ofPercent(this.random.nextInt(50));
			RateLimitRule.Builder builder = rule("tried", limits(staying.size()), headroom);
			int candidates = 1 + this.random.nextInt(NAMES.size());
			int place = this.random.nextInt(candidates);
			for (int i = 0; i < candidates; i++) {
				boolean stays = i == place;
				builder.candidate(stays ? "staying" : NAMES.get(i), stays ? staying : limits(staying.size()));
			}
			RateLimitRule built = builder.build();
			List<RuleCounts> alone = new ArrayList<>();
			built.candidates().forEach((name, limits) -> {
				String own = name + '-' + Integer.toHexString(limits.hashCode());
				alone.add(RuleCounts.of(rule(own, limits, headroom).build()));
			});
			return new Version(RuleCounts.of(built), alone);
		}

		private RateLimitRule.Builder rule(String name, List<Limit> limits, Headroom headroom) {
			RateLimitRule.Builder builder = RateLimitRule.named(name);
			limits.forEach(builder::limit);
			return this.hasClasses ? builder.headroom("low", headroom) : builder;
		}

		private Version anyVersion() {
			return this.versions.get(this.random.nextInt(this.versions.size()));
		}

		private List<Limit> limits(int size) {
			List<Limit> limits = new ArrayList<>();
			for (int i = 0; i < size; i++) {
				AlgorithmUnderTest[] all = AlgorithmUnderTest.values();
				AlgorithmUnderTest algorithm = this.hasClasses ? AlgorithmUnderTest.TOKEN_BUCKET
						: all[this.random.nextInt(all.length)];
				Limit limit = algorithm.limit(2 + this.random.nextInt(8),
						Duration.ofMillis(100 + this.random.nextInt(3000)));
				limits.add((size > 1) ? limit.withName("limit-" + i) : limit);
			}
			return limits;
		}

		void run() {
			for (int i = 0; i < CALLS_PER_RULE; i++) {
				if (this.random.nextInt(5) == 0) {
					checkAll();
					this.now += this.random.nextInt(700_000);
				}
				this.store.setClock(this.now);
				send();
				if (this.random.nextInt(30) == 0) {
					checkAll();
					reset();
				}
			}
			checkAll();
		}

		/**
		 * Send a call of a version, and the same to the rule of each candidate's numbers.
		 */
		private void send() {
			String key = this.keys.get(this.random.nextInt(this.keys.size()));
			long cost = 1 + this.random.nextInt(3);
			Duration wait = (this.random.nextInt(5) == 0) ? Duration.ofMillis(this.random.nextInt(500)) : Duration.ZERO;
			String priority = this.random.nextBoolean() ? "low" : null;
			Version version = anyVersion();
			Demand demand = demand(version.rule, key, cost, wait, priority);
			Demands demands = (this.random.nextInt(4) == 0) ? Demands.of(demand,
					new Demand(this.other, AlgorithmOnStore.freshKey(), 1 + this.random.nextInt(2))) : demand;
			CompletionStage<StoreAnswer> answer = this.store.store().acquireAsync(demands);
			List<CompletionStage<StoreAnswer>> byThemselves = new ArrayList<>();
			for (RuleCounts each : version.alone) {
				byThemselves.add(this.store.store().acquireAsync(demand(each, key, cost, wait, priority)));
			}
			this.sent.add(new Sent(answer, byThemselves));
		}

		private Demand demand(RuleCounts counts, String key, long cost, Duration wait, String priority) {
			Demand demand = new Demand(counts, key, cost, wait);
			return this.hasClasses ? demand.withPriority(priority).belowHeadroom() : demand;
		}

		private void checkAll() {
			for (Sent each : this.sent) {
				check(each);
			}
			this.sent.clear();
		}

		private void check(Sent each) {
			StoreAnswer call = each.answer.toCompletableFuture().join();
			assertThat(call.tried()).as(this.description).hasSameSizeAs(each.byThemselves);
			boolean isRefunded = call.isAdmitted() && this.random.nextInt(10) == 0;
			List<Correction> refunds = new ArrayList<>(isRefunded ? call.refunds() : List.of());
			for (int i = 0; i < call.tried().size(); i++) {
				RuleAnswer tried = call.tried().get(i);
				RuleAnswer alone = each.byThemselves.get(i).toCompletableFuture().join().get(0);
				assertThat(tried.outcomes()).as(() -> this.description + ": " + tried + " and " + alone)
					.isEqualTo(alone.outcomes());
				assertThat(tried.isAdmitted()).as(this.description).isEqualTo(alone.isAdmitted());
				assertThat(tried.time()).as(this.description).isEqualTo(call.get(0).time());
				if (isRefunded && alone.isAdmitted()) {
					refunds.add(alone.refund());
				}
			}
			if (!refunds.isEmpty()) {
				this.store.correct(refunds);
			}
		}

		private void reset() {
			StoredKey key = StoredKey.of(this.keys.get(this.random.nextInt(this.keys.size())));
			Version version = anyVersion();
			for (int i = 0; i < version.alone.size(); i++) {
				this.store.store().reset(version.rule.candidate(i), key);
				this.store.store().reset(version.alone.get(i), key);
			}
		}

		/**
		 * Version of the rule, and rules of its candidates' numbers. Candidates that stay
		 * have the same one.
		 */
		private record Version(RuleCounts rule, List<RuleCounts> alone) {

		}

		/**
		 * Call that was sent.
		 */
		private record Sent(CompletionStage<StoreAnswer> answer, List<CompletionStage<StoreAnswer>> byThemselves) {

		}

	}

}
