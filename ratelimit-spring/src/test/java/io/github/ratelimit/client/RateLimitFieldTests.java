package io.github.ratelimit.client;

import java.time.Duration;

import org.greenbytes.http.sfv.ListElement;
import org.greenbytes.http.sfv.OuterList;
import org.greenbytes.http.sfv.ParseException;
import org.greenbytes.http.sfv.Parser;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class RateLimitFieldTests {

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '$', textBlock = """
			"a";r=0;t=30                              | 30
			"a";t=30;r=0                              | 30
			"a"; r=0;  t=30                           | 30
			"a";r=0;t=30, "b";r=0;t=90, "c";r=1;t=99  | 90
			"a";r=0;t=30\t,\t"b";r=0                | 30
			"a";r=5;r=0;t=30                          | 30
			default;r=0;t=0                           | 0
			"a\\"b;r=0;t=7";r=0;t=30;pk=:cHs=:        | 30
			"a";other;b=?1;d=1.5;e=@17;r=0;t=30       | 30
			""")
	void exhaustedQuota(String field, long seconds) throws ParseException {
		assertThat(Answer.RateLimitField.exhaustedFor(field)).isEqualTo(Duration.ofSeconds(seconds));
		OuterList parsed = Parser.parseList(field.replaceAll(";e=@17", ""));
		assertThat(parsed.get()).isNotEmpty().allSatisfy((each) -> assertThat(each).isInstanceOf(ListElement.class));
	}

	@ParameterizedTest
	@ValueSource(strings = { "\"a\";r=0", "\"a\";r=1;t=30", "\"a\"", "\"a\";r=-0;t=-1", "\"a\";r=0.0;t=30",
			"\"a\";r=0;t=30.5", "\"a\";r=?0;t=30", "\"a\";r;t" })
	void quotaThatIsNotKnownToBeExhausted(String field) throws ParseException {
		assertThat(Answer.RateLimitField.exhaustedFor(field)).isNull();
		Parser.parseList(field);
	}

	@ParameterizedTest
	@ValueSource(strings = { "\"a;r=0;t=30", "\"a\";r=0;t=30,", "\"a\";r=0;t=30 \"b\"", "\"a\";r=0;t=30, ", "r=0;t=30",
			"\"a\";r=0;t=30;", "\"a\";r=0;t=", "\"a\";R=0;t=30", "\"a\" ;r=0;t=30", "limit=5, remaining=0, reset=30",
			"\"a\";r=0;t=1234567890123456", "\"\u00e4\";r=0;t=30", ",", ";", "\"a\\b\";r=0;t=30" })
	void malformedField(String field) {
		assertThat(Answer.RateLimitField.exhaustedFor(field)).isNull();
		assertThatExceptionOfType(ParseException.class).isThrownBy(() -> Parser.parseList(field));
	}

	@Test
	void emptyOrEndlessField() {
		assertThat(Answer.RateLimitField.exhaustedFor("")).isNull();
		assertThat(Answer.RateLimitField.exhaustedFor("\"" + "a".repeat(100_000) + "\";r=0;t=30")).isNull();
		assertThat(Answer.RateLimitField.exhaustedFor("\"" + "\\\"".repeat(4_000) + "\";r=0;t=30")).isNull();
	}

}
