package io.github.ratelimit.actuate.endpoint;

import org.junit.jupiter.api.Test;

import io.github.ratelimit.RateLimitConfigurationException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * The path of a request contains a rule and optionally a key, which may be in the query
 * instead.
 */
class RulePathTests {

	@Test
	void keyIsInThePathOrInTheQuery() {
		RulePath expected = new RulePath("log", "laoqian");
		assertThat(RulePath.of(path("log", "laoqian"), null)).isEqualTo(expected);
		assertThat(RulePath.of(path("log"), "laoqian")).isEqualTo(expected);
		assertThat(RulePath.of(path("log"), null)).isEqualTo(new RulePath("log", null));
	}

	@Test
	void keyInBothPlacesIsRefused() {
		assertThatExceptionOfType(RateLimitConfigurationException.class)
			.isThrownBy(() -> RulePath.of(path("log", "a"), "b"))
			.withMessageContaining("the path has a key already");
	}

	@Test
	void otherPathsLeadNowhere() {
		assertThatExceptionOfType(Problem.NothingFound.class).isThrownBy(() -> RulePath.of(path(), null));
		assertThatExceptionOfType(Problem.NothingFound.class)
			.isThrownBy(() -> RulePath.of(path("log", "a", "b"), null));
		assertThatExceptionOfType(Problem.NothingFound.class).isThrownBy(() -> RulePath.of(path("log", "a")));
	}

	@Test
	void keyThatHasToBeAParameterIsNamedAsOne() {
		assertThat(RulePath.of(path("log"))).isEqualTo(new RulePath("log", null));
		assertThatExceptionOfType(Problem.NothingFound.class).isThrownBy(() -> RulePath.of(path("search", "a/b")))
			.withMessageEndingWith("Write the key as a parameter: …/search?key=a%2Fb.");
		assertThatExceptionOfType(Problem.NothingFound.class)
			.isThrownBy(() -> RulePath.of(path("search", "a", "b"), null))
			.withMessageEndingWith("Write the key as a parameter: …/search?key=a%2Fb.");
	}

	@Test
	void overrideIsOfAKeyAndNeverOfTheRule() {
		assertThat(new RulePath("log", "a").overriddenKey()).isEqualTo("a");
		assertThatExceptionOfType(RateLimitConfigurationException.class)
			.isThrownBy(() -> new RulePath("log", null).overriddenKey())
			.withMessageContaining("Name the key, ?key=acme&override for example");
	}

	private static String[] path(String... segments) {
		return segments;
	}

}
