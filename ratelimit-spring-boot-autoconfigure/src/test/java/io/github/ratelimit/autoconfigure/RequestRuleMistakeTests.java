package io.github.ratelimit.autoconfigure;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

import io.github.ratelimit.annotation.RateLimited;
import io.github.ratelimit.engine.RecordedLog;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.boot.test.context.runner.ReactiveWebApplicationContextRunner;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.io.FileSystemResource;

import static io.github.ratelimit.autoconfigure.MistakeTable.assertMistake;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * A mistake in a rule for requests stops startup of a web application with a message that
 * names the property, the value, the reason and the correction.
 */
class RequestRuleMistakeTests {

	private static final String AT = "ratelimit.web.requests[0].";

	private static final String REQUEST_ALONE = "A request has no method and no parameters yet: write "
			+ "ratelimit.web.requests[0].key over the request alone, ip or the text \"'all'\" for example.";

	private static final String EMPTY_KEY = "Remove it, or write an expression, key: ip for example; for one counter on "
			+ "purpose write a text, key: \"'all'\".";

	private static final String KNOWN = "Known: ip, path, principal, claim('name'), cookie('name'), header('name'), "
			+ "param('name'), pathVariable('name').";

	private static final AutoConfigurations ALL = AutoConfigurations.of(RateLimitAutoConfiguration.class,
			ServletRateLimitAutoConfiguration.class, ReactiveRateLimitAutoConfiguration.class);

	private final WebApplicationContextRunner servlet = new WebApplicationContextRunner().withConfiguration(ALL)
		.withBean(Replies.class)
		.withPropertyValues("ratelimit.rules.api.max=5", "ratelimit.rules.api.period=60");

	private final ReactiveWebApplicationContextRunner reactive = new ReactiveWebApplicationContextRunner()
		.withConfiguration(ALL)
		.withBean(Replies.class)
		.withPropertyValues("ratelimit.rules.api.max=5", "ratelimit.rules.api.period=60");

	@ParameterizedTest
	@MethodSource
	void stopsStartup(String properties, String description, String action) {
		String[] all = MistakeTable.properties(properties, AT);
		this.servlet.withPropertyValues(all)
			.run((context) -> assertMistake(context.getStartupFailure(), description, action));
		this.reactive.withPropertyValues(all)
			.run((context) -> assertMistake(context.getStartupFailure(), description, action));
	}

	static Stream<Arguments> stopsStartup() throws IOException {
		return MistakeTable.rows("requests", AT);
	}

	@Test
	void emptyKeyDoesNotReplaceThatOfTheRule() {
		this.servlet.withPropertyValues("ratelimit.rules.api.key=ip", AT + "path=/**", AT + "rule=api", AT + "key=")
			.run((context) -> assertMistake(context.getStartupFailure(), AT
					+ "key = \"\" is invalid: it is empty, and would replace the key \"ip\" of the rule, so that all "
					+ "clients share one counter.",
					"Remove it, or write an expression, key: ip for example; for one counter on purpose write a text, "
							+ "key: \"'all'\"."));
	}

	@Test
	void emptyKeyOfTheRuleIsRefused() {
		this.servlet.withPropertyValues("ratelimit.rules.api.key=", AT + "path=/**", AT + "rule=api")
			.run((context) -> assertMistake(context.getStartupFailure(),
					"ratelimit.rules.api.key = \"\" is invalid: it is empty, so that all clients share one counter.",
					EMPTY_KEY));
	}

	@Test
	void unlessOfARuleThatOnlyCountsRunningCallsIsRefused() {
		this.servlet
			.withPropertyValues("ratelimit.rules.export.max=5", "ratelimit.rules.export.algorithm=concurrency",
					AT + "path=/**", AT + "rule=export", AT + "unless=status < 400")
			.run((context) -> assertMistake(context.getStartupFailure(),
					AT + "unless = \"status < 400\" is invalid: a call frees its slots when it ends, however it ends.",
					"Remove it, or count calls of a period by another limit of the rule, whose units it refunds."));
	}

	@Test
	void keyOfTheRuleThatNeedsAMethodIsRefused() {
		this.servlet.withPropertyValues(AT + "path=/**", AT + "rule=api", "ratelimit.rules.api.key=#userId")
			.run((context) -> assertMistake(context.getStartupFailure(),
					"ratelimit.rules.api.key, used by ratelimit.web.requests[0], = \"#userId\" is invalid: it uses the "
							+ "unknown variable 'userId'. " + KNOWN,
					REQUEST_ALONE));
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			textBlock = """
					plan: '#x', period: 60s                             | rule: api               | rules.api.plan, used by R,
					priority: '#x', headroom: {low: 0}, period: 60s     | rule: api               | rules.api.priority, used by R,
					unless: '#x', period: 60s                           | rule: api               | rules.api.unless, used by R,
					settle: '#x', period: 60s, algorithm: token-bucket  | rule: api               | rules.api.settle, used by R,
					key: '#x', period: 60s                              | rule: api               | rules.api.key, used by R,
					zone: '#x', calendar: day                           | rule: api               | rules.api.zone, used by R,
					period: 60s                                         | rule: api, unless: '#x' | web.requests[0].unless
					""")
	void lineOfAnExpressionIsNamed(String rule, String request, String location, @TempDir Path directory)
			throws IOException {
		Path file = Files.writeString(directory.resolve("application.yml"), "ratelimit:\n  rules: {api: {max: 1, "
				+ rule + "}}\n  web: {requests: [{path: /**, " + request + "}]}\n");
		StandardEnvironment environment = new StandardEnvironment();
		environment.getPropertySources()
			.addLast(new YamlPropertySourceLoader().load("file", new FileSystemResource(file)).get(0));
		ConfigurationPropertySources.attach(environment);
		new WebApplicationContextRunner().withConfiguration(ALL)
			.withInitializer((context) -> context.getEnvironment()
				.getPropertySources()
				.addLast(environment.getPropertySources().get("file")))
			.run((context) -> assertThat(
					new RateLimitConfigurationFailureAnalyzer(environment, null).analyze(context.getStartupFailure())
						.getDescription())
				.startsWith("ratelimit." + location.replace("R", "ratelimit.web.requests[0]")
						+ " = \"#x\" is invalid: it uses the unknown variable 'x'.")
				.endsWith(" It is set in application.yml, line " + (location.startsWith("web") ? 3 : 2) + '.'));
	}

	@Test
	void unknownMethodIsRefused() {
		this.servlet.withPropertyValues(AT + "path=/**", AT + "rule=api", AT + "methods=PSOT")
			.run((context) -> assertThat(context.getStartupFailure()).rootCause()
				.hasMessageContaining("No enum constant")
				.hasMessageContaining("PSOT"));
	}

	@Test
	void ruleOfAnAnnotationMayBeNamed() {
		this.servlet.withPropertyValues(AT + "path=/**", AT + "rule=replies")
			.run((context) -> assertThat(context).hasNotFailed());
	}

	@Test
	void requestsWithoutAKeyOfARuleWhoseMethodsHaveOneAreWarnedOf() {
		WebApplicationContextRunner counted = this.servlet.withBean(Votes.class)
			.withPropertyValues(AT + "path=/**", AT + "rule=votes");
		assertThat(warnings(counted)).containsExactly("WARNING ratelimit.web.requests[0] has no key, so all clients "
				+ "share one counter of rule \"votes\". The key \"#userId\" on Votes.vote(String) is for calls of the "
				+ "method alone. Write the key of a request, `key: ip` for example; for one counter on purpose write a "
				+ "text, `key: \"'all'\"`.");
		assertThat(warnings(counted.withPropertyValues(AT + "key='all'"))).isEmpty();
		assertThat(warnings(counted.withPropertyValues(AT + "rule=replies"))).isEmpty();
	}

	private static List<String> warnings(WebApplicationContextRunner application) {
		try (RecordedLog log = new RecordedLog(RegisteredRules.class)) {
			application.run((context) -> assertThat(context).hasNotFailed());
			return List.copyOf(log.lines());
		}
	}

	static class Votes {

		@RateLimited(name = "votes", key = "#userId", max = 5, period = 60)
		public void vote(String userId) {
		}

	}

	static class Replies {

		@RateLimited(name = "replies", max = 5, period = 60)
		public void reply() {
		}

	}

}
