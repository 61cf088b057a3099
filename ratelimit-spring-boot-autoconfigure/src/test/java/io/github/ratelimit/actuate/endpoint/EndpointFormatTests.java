package io.github.ratelimit.actuate.endpoint;

import java.time.Duration;
import java.time.Instant;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Times are rounded up, so that a call after them is not too early.
 */
class EndpointFormatTests {

	private static final Instant NOW = Instant.parse("2026-11-23T19:00:00Z");

	@Test
	void beginningMillisecondAndSecondAreWholeOnes() {
		assertThat(EndpointFormat.millis(Duration.ofMillis(2))).isEqualTo(2);
		assertThat(EndpointFormat.millis(Duration.ofMillis(2).plusNanos(1))).isEqualTo(3);
		assertThat(EndpointFormat.instant(NOW, Duration.ofSeconds(1))).isEqualTo("2026-11-23T19:00:01Z");
		assertThat(EndpointFormat.instant(NOW, Duration.ofSeconds(1).plusNanos(1))).isEqualTo("2026-11-23T19:00:02Z");
	}

	@Test
	void countdownIsInMillisecondsBelowASecondAndAnInstantBeyondAnHour() {
		assertThat(EndpointFormat.when(NOW, Duration.ofMillis(999))).isEqualTo("in 999 ms");
		assertThat(EndpointFormat.when(NOW, Duration.ofSeconds(1))).isEqualTo("in 1 s");
		assertThat(EndpointFormat.when(NOW, Duration.ofMillis(1_401))).isEqualTo("in 1.5 s");
		assertThat(EndpointFormat.when(NOW, Duration.ofHours(1))).isEqualTo("in 3600 s");
		assertThat(EndpointFormat.when(NOW, Duration.ofHours(1).plusMillis(1))).isEqualTo("at 2026-11-23T20:00:01Z");
	}

}
