package io.github.ratelimit.web;

import java.util.Set;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.web.util.pattern.PathPatternParser;

import static org.assertj.core.api.Assertions.assertThat;

class RequestRuleTests {

	@ParameterizedTest
	@CsvSource(textBlock = """
			/topics/{id},             /topics/{topic},          true
			/topics/{id},             /topics/{topic}/replies,  false
			/topics/*,                /topics/{topic},          true
			/topics/**,               /topics/{topic}/replies,  true
			/topics/**,               /topics,                  true
			/topics,                  /topics/,                 true
			/topics/42,               /topics/{topic},          false
			'/topics/{id:[a-z]{3}}',  /topics/{topic},          true
			'/topics/{id:[a-z]{3}}',  /topics/new,              true
			'/topics/{id:[a-z]{3}}',  /topics/latest,           false
			'/{a:[a-z]{1,9}}/{id:42}', /topics/{topic},         true
			'/{a:[a-z]{1,9}}/{id:42}', /topics/{topic}/replies, false
			/files/{*path},           /files/{path},            true
			/files/{name}.{kind:png}, /files/{name}.{kind},     true
			/**,                      /100%/{path},             true
			""")
	void matchesAllRequestsOfDocumentedPaths(String pattern, String template, boolean matches) {
		assertThat(rule(pattern, Set.of()).matchesAll("GET", template)).isEqualTo(matches);
	}

	@Test
	void matchesDocumentedMethods() {
		RequestRule rule = rule("/topics/*", Set.of("GET"));
		assertThat(rule.matchesAll("GET", "/topics/{topic}")).isTrue();
		assertThat(rule.matchesAll("HEAD", "/topics/{topic}")).isTrue();
		assertThat(rule.matchesAll("DELETE", "/topics/{topic}")).isFalse();
	}

	private static RequestRule rule(String pattern, Set<String> methods) {
		return new RequestRule(PathPatternParser.defaultInstance.parse(pattern), methods, null);
	}

}
