package io.github.ratelimit.web;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Parameter in the query of a URL.
 */
class QueryParameterTests {

	@ParameterizedTest
	@CsvSource({ "q=a, a", "x=1&q=a&y=2, a", "q=a&q=b, a", "%71=a, a", "q=%61%C3%A9+b%2B, 'aé b+'", "q=a=b, a=b",
			"q==, =", "&&q=a, a", "qq=1&q=a, a", "q=&q=a, ''", "q, ''", "q&x=1, ''", "%zz=1&q=a, a" })
	void isTheFirstValue(String query, String value) {
		assertThat(QueryParameter.first(query, "q")).isEqualTo(value);
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "x=1", "Q=1", "xq=1", "q%=1", "=a", "&", "q=%zz", "q=%" })
	void isNone(String query) {
		assertThat(QueryParameter.first(query, "q")).isNull();
	}

	@Test
	void isNoneWithoutAQuery() {
		assertThat(QueryParameter.first(null, "q")).isNull();
	}

}
