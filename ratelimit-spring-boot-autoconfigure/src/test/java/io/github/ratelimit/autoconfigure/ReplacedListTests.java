package io.github.ratelimit.autoconfigure;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.context.runner.ContextConsumer;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A list of a profile replaces the list of {@code application.yml} as a whole, as in all
 * of Spring Boot. What the replaced list contains is no mistake unless its name is.
 */
class ReplacedListTests {

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(RateLimitAutoConfiguration.class));

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			textBlock = """
					web.requests: [{path: /x, rule: a}]                     | web.requests: [{path: /x, rule: a, methods: [GET]}]                                  | 1
					web.requests: [{path: /x, rule: a}]                     | web.requests: [{path: /x, rule: a}, {path: /y, rule: a, methods: [GET, POST]}]       | 1
					web.requests: [{path: /x, rule: a, methods: [PUT]}]     | web.requests: [{path: /x, rule: a}, {path: /y, rule: a, methods: [GET, POST]}]       | 1
					web.requests: []                                        | web.requests: [{path: /x, rule: a, methods: [GET]}, {path: /y, rule: a, unless: 1}]  | 0
					web.requests:                                           | web.requests: [{path: /x, rule: a}]                                                  | 0
					""")
	void ofRequestsIsRead(String profile, String application, int requests) {
		run(profile, application,
				(context) -> assertThat(context.getBean(RateLimitProperties.class).web().requests()).hasSize(requests));
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			textBlock = """
					rules.a: {max: 5, period: 60s, limits: []} | rules.a.limits: [{name: day, max: 1, period: 1d}, {name: hour, max: 1, period: 1h}]
					rules.a: {max: 5, period: 60s, allow: []}  | rules.a.allow: [one, two]
					""")
	void ofARuleIsRead(String profile, String application) {
		run(profile, application, (context) -> assertThat(context).hasNotFailed());
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			web.requests: [{path: /x, rule: a}] | web.requests: [{path: /x, rule: a, metods: [GET]}]
			web.requests: []                    | web.requests: [{path: /x, rule: a, metods: [GET]}]
			""")
	void unknownNameInItStopsStartup(String profile, String application) {
		run(profile, application,
				(context) -> assertThat(context).getFailure().rootCause().hasMessageContaining("metods"));
	}

	private void run(String profile, String application,
			ContextConsumer<? super AssertableApplicationContext> consumer) {
		String documents = "ratelimit." + profile + "\n---\nratelimit." + application;
		this.runner.withInitializer(YamlContext.with(documents)).run(consumer);
	}

}
