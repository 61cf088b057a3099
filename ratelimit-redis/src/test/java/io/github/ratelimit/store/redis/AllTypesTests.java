package io.github.ratelimit.store.redis;

import java.time.Duration;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import io.github.ratelimit.Ban;
import io.github.ratelimit.Limit;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.algorithm.CountType;
import io.github.ratelimit.store.Correction;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.Demands;
import io.github.ratelimit.store.StoreAnswer;
import io.github.ratelimit.store.tck.AlgorithmOnStore;
import io.github.ratelimit.store.tck.AlgorithmUnderTest;
import io.github.ratelimit.store.tck.LocalStoreUnderTest;
import io.github.ratelimit.store.tck.StoreUnderTest;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Scripts of counts of all types, which calls under many rules need: Lua allows a
 * function 200 local variables.
 */
@Tag("every-redis")
class AllTypesTests {

	private static final Duration DAY = Duration.ofDays(1);

	private static final long SECOND = 1_000_000;

	private final StoreUnderTest local = new LocalStoreUnderTest();

	private final StoreUnderTest redis = new RedisStoreUnderTest();

	static Stream<Arguments> scripts() {
		return Stream.concat(
				Stream.of(Arguments.of("decide", CountingScripts.deciding()),
						Arguments.of("preview", CountingScripts.previewing()),
						Arguments.of("owe", CountingScripts.withDebt("each-count", "owe"))),
				Stream.of("peek", "refund", "charge", "hold")
					.map((operation) -> Arguments.of(operation, new CountingScripts("each-count", operation))));
	}

	/**
	 * The reply to no calls is the time.
	 */
	@ParameterizedTest(name = "{0}")
	@MethodSource("scripts")
	void redisRunsScriptsOfAllTypesOfAllButOneAndOfOne(String operation, CountingScripts scripts) {
		ScriptRunner runner = new SynchronousScriptRunner(RedisUnderTest.process());
		Set<CountType> all = EnumSet.allOf(CountType.class);
		Stream<Set<CountType>> types = Stream.concat(Stream.of(all),
				all.stream().flatMap((type) -> Stream.of(EnumSet.of(type), EnumSet.complementOf(EnumSet.of(type)))));
		assertThat(types).allSatisfy(
				(some) -> assertThat(runner.run(scripts.of(some), new byte[0][], new byte[][] { {}, {} }).join())
					.hasSize(Long.BYTES));
	}

	@Test
	void callUnderRulesOfAllTypesIsPreviewedDecidedAndCorrectedAsOnTheLocalStore() {
		List<Demand> demands = rules()
			.map((rule) -> new Demand(rule, AlgorithmOnStore.freshKey(), 2,
					rule.limits().get(0).hasSlots() ? Duration.ZERO : DAY))
			.toList();
		Demands call = Demands.of(demands);
		setClock(0);
		StoreAnswer first = inBoth((store) -> store.answer(call), StoreUnderTest::outcomes);
		setClock(SECOND / 2);
		inBoth((store) -> store.store().preview(call), StoreUnderTest::outcomes);
		StoreAnswer second = inBoth((store) -> store.answer(call), StoreUnderTest::outcomes);
		assertThat(List.of(first, second)).allMatch(StoreAnswer::isAdmitted);
		assertThat(second.refunds()).anyMatch(Correction::hasWaited);
		setClock(SECOND);
		correct(demands,
				first.refunds()
					.stream()
					.map((taken) -> Correction.debt(taken.demand(), taken.countedAt(), taken.decidedAt()))
					.toList());
		correct(demands, second.refunds());
	}

	private static Stream<RateLimitRule> rules() {
		Limit bucket = AlgorithmUnderTest.TOKEN_BUCKET.limit(10, DAY);
		return Stream
			.concat(Arrays.stream(AlgorithmUnderTest.values())
				.map((algorithm) -> RateLimitRule.named(algorithm.toString()).limit(algorithm.limit(10, DAY))),
					Stream.of(RateLimitRule.named("settled").limit(bucket).settle("1"),
							RateLimitRule.named("interval").limit(bucket.withMinInterval(Duration.ofSeconds(1))),
							RateLimitRule.named("banning").limit(bucket).ban(new Ban(5, DAY, DAY)),
							RateLimitRule.named("prefetching").limit(bucket).prefetch(Duration.ofMillis(20)),
							RateLimitRule.named("running").limit(Limit.ofConcurrency(10))))
			.map(RateLimitRule.Builder::build);
	}

	private void setClock(long micros) {
		this.local.setClock(AlgorithmOnStore.NOW + micros);
		this.redis.setClock(AlgorithmOnStore.NOW + micros);
	}

	private void correct(List<Demand> demands, List<Correction> corrections) {
		this.local.correct(corrections);
		this.redis.correct(corrections);
		assertThat(demands)
			.allSatisfy((demand) -> inBoth((store) -> store.peek(demand.withCost(1)), Function.identity()));
	}

	private <T> T inBoth(Function<StoreUnderTest, T> call, Function<T, ?> fields) {
		T answer = call.apply(this.redis);
		assertThat(fields.apply(answer)).isEqualTo(fields.apply(call.apply(this.local)));
		return answer;
	}

}
