package io.github.ratelimit.store.redis;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.BusyMachine;
import io.github.ratelimit.Limit;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.redis.process.RedisProcess;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.Demands;
import io.github.ratelimit.store.RuleAnswer;
import io.github.ratelimit.store.RuleCounts;
import io.github.ratelimit.store.StoreAnswer;
import io.github.ratelimit.store.StoreException;
import io.github.ratelimit.store.tck.AlgorithmOnStore;
import io.github.ratelimit.store.tck.AlgorithmUnderTest;
import io.github.ratelimit.store.tck.LocalStoreUnderTest;
import io.github.ratelimit.store.tck.Seeds;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Candidates of calls of two instances, in batches and between outages of Redis, decide
 * as rules of their numbers that the store in the process asks for the same calls, in the
 * order in which Redis decided them.
 */
@Tag("every-redis")
class CandidateOutageWalkTests {

	private static final int CALLS = Seeds.steps(100_000);

	private static final int CALLS_PER_RULE = 1_000;

	private static final int LONGEST_BURST = 60;

	private static final Duration TIMEOUT = Duration.ofMillis(500);

	private static RedisProcess redis;

	private static final List<LettuceConnectionFactory> connections = new ArrayList<>();

	private static final List<RedisRateLimitStore> instances = new ArrayList<>();

	private final LocalStoreUnderTest alone = new LocalStoreUnderTest();

	private int outages;

	private int unanswered;

	@BeforeAll
	static void start() {
		redis = RedisProcess.start();
		for (int i = 0; i < 2; i++) {
			connections.add(RedisUnderTest.connectionsTo(redis));
			instances.add(new RedisRateLimitStore(connections.get(i), "walk", TIMEOUT));
		}
		awaitInstances();
	}

	@AfterAll
	static void stop() {
		instances.forEach(RedisRateLimitStore::close);
		connections.forEach(LettuceConnectionFactory::destroy);
		redis.close();
	}

	@ParameterizedTest(name = "seed {0}")
	@MethodSource("io.github.ratelimit.store.tck.Seeds#seeds")
	void candidateDecidesAsARuleThatIsAskedByItself(long seed) {
		Random random = new Random(seed);
		int compared = 0;
		for (int i = 0; compared < CALLS; i++) {
			compared += walk(random, "seed " + seed + ", rule " + i, i % 5 == 0);
		}
		assertThat(this.outages).isPositive();
		assertThat(this.unanswered).isPositive();
	}

	/**
	 * Call a new rule with new keys.
	 * @param fails whether an outage ends the walk
	 * @return the number of calls whose candidates were compared
	 */
	private int walk(Random random, String description, boolean fails) {
		RuleCounts rule = RuleCounts.of(rule(random));
		List<String> keys = List.of(AlgorithmOnStore.freshKey(), AlgorithmOnStore.freshKey(),
				AlgorithmOnStore.freshKey());
		List<Answered> answered = new ArrayList<>();
		boolean isCalm = true;
		while (isCalm && answered.size() < CALLS_PER_RULE) {
			isCalm = addBurst(random, rule, keys, answered);
		}
		if (fails) {
			fail(random, rule, keys);
		}
		compare(rule, answered, description);
		return answered.size();
	}

	/**
	 * Return a rule, half of the time with candidates that count as it does.
	 */
	private static RateLimitRule rule(Random random) {
		List<AlgorithmUnderTest> all = List.of(AlgorithmUnderTest.values());
		List<AlgorithmUnderTest> algorithms = random.nextBoolean() ? all : List.of(all.get(random.nextInt(all.size())));
		RateLimitRule.Builder rule = RateLimitRule.named("tried").limit(limit(random, algorithms));
		int candidates = 1 + random.nextInt(4);
		for (int i = 0; i < candidates; i++) {
			rule.candidate("candidate-" + i, limit(random, algorithms));
		}
		return rule.build();
	}

	private static Limit limit(Random random, List<AlgorithmUnderTest> algorithms) {
		return algorithms.get(random.nextInt(algorithms.size()))
			.limit(2 + random.nextInt(30), Duration.ofMillis(1 + random.nextInt(100)));
	}

	/**
	 * Send calls by both instances, await the answers, and add them.
	 * @return {@code false} if one was not answered, and none is added
	 */
	private boolean addBurst(Random random, RuleCounts rule, List<String> keys, List<Answered> answered) {
		List<Sent> sent = send(random, rule, keys);
		try {
			sent.stream().map(Sent::answered).toList().forEach(answered::add);
			return true;
		}
		catch (CompletionException ex) {
			assertThat(ex).hasCauseInstanceOf(StoreException.class);
			return false;
		}
	}

	private static List<Sent> send(Random random, RuleCounts rule, List<String> keys) {
		List<Sent> sent = new ArrayList<>();
		int calls = 1 + random.nextInt(LONGEST_BURST);
		for (int i = 0; i < calls; i++) {
			int instance = random.nextInt(instances.size());
			Demand demand = new Demand(rule, keys.get(random.nextInt(keys.size())), 1 + random.nextInt(3));
			Demands demands = (random.nextInt(8) == 0) ? Demands.of(demand, other()) : demand;
			sent.add(new Sent(demand, instances.get(instance).acquireAsync(demands).toCompletableFuture()));
		}
		return sent;
	}

	/**
	 * Return the demand of another rule, which denies every second call.
	 */
	private static Demand other() {
		return new Demand(
				RateLimitRule.named("other").limit(1, Duration.ofMillis(1)).algorithm(Algorithm.TOKEN_BUCKET).build(),
				"any", 1);
	}

	/**
	 * Let Redis lose all counts, or keep them without answering, while calls are under
	 * way.
	 */
	private void fail(Random random, RuleCounts rule, List<String> keys) {
		boolean loses = random.nextBoolean();
		List<Sent> sent = new ArrayList<>(send(random, rule, keys));
		if (loses) {
			redis.kill();
		}
		else {
			redis.freeze();
		}
		sent.addAll(send(random, rule, keys));
		this.outages++;
		this.unanswered += sent.stream().filter((each) -> !each.isAnswered()).count();
		if (loses) {
			redis.restart();
		}
		else {
			redis.resume();
		}
		awaitInstances();
	}

	private static void awaitInstances() {
		for (RedisRateLimitStore instance : instances) {
			BusyMachine.awaitStore().untilAsserted(() -> instance.acquire(other()));
		}
	}

	/**
	 * Compare all candidates with rules of their numbers.
	 */
	private void compare(RuleCounts rule, List<Answered> answered, String description) {
		answered.sort(Comparator.comparingLong(Answered::time));
		Map<String, String> keys = new HashMap<>();
		for (Answered call : answered) {
			String key = keys.computeIfAbsent(call.demand.key().text(), (text) -> AlgorithmOnStore.freshKey());
			this.alone.setClock(call.time());
			assertThat(call.answer.tried()).as(description).hasSize(rule.candidateCount());
			for (int i = 0; i < rule.candidateCount(); i++) {
				RuleAnswer tried = call.answer.tried().get(i);
				StoreAnswer asked = this.alone.answer(new Demand(rule.candidate(i), key, call.demand.cost()));
				assertThat(tried.outcomes()).as(() -> description + ": " + tried + " and " + asked)
					.isEqualTo(asked.get(0).outcomes());
			}
		}
	}

	/**
	 * Call that was sent.
	 */
	private record Sent(Demand demand, CompletableFuture<StoreAnswer> answer) {

		Answered answered() {
			return new Answered(this.demand, this.answer.join());
		}

		boolean isAnswered() {
			try {
				this.answer.join();
				return true;
			}
			catch (CompletionException ex) {
				assertThat(ex).hasCauseInstanceOf(StoreException.class);
				return false;
			}
		}

	}

	/**
	 * Call that Redis has decided. Those of one script call have the same time, and the
	 * order in which they were sent.
	 */
	private record Answered(Demand demand, StoreAnswer answer) {

		long time() {
			return this.answer.get(0).time();
		}

	}

}
