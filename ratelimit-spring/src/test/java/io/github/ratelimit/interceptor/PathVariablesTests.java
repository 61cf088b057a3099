package io.github.ratelimit.interceptor;

import java.util.Set;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Names of the variables in a path pattern.
 */
class PathVariablesTests {

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			/api/{tenant}/**               | tenant
			/{tenant}/{id}.{format}        | tenant,id,format
			/{id:\\d{1,3}}/{*rest}         | id,rest
			/{name:[a-z]{2}(?:x{3})}/{b}   | name,b
			""")
	void areFound(String pattern, String names) {
		assertThat(PathVariables.namesIn(pattern)).containsExactly(names.split(","));
	}

	@ParameterizedTest
	@CsvSource({ "/**", "/api/*", "''" })
	void areNone(String pattern) {
		assertThat(PathVariables.namesIn(pattern)).isEqualTo(Set.of());
	}

}
