package io.github.ratelimit.store;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.Limit;
import io.github.ratelimit.picture.Picture;
import io.github.ratelimit.picture.SvgChart;
import io.github.ratelimit.picture.SvgChart.Point;
import io.github.ratelimit.store.redis.RedisStoreUnderTest;
import io.github.ratelimit.store.tck.AlgorithmOnStore;
import io.github.ratelimit.store.tck.LocalStoreUnderTest;
import io.github.ratelimit.store.tck.StoreUnderTest;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * 10 per second with a cold factor of 3 and a warm-up period of 10 s, through a burst,
 * saturation, little traffic, another burst and moderate traffic. Of 100 tokens 50 are
 * above the warning line. Draws {@code docs/images/warm-up.svg}.
 */
class WarmUpSimulationTests {

	private static final int MAX = 10;

	private static final int COLD_FACTOR = 3;

	private static final double TOKENS = 100;

	private static final double WARNING = 50;

	private static final Limit LIMIT = Limit.of(MAX, Duration.ofSeconds(1))
		.withAlgorithm(Algorithm.WARM_UP)
		.withWarmUpPeriod(Duration.ofSeconds(10))
		.withColdFactor(COLD_FACTOR);

	private static final List<Phase> PHASES = List.of(new Phase(20, 5), new Phase(100, 15), new Phase(2, 30),
			new Phase(20, 15), new Phase(4, 15));

	@ParameterizedTest(name = "{0}")
	@MethodSource("stores")
	void burstBeginsAtMaxThroughColdFactor(String name, List<StoreUnderTest> instances) {
		List<Second> burst = phase(0, simulate(instances));
		assertThat(burst.subList(0, 3)).extracting(Second::admitted).containsExactly(4, 3, 3);
		assertThat(burst).allMatch((second) -> second.admitted <= 5);
	}

	@ParameterizedTest(name = "{0}")
	@MethodSource("stores")
	void saturationRisesToMaxOnceTheWarmUpPeriodIsOver(String name, List<StoreUnderTest> instances) {
		List<Second> seconds = simulate(instances);
		assertThat(phase(1, seconds)).extracting(Second::admitted).isSorted();
		assertThat(seconds.subList(0, 10)).allMatch((second) -> second.admitted < MAX)
			.allMatch((second) -> second.stored > WARNING);
		assertThat(seconds.subList(11, 20)).allMatch((second) -> second.admitted == MAX)
			.allMatch((second) -> Math.abs(second.stored - WARNING) <= 1);
	}

	@ParameterizedTest(name = "{0}")
	@MethodSource("stores")
	void littleTrafficIsAdmittedOnceTheSaturationHasPaidAndTurnsItCold(String name, List<StoreUnderTest> instances) {
		List<Second> little = phase(2, simulate(instances));
		assertThat(little.subList(1, little.size())).allMatch((second) -> second.admitted == 2)
			.extracting(Second::stored)
			.isSorted();
		assertThat(little.get(little.size() - 1).stored).isEqualTo(TOKENS - 1);
	}

	@ParameterizedTest(name = "{0}")
	@MethodSource("stores")
	void nextBurstBeginsColdAgainAndWarmsUp(String name, List<StoreUnderTest> instances) {
		List<Second> seconds = simulate(instances);
		List<Second> burst = phase(3, seconds);
		assertThat(burst.subList(0, 5)).extracting(Second::admitted)
			.isEqualTo(phase(0, seconds).stream().map(Second::admitted).toList());
		assertThat(burst.get(burst.size() - 1).admitted).isEqualTo(MAX);
	}

	@ParameterizedTest(name = "{0}")
	@MethodSource("stores")
	void moderateTrafficIsAdmittedAndHoversAboutTheWarningLine(String name, List<StoreUnderTest> instances) {
		assertThat(phase(4, simulate(instances))).allMatch((second) -> second.admitted == 4)
			.allMatch((second) -> Math.abs(second.stored - WARNING) <= 1);
	}

	@Test
	void picturesInTheDocumentsAreCurrent() throws IOException {
		List<Second> seconds = simulate(List.of(new LocalStoreUnderTest()));
		List<String> lines = new ArrayList<>(List.of("second,offered,admitted,stored"));
		seconds.forEach((second) -> lines
			.add(second.second + "," + second.offered + "," + second.admitted + "," + second.stored));
		Files.write(Path.of("target", "warm-up.csv"), lines);
		Picture.assertCommitted("warm-up.svg", draw(seconds));
	}

	static Stream<Arguments> stores() {
		return Stream.of(Arguments.of("local", List.of(new LocalStoreUnderTest())),
				Arguments.of("two instances on redis", List.of(new RedisStoreUnderTest(), new RedisStoreUnderTest())));
	}

	private static List<Second> phase(int index, List<Second> seconds) {
		int begin = begin(index);
		return seconds.subList(begin, begin + PHASES.get(index).seconds);
	}

	private static int begin(int index) {
		return PHASES.subList(0, index).stream().mapToInt(Phase::seconds).sum();
	}

	private static List<Second> simulate(List<StoreUnderTest> instances) {
		String key = AlgorithmOnStore.freshKey();
		List<Second> seconds = new ArrayList<>();
		for (Phase phase : PHASES) {
			for (int i = 0; i < phase.seconds; i++) {
				seconds.add(simulate(instances, new Demand(AlgorithmOnStore.rule(LIMIT), key, 1), seconds.size(),
						phase.callsPerSecond));
			}
		}
		return seconds;
	}

	private static Second simulate(List<StoreUnderTest> instances, Demand demand, int second, int calls) {
		int admitted = 0;
		double stored = TOKENS;
		for (int call = 0; call < calls; call++) {
			StoreUnderTest instance = instances.get(call % instances.size());
			instance.setClock(AlgorithmOnStore.NOW + second * 1_000_000L + call * 1_000_000L / calls);
			LimitOutcome outcome = instance.acquire(List.of(demand)).get(0);
			if (outcome.admitted()) {
				admitted++;
				stored = stored(outcome);
			}
		}
		return new Second(second, calls, admitted, stored);
	}

	/**
	 * Return the tokens left after a call, derived from the time until all are refilled:
	 * those above the warning line are not refilled within {@code coldFactor} intervals.
	 */
	private static double stored(LimitOutcome outcome) {
		double seconds = outcome.resetAfter() / 1e6 - (double) COLD_FACTOR / MAX;
		return Math.round((TOKENS - seconds * MAX) * 1000) / 1000.0;
	}

	private static String draw(List<Second> seconds) {
		int end = seconds.size();
		SvgChart chart = new SvgChart("What warm-up admits of 20, 100, 2, 20 and 4 calls per second", "seconds", end,
				10);
		SvgChart.Panel admitted = chart.panel("admitted per second", MAX, 2, 150)
			.level((double) MAX / COLD_FACTOR, "max / cold-factor")
			.steps("#3b82f6", seconds.stream().map((second) -> new Point(second.second, second.admitted)).toList());
		IntStream.range(0, PHASES.size())
			.forEach((index) -> admitted.begin(begin(index), PHASES.get(index).callsPerSecond + "/s"));
		chart.panel("stored tokens", TOKENS, 25, 110)
			.level(WARNING, "warningToken")
			.level(TOKENS, "maxToken")
			.line("#d97706",
					Stream
						.concat(Stream.of(new Point(0, TOKENS)),
								seconds.stream().map((second) -> new Point(second.second + 1, second.stored)))
						.toList());
		return chart.svg();
	}

	private record Phase(int callsPerSecond, int seconds) {

	}

	/**
	 * Result of one second, with the tokens left after its last admitted call.
	 */
	private record Second(int second, int offered, int admitted, double stored) {

	}

}
