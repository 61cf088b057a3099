package io.github.ratelimit.migration.resilience4j;

import io.github.ratelimit.migration.Instance;
import io.github.ratelimit.migration.Traffic;
import org.junit.jupiter.api.Test;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;

import static org.assertj.core.api.Assertions.assertThat;

class Resilience4jTests {

	@Test
	void eachInstanceOfTheOneAdmitsWhatAllInstancesOfTheOtherAdmitTogether() {
		assertThat(admittedByTwo(Before.class, "resilience4j/before.yml")).containsExactly(5, 5);
		assertThat(admittedByTwo(After.class, "resilience4j/after.yml")).containsExactly(5, 0);
	}

	@Test
	void bothAdmitTheSameInOneProcess() {
		try (Instance after = Instance.start(After.class, "resilience4j/after-local.yml")) {
			assertThat(admitted(after)).isEqualTo(5);
		}
	}

	private static long[] admittedByTwo(Class<?> application, String yaml) {
		try (Instance one = Instance.start(application, yaml); Instance other = Instance.start(application, yaml)) {
			return new long[] { admitted(one), admitted(other) };
		}
	}

	private static long admitted(Instance instance) {
		Quotes quotes = instance.bean(Quotes.class);
		return Traffic.admitted(8, () -> quotes.quote("ACME").equals("new"));
	}

	@FunctionalInterface
	interface Quotes {

		String quote(String symbol);

	}

	@SpringBootConfiguration
	@EnableAutoConfiguration
	@Import(CycleQuotes.class)
	static class Before {

		@Bean
		Quotes quotes(CycleQuotes quotes) {
			return quotes::quote;
		}

	}

	@SpringBootConfiguration
	@EnableAutoConfiguration
	@Import(LimitedQuotes.class)
	static class After {

		@Bean
		Quotes quotes(LimitedQuotes quotes) {
			return quotes::quote;
		}

	}

}
