package io.github.ratelimit.benchmarks.session;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.within;

class ConditionsTests {

	@ParameterizedTest
	@CsvSource({ "0, 100000, 100000, false", "2, 100000, 85000, false", "2.1, 100000, 100000, true",
			"0, 100000, 84000, true", "0, 84000, 100000, true" })
	void stolenTimeOrAChangedRateOfIncrDisturbs(double stolen, double before, double after, boolean disturbed) {
		assertThat(new Conditions(0, 2, stolen, before, after).disturbed()).isEqualTo(disturbed);
	}

	@Test
	void captionHasLoadStolenTimeAndRates() {
		assertThat(new Conditions(0.123, 2.5, 0.04, 98_765, 101_234).describe())
			.isEqualTo("Load average 0.12 before, 2.50 after; 0.0 % of the processor time stolen; "
					+ "`INCR` by `redis-benchmark` 98,800/s before, 101,000/s after.");
	}

	@Test
	void stolenTimeIsPartOfTheTimeOfAllProcessors() {
		ProcessorTime before = ProcessorTime.parse("cpu  100 0 50 800 0 0 10 40 7 0");
		ProcessorTime after = ProcessorTime.parse("cpu  200 0 100 1600 0 0 20 80 9 0");
		assertThat(before).isEqualTo(new ProcessorTime(1000, 40));
		assertThat(after.percentStolenSince(before)).isEqualTo(4, within(1e-9));
		assertThat(after.percentStolenSince(after)).isZero();
	}

	@Test
	void rateOfIncrIsReadFromCsv() {
		assertThat(IncrRate.parse("""
				"test","rps","avg_latency_ms"
				"INCR","98765.43","0.3"
				""")).isEqualTo(98_765.43);
		assertThatIllegalStateException().isThrownBy(() -> IncrRate.parse("Could not connect"))
			.withMessageContaining("Could not connect");
	}

}
