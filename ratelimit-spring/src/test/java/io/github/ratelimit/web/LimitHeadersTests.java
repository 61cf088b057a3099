package io.github.ratelimit.web;

import java.util.List;
import java.util.Map;
import java.util.Set;

import io.github.ratelimit.engine.RelaxedName;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Formats of headers, of all rules and of single ones.
 */
class LimitHeadersTests {

	private final LimitHeaders headers = new LimitHeaders(List.of(HeaderFormat.IETF));

	@Test
	void formatsOfAllRulesShowEachLimit() {
		assertThat(this.headers.of("reply")).containsOnly(HeaderFormat.IETF);
		assertThat(LimitHeaders.of(HeaderFormat.X_RATELIMIT, HeaderFormat.IETF_11).of("reply"))
			.containsOnly(HeaderFormat.IETF, HeaderFormat.X_RATELIMIT);
		assertThat(LimitHeaders.of(HeaderFormat.NONE).of("reply")).isEmpty();
	}

	@Test
	void ruleHasFormatsOfItsOwn() {
		this.headers.configure(Map.of("reply", List.of(HeaderFormat.X_RATELIMIT)), Set.of());
		assertThat(this.headers.of("reply")).containsOnly(HeaderFormat.X_RATELIMIT);
		assertThat(this.headers.of("login")).containsOnly(HeaderFormat.IETF);
		assertThat(this.headers.reveal("reply")).isTrue();
	}

	@Test
	void ruleWithoutHeadersIsNotRevealed() {
		this.headers.configure(Map.of("login", List.of(HeaderFormat.NONE)), Set.of());
		assertThat(this.headers.reveal("login")).isFalse();
		assertThat(this.headers.of("login")).isEmpty();
		assertThat(List.of("login-ip", "reply", "unknown")).allMatch(this.headers::reveal);
	}

	@Test
	void noHeadersOfAllRulesStillRevealNamesInProblems() {
		assertThat(LimitHeaders.of(HeaderFormat.NONE).reveal("reply")).isTrue();
	}

	@Test
	void rulesThatDoNotChangeKeepTheirFormats() {
		this.headers.configure(Map.of("login", List.of(HeaderFormat.NONE), "reply", List.of(HeaderFormat.NONE)),
				Set.of());
		this.headers.configure(Map.of("login", List.of(HeaderFormat.IETF), "sms-day", List.of(HeaderFormat.NONE)),
				Set.of(RelaxedName.of("login"), RelaxedName.of("sms-day")));
		assertThat(this.headers.reveal("login")).isFalse();
		assertThat(List.of("reply", "sms-day")).allMatch(this.headers::reveal);
	}

	@Test
	void nameOfAnEnvironmentVariableMeansTheRule() {
		this.headers.configure(Map.of("loginip", List.of(HeaderFormat.NONE)), Set.of());
		assertThat(this.headers.reveal("login-ip")).isFalse();
		assertThat(this.headers.reveal("login")).isTrue();
	}

}
