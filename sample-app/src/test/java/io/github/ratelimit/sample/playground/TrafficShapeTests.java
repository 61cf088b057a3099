package io.github.ratelimit.sample.playground;

import java.time.Duration;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link TrafficShape} and {@link Traffic}.
 */
class TrafficShapeTests {

	@ParameterizedTest
	@CsvSource({ "STEADY,0,1", "STEADY,0.49,1", "STEADY,0.5,2", "STEADY,10,21", //
			"BURSTS,0,8", "BURSTS,3.9,8", "BURSTS,4,16", "BURSTS,8.1,24", //
			"ATTACK,0,1", "ATTACK,4,9", "ATTACK,5,25", "ATTACK,8,73", "ATTACK,12,81", "ATTACK,16,145", //
			"BY_HAND,10,0" })
	void countsTheCallsAtTwoPerSecond(TrafficShape shape, double seconds, long calls) {
		assertThat(shape.callsUntil(seconds, 2)).isEqualTo(calls);
	}

	@ParameterizedTest
	@EnumSource
	void neverTakesCallsBack(TrafficShape shape) {
		for (double seconds = 0; seconds < 30; seconds += 0.01) {
			assertThat(shape.callsUntil(seconds + 0.01, 7)).isGreaterThanOrEqualTo(shape.callsUntil(seconds, 7));
		}
	}

	@Test
	void endsByItself() {
		Traffic traffic = new Traffic(TrafficShape.STEADY, 5, Duration.ofSeconds(10));
		assertThat(traffic.isRunningAt(Duration.ofSeconds(129))).isTrue();
		assertThat(traffic.isRunningAt(Duration.ofSeconds(130))).isFalse();
	}

	@Test
	void hasABound() {
		Traffic traffic = new Traffic(TrafficShape.STEADY, 1_000_000, Duration.ZERO);
		assertThat(traffic.callsUntil(Duration.ofSeconds(1))).isEqualTo(1 + Traffic.MOST_PER_SECOND);
	}

}
