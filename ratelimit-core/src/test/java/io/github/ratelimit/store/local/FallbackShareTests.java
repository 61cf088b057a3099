package io.github.ratelimit.store.local;

import java.time.Duration;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import io.github.ratelimit.Adaptive;
import io.github.ratelimit.Algorithm;
import io.github.ratelimit.Limit;
import io.github.ratelimit.RateLimitConfigurationException;
import io.github.ratelimit.RateLimitRule;

import static io.github.ratelimit.store.local.FallbackCalls.DAY;
import static io.github.ratelimit.store.local.FallbackCalls.charge;
import static io.github.ratelimit.store.local.FallbackCalls.log;
import static io.github.ratelimit.store.local.FallbackCalls.peek;
import static io.github.ratelimit.store.local.FallbackCalls.rule;
import static io.github.ratelimit.store.local.FallbackCalls.take;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNoException;

/**
 * Share of each limit that an instance counts in its fallback.
 */
class FallbackShareTests {

	private final LocalRateLimitStore back = new LocalRateLimitStore(1_000);

	@ParameterizedTest
	@CsvSource({ "100, 1, 100", "100, 0.25, 25", "10, 0.25, 2", "3, 0.25, 1", "1, 0.01, 1" })
	void instanceAdmitsItsShareAndAtLeastOneUnit(long max, double share, long admitted) {
		LocalFallbackStore shared = new LocalFallbackStore(100, share);
		RateLimitRule rule = rule(log(max, DAY));
		assertThat(peek(shared, rule, "key")).isEqualTo(admitted);
	}

	@Test
	void shareOfABucketIsAShareOfItsBurst() {
		LocalFallbackStore shared = new LocalFallbackStore(100, 0.5);
		assertThat(peek(shared, rule(bucket(Algorithm.TOKEN_BUCKET).withBurst(40)), "a")).isEqualTo(20);
		assertThat(peek(shared, rule(bucket(Algorithm.TOKEN_BUCKET)), "b")).isEqualTo(50);
		assertThat(peek(shared, rule(bucket(Algorithm.LEAKY_BUCKET)), "c")).isEqualTo(1);
		assertThat(peek(shared, rule(bucket(Algorithm.LEAKY_BUCKET).withBurst(10)), "d")).isEqualTo(5);
	}

	@Test
	void unitsOfAShareAreChargedToTheWholeLimit() {
		LocalFallbackStore shared = new LocalFallbackStore(100, 0.25);
		RateLimitRule rule = rule(bucket(Algorithm.TOKEN_BUCKET));
		take(this.back, rule, "key", 60);
		take(shared, rule, "key", 20);
		charge(shared, this.back);
		assertThat(peek(this.back, rule, "key")).isEqualTo(20);
	}

	static Stream<Limit> limitsOfWhichHalfIsNone() {
		Limit warmUp = Limit.of(10, Duration.ofMinutes(1)).withAlgorithm(Algorithm.WARM_UP);
		Limit adaptive = Limit.of(100, Duration.ofMinutes(1))
			.withAlgorithm(Algorithm.WARM_UP)
			.withWarmUpPeriod(Duration.ofSeconds(10))
			.withAdaptive(new Adaptive("cpu", new Adaptive.Point(0.5, 100), new Adaptive.Point(0.9, 10)));
		return Stream.of(warmUp.withWarmUpPeriod(Duration.ofSeconds(10)),
				Limit.of(3, Duration.ofDays(366)).withAlgorithm(Algorithm.TOKEN_BUCKET).withBurst(32), adaptive);
	}

	@ParameterizedTest
	@MethodSource("limitsOfWhichHalfIsNone")
	void ruleOfWhichTheShareIsNoneIsRefused(Limit limit) {
		RateLimitRule rule = rule(limit);
		assertThatExceptionOfType(RateLimitConfigurationException.class)
			.isThrownBy(() -> new LocalFallbackStore(100, 0.5).validate(rule))
			.withMessageStartingWith(
					"ratelimit.redis.fallback-share = 0.5 is invalid: while the store cannot answer, one "
							+ "instance would count the rule \"rule\", ")
			.withMessageEndingWith("Write a larger share, or on-store-failure: allow or deny for this rule.");
		assertThatNoException().isThrownBy(() -> new LocalFallbackStore(100, 1).validate(rule));
	}

	@Test
	void maxAndBurstAreSharedTogether() {
		RateLimitRule rule = rule(
				Limit.of(4, Duration.ofDays(366)).withAlgorithm(Algorithm.TOKEN_BUCKET).withBurst(40));
		LocalFallbackStore half = new LocalFallbackStore(100, 0.5);
		half.validate(rule);
		assertThat(peek(half, rule, "key")).isEqualTo(20);
	}

	private static Limit bucket(Algorithm algorithm) {
		return Limit.of(100, DAY).withAlgorithm(algorithm);
	}

}
