package io.github.ratelimit.client;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeout;

class RetryAfterFieldTests {

	private final Clock clock = Clock.fixed(Instant.parse("2026-11-23T20:00:00Z"), ZoneOffset.UTC);

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			0                                | 0
			120                              | 120
			999999999999999                  | 999999999999999
			1000000000000000                 | 1000000000000000
			99999999999999999999999          | 1000000000000000
			Mon, 23 Nov 2026 20:00:30 GMT    | 30
			Mon, 23 Nov 2026 19:59:00 GMT    | -60
			Monday, 23-Nov-26 20:00:30 GMT   | 30
			Mon Nov 23 20:00:30 2026         | 30
			Tue Dec  1 20:00:00 2026         | 691200
			""")
	void timeUntilARequestMayBeRepeated(String field, long seconds) {
		assertThat(Answer.RetryAfterField.time(field, this.clock)).isEqualTo(Duration.ofSeconds(seconds));
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "soon", "-1", "1.5", "30s", "+30", "2026-11-23T20:00:30Z",
			"Tue, 23 Nov 2026 20:00:30 GMT", "1000000000000000000000000000000000000000000000000000000000000000000",
			"Mon, 23 Nov 2026", "30, 40", "\u0663" })
	void malformedField(String field) {
		assertThat(Answer.RetryAfterField.time(field, this.clock)).isNull();
	}

	@Test
	void longFieldIsMalformed() {
		assertTimeout(Duration.ofSeconds(1), () -> {
			assertThat(Answer.RetryAfterField.time("9".repeat(350_000), this.clock)).isNull();
			assertThat(Answer.RetryAfterField.time("0".repeat(350_000), this.clock)).isNull();
			assertThat(Answer.RetryAfterField.time("9".repeat(350_000) + 'x', this.clock)).isNull();
		});
	}

}
