package io.github.ratelimit.autoconfigure;

import java.util.List;
import java.util.stream.Stream;

import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Attributes without meaning beside slots stop startup.
 */
@ExtendWith(OutputCaptureExtension.class)
class SlotMistakeTests {

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			textBlock = """
					period=60                           | period = 1m is invalid: concurrency limits the calls that run at once, not the calls per period.
					lease=500ms                         | lease = 500ms is invalid: it has to be between 1 s and 1 h.
					lease=0                             | lease = 0ms is invalid: it has to be between 1 s and 1 h.
					lease=1500500us                     | lease = PT1.5005S is invalid: it has to be a whole number of milliseconds.
					lease=2h                            | lease = 2h is invalid: it has to be between 1 s and 1 h.
					min-interval=1s                     | min-interval = 1s is invalid: concurrency limits the calls that run at once, whenever they begin.
					max-wait=2s                         | max-wait = 2s is invalid: it is unknown when running calls end, so the wait for a slot has no length.
					prefetch=20ms                       | prefetch = 20ms is invalid: an instance would hold slots that no call uses, and keep them from the others.
					ban.after=3, ban.within=1m, ban.lasting=1h | ban = after 3 denials within 1m for 1h is invalid: a key whose calls run long would be banned although it does nothing wrong.
					unless=#error == null               | unless = "#error == null" is invalid: a call frees its slots when it ends, however it ends.
					calendar=day                        | calendar = day is invalid: concurrency limits the calls that run at once, not the calls per period.
					count-denied=true                   | count-denied = true is invalid: it has no effect with the algorithm concurrency, only with sliding-log and fixed-window.
					""")
	void propertyWithoutMeaningStopsStartup(String properties, String description, CapturedOutput output) {
		List<String> all = Stream.concat(Stream.of("algorithm=concurrency", "max=3"), Stream.of(properties.split(", ")))
			.map("ratelimit.rules.export."::concat)
			.toList();
		assertThat(StartFailure.of(output, List.of(), all).description())
			.isEqualTo("ratelimit.rules.export." + description);
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			textBlock = """
					max-wait=2s   | max-wait = 2s is invalid: it is unknown when running calls end, so the wait for a slot has no length.
					prefetch=20ms | prefetch = 20ms is invalid: an instance would hold slots that no call uses, and keep them from the others.
					""")
	void propertyOfARuleWithSeveralLimitsIsNamedAsThatOfTheRule(String property, String description,
			CapturedOutput output) {
		List<String> all = Stream
			.of("limits[0].name=running", "limits[0].algorithm=concurrency", "limits[0].max=3", "limits[1].name=day",
					"limits[1].max=9", "limits[1].period=1d", property)
			.map("ratelimit.rules.export."::concat)
			.toList();
		StartFailure failure = StartFailure.of(output, List.of(), all);
		assertThat(failure.description()).isEqualTo("ratelimit.rules.export." + description);
		assertThat(failure.action())
			.isEqualTo("Remove it, or write a rule of its own for the limit with the algorithm concurrency.");
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			textBlock = """
					lease=0                        | lease = 0ms is invalid: it has to be between 1 s and 1 h.
					lease=10s                      | lease = 10s is invalid: it has no effect with the algorithm sliding-log, only with concurrency.
					lease=10s, limits[0].lease=10m | lease = 10s is invalid: it has no effect with the algorithm sliding-log, only with concurrency.
					limits[0].lease=0              | limits[0].lease = 0ms is invalid: it has to be between 1 s and 1 h.
					limits[1].lease=10s            | limits[1].lease = 10s is invalid: it has no effect with the algorithm sliding-log, only with concurrency.
					""")
	void defaultOfSeveralLimitsIsNamedWhereItIsWritten(String properties, String description, CapturedOutput output) {
		List<String> all = Stream
			.concat(Stream.of("limits[0].name=running", "limits[0].algorithm=concurrency", "limits[0].max=3",
					"limits[1].name=day", "limits[1].max=9", "limits[1].period=1d"), Stream.of(properties.split(", ")))
			.map("ratelimit.rules.export."::concat)
			.toList();
		assertThat(StartFailure.of(output, List.of(), all).description())
			.isEqualTo("ratelimit.rules.export." + description);
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			textBlock = """
					ratelimit.defaults.algorithm=concurrency | ratelimit.defaults.algorithm = concurrency is invalid: limits with a period would have no meaning.
					""")
	void isNoDefault(String property, String description, CapturedOutput output) {
		assertThat(StartFailure.of(output, List.of(), List.of(property)).description()).isEqualTo(description);
	}

}
