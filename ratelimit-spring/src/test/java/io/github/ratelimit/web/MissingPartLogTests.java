package io.github.ratelimit.web;

import io.github.ratelimit.MissingKeyPartException;
import io.github.ratelimit.engine.RecordedLog;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link MissingPartLog}.
 */
class MissingPartLogTests {

	@Test
	void ruleIsWarnedAboutAgainAMinuteLater() {
		long[] clock = { Long.MAX_VALUE };
		MissingPartLog warnings = new MissingPartLog("Such requests are answered with 400.", () -> clock[0]);
		MissingKeyPartException failure = new MissingKeyPartException("api", "principal", "No key.");
		try (RecordedLog log = new RecordedLog(MissingPartLog.class)) {
			for (int second = 0; second <= 120; second++) {
				warnings.warn(failure);
				clock[0] += 1_000_000_000;
			}
			assertThat(log.lines()).hasSize(3);
		}
	}

}
