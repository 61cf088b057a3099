package io.github.ratelimit.actuate.endpoint;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;

import io.github.ratelimit.autoconfigure.RateLimitAutoConfiguration;
import io.github.ratelimit.autoconfigure.ServletRateLimitAutoConfiguration;
import io.github.ratelimit.engine.RateLimitEngine;
import io.github.ratelimit.engine.StoreFailurePolicy;
import io.github.ratelimit.web.RequestExplainer;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.assertj.core.api.ListAssert;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What the explanation of a request says beside the state of its key.
 */
class RequestDescriptionTests {

	private static final String RULE = "ratelimit.rules.url.";

	private final WebApplicationContextRunner runner = new WebApplicationContextRunner()
		.withConfiguration(
				AutoConfigurations.of(RateLimitAutoConfiguration.class, ServletRateLimitAutoConfiguration.class))
		.withPropertyValues(RULE + "max=10", RULE + "period=60s", "ratelimit.web.requests[0].path=/**",
				"ratelimit.web.requests[0].rule=url", "ratelimit.web.requests[0].key=header('X-Key') ?: ip");

	@Test
	void classIsSaidWithWhatSelectsIt() {
		String[] rule = { RULE + "priority=header('X-Class')", RULE + "headroom.low=50%" };
		Map<String, Object> low = ruleOf("X-Class: low", rule);
		assertThat(low).containsEntry("priority", "low");
		assertExplanation(low).last()
			.isEqualTo(
					"It is of class low, by header('X-Class') = low; the numbers above are what such calls may take.");
		assertExplanation(ruleOf("", RULE + "headroom.default=50%")).last()
			.isEqualTo("It is of class other, by default; the numbers above are what such calls may take.");
	}

	@Test
	void planIsSaidWithWhatSelectsIt() {
		String[] rule = { RULE + "plan=header('X-Plan')", RULE + "plans.pro.max=20" };
		Map<String, Object> pro = ruleOf("X-Plan: pro", rule);
		assertThat(pro).containsEntry("plan", "pro");
		assertExplanation(pro).last().isEqualTo("It comes under plan pro, by header('X-Plan').");
		Map<String, Object> none = ruleOf("", rule);
		assertThat(none).doesNotContainKey("plan");
		assertExplanation(none).noneMatch((sentence) -> sentence.contains("comes under"));
	}

	@Test
	void planOfTheScheduleIsSaidWithItsEntry() {
		Map<String, Object> scheduled = ruleOf("", RULE + "plans.night.max=20", RULE + "schedule[0].plan=night");
		assertThat(scheduled).containsEntry("plan", "night");
		assertExplanation(scheduled).last()
			.asString()
			.startsWith("It comes under plan night, because entry 0 of the schedule holds: ");
	}

	@Test
	void plansThatTheOverrideOfAKeyReplacesAreNotSaid() {
		Map<String, Object> rule = ruleOf("X-Key: k\nX-Plan: pro", RULE + "plan=header('X-Plan')",
				RULE + "plans.pro.max=20", RULE + "deny[0]=k");
		assertThat(rule).doesNotContainKey("plan");
	}

	@Test
	void whatDoesNotApplyIsLeftOut() {
		assertThat(ruleOf("")).doesNotContainKeys("methods", "plan", "priority");
		assertThat(ruleOf("", "ratelimit.web.requests[0].methods[0]=GET")).containsEntry("methods", Set.of("GET"));
		assertThat(described("")).extractingByKey("answer", InstanceOfAssertFactories.MAP)
			.containsEntry("passes", true)
			.doesNotContainKeys("delayMs", "error", "problem");
	}

	@Test
	void ruleThatDecidesNothingSaysWhy() {
		assertThat(ruleOf("", RULE + "mode=off")).containsEntry("mode", "off")
			.containsEntry("explanation", List.of("The rule is off, so it neither counts nor denies the request."))
			.doesNotContainKey("error");
		assertThat(ruleOf("", RULE + "mode=shadow", "ratelimit.web.requests[0].key=header('X-Missing')"))
			.containsEntry("mode", "shadow")
			.containsEntry("explanation",
					List.of("The rule is in shadow mode, so it neither counts nor denies the request."))
			.extractingByKey("error", InstanceOfAssertFactories.STRING)
			.contains("no header X-Missing");
		assertThat(ruleOf("", "ratelimit.web.requests[0].key=header('X-Missing')"))
			.doesNotContainKeys("mode", "explanation")
			.containsKey("error");
	}

	private static ListAssert<String> assertExplanation(Map<String, Object> rule) {
		return assertThat(rule).extractingByKey("explanation", InstanceOfAssertFactories.list(String.class));
	}

	@SuppressWarnings("unchecked")
	private Map<String, Object> ruleOf(String headers, String... properties) {
		return ((List<Map<String, Object>>) described(headers, properties).get("rules")).get(0);
	}

	private Map<String, Object> described(String headers, String... properties) {
		AtomicReference<Map<String, Object>> described = new AtomicReference<>();
		this.runner.withPropertyValues(properties)
			.run((context) -> described.set(new RequestDescription(() -> context.getBean(RequestExplainer.class),
					context.getBean(RateLimitEngine.class), context.getBean(StoreFailurePolicy.class))
				.explain("GET", "/x", headers, "192.0.2.7", null)));
		return described.get();
	}

}
