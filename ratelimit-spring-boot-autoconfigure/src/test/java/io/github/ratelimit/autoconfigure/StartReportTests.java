package io.github.ratelimit.autoconfigure;

import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.github.ratelimit.annotation.RateLimited;
import io.github.ratelimit.engine.RecordedLog;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.AbstractApplicationContextRunner;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Rules in force are logged at startup, one per line.
 */
class StartReportTests {

	private final WebApplicationContextRunner runner = new WebApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(AopAutoConfiguration.class, RateLimitAutoConfiguration.class,
				ServletRateLimitAutoConfiguration.class))
		.withPropertyValues("ratelimit.store=local");

	@AutoClose
	private final RecordedLog log = new RecordedLog(StartReport.class);

	@Test
	void eachRuleHasALine() {
		this.runner.withBean(Replies.class).withInitializer(YamlContext.with("""
				ratelimit:
				  rules:
				    sms:
				      key: "#phone"
				      limits: [{ name: minute, max: 1, period: 90s }, { name: day, max: 10, period: 1d }]
				    quota: { max: 1000, calendar: month, zone: Europe/Paris, mode: shadow }
				    export: { algorithm: concurrency, max: 3 }
				    api: { algorithm: token-bucket, max: 30, period: 1500ms, burst: 15 }
				  web.requests: [{ path: /api/**, rule: api, key: ip }, { path: /b, rule: api, key: "header('X')" }]
				""")).run((context) -> assertThat(context).hasNotFailed());
		assertThat(this.log.lines()).containsExactly(
				"INFO Rate limits: 5 rules, counted in this process, by each instance for itself, because "
						+ "ratelimit.store is local.",
				"INFO api: 30 per 1500 ms with a burst of 15 by ip or header('X'), token-bucket",
				"INFO export: 3 at once, concurrency",
				"INFO quota: 1000 per month in Europe/Paris, fixed-window, shadow",
				"INFO reply: 5 per 1 min by #userId, sliding-log",
				"INFO sms: minute 1 per 90 s, day 10 per 1 d by #phone, sliding-log");
	}

	@Test
	void limitWithTheNameOfAnotherRuleIsReported() {
		this.runner.withInitializer(YamlContext.with("""
				ratelimit.rules:
				  lb-x: { max: 7, period: 60s }
				  lb.limits: [{ name: x, max: 5, period: 60s }, { name: y-z, max: 10, period: 1d }]
				  lb-y.limits: [{ name: z, max: 5, period: 60s }, { name: a, max: 10, period: 1d }]
				  sms.limits: [{ name: day, max: 5, period: 1d }, { name: hour, max: 1, period: 1h }]
				  sms-minute: { max: 1, period: 60s }
				""")).run((context) -> assertThat(context).hasNotFailed());
		assertThat(this.log.lines()).filteredOn((line) -> line.startsWith("WARNING"))
			.containsExactly(
					"WARNING Headers and decisions name limit \"x\" of rule \"lb\" and rule \"lb-x\" alike, \"lb-x\", "
							+ "so clients cannot tell them apart if both apply. Give limit \"x\" of rule "
							+ "\"lb\" another name.",
					"WARNING Headers and decisions name limit \"y-z\" of rule \"lb\" and limit \"z\" of rule \"lb-y\" "
							+ "alike, \"lb-y-z\", so clients cannot tell them apart if both apply. Give "
							+ "limit \"y-z\" of rule \"lb\" another name.");
	}

	@Test
	void intervalsThatLeaveMaxWithoutEffectAreReported() {
		this.runner
			.withInitializer(YamlContext
				.with("""
						ratelimit.rules:
						  as-long: { max: 5, period: 60s, min-interval: 1m }
						  longer.limits: [{ name: minute, max: 3, period: 60s, min-interval: 90s }, { name: day, max: 9, period: 1d }]
						  one: { max: 1, period: 60s, min-interval: 1m }
						  shorter: { max: 5, period: 60s, min-interval: 59s }
						"""))
			.run((context) -> assertThat(context).hasNotFailed());
		assertThat(this.log.lines()).filteredOn((line) -> line.startsWith("WARNING"))
			.containsExactly(
					"WARNING min-interval of \"as-long\" = 1m admits at most one call per period of 1m, so max = 5 only "
							+ "denies calls that cost more. Write a shorter min-interval, or max: 1.",
					"WARNING min-interval of \"longer-minute\" = 90s admits at most one call per period of 1m, so max = 3 "
							+ "only denies calls that cost more. Write a shorter min-interval, or max: 1.");
	}

	@Test
	void callsWithoutSpringGrpcAreReported() {
		this.runner
			.withPropertyValues("ratelimit.grpc.calls[0].method=**", "ratelimit.grpc.calls[0].rule=api",
					"ratelimit.rules.api.max=5", "ratelimit.rules.api.period=60")
			.withClassLoader(new FilteredClassLoader("org.springframework.grpc"))
			.run((context) -> assertThat(context).hasNotFailed());
		assertThat(this.log.lines()).filteredOn((line) -> line.startsWith("WARNING"))
			.containsExactly(
					"WARNING ratelimit.grpc.calls has no effect, because there is no server with Spring gRPC. Add "
							+ "its starter, or remove the property.");
	}

	@Test
	void requestsWithoutAWebServerAreReported() {
		assertThatRequestsAreReported(new ApplicationContextRunner());
	}

	@Test
	void requestsWithoutSpringMvcAreReported() {
		assertThatRequestsAreReported(new WebApplicationContextRunner()
			.withClassLoader(new FilteredClassLoader("org.springframework.web.servlet")));
	}

	private void assertThatRequestsAreReported(AbstractApplicationContextRunner<?, ?, ?> application) {
		try (RecordedLog mistakes = new RecordedLog(Mistakes.class)) {
			application
				.withConfiguration(AutoConfigurations.of(AopAutoConfiguration.class, RateLimitAutoConfiguration.class,
						ServletRateLimitAutoConfiguration.class))
				.withPropertyValues("ratelimit.web.requests[0].path=/**", "ratelimit.web.requests[0].rule=apy",
						"ratelimit.store=local", "ratelimit.rules.api.max=5", "ratelimit.rules.api.period=60")
				.run((context) -> assertThat(context.getStartupFailure()).isNull());
			assertThat(mistakes.lines()).singleElement()
				.asString()
				.startsWith(
						"WARNING ratelimit.web.requests[0].rule = \"apy\" is invalid: there is no such rule. Known: "
								+ "api. Did you mean api?");
		}
		assertThat(this.log.lines()).filteredOn((line) -> line.startsWith("WARNING"))
			.containsExactly(
					"WARNING ratelimit.web.requests has no effect, because there is no web server with Spring MVC or "
							+ "WebFlux. Add spring-boot-starter-web or spring-boot-starter-webflux, or remove the "
							+ "property.");
	}

	@Test
	void limitsThatAreOffAreNotReportedAsInForce() {
		this.runner.withBean(Replies.class)
			.withPropertyValues("ratelimit.enabled=false", "ratelimit.rules.api.max=5", "ratelimit.rules.api.period=60")
			.run((context) -> assertThat(context).hasNotFailed());
		assertThat(this.log.lines()).containsExactly(
				"INFO Rate limits of annotations and requests are off, because ratelimit.enabled is false.");
	}

	@Test
	void manyRulesHaveLinesAtDebug() {
		String[] rules = IntStream.range(0, 21)
			.mapToObj((i) -> "ratelimit.rules.rule-" + i + ".max=5,ratelimit.rules.rule-" + i + ".period=60")
			.flatMap((rule) -> Stream.of(rule.split(",")))
			.toArray(String[]::new);
		this.runner.withPropertyValues(rules).run((context) -> assertThat(context).hasNotFailed());
		assertThat(this.log.lines()).hasSize(22)
			.contains("FINE rule-20: 5 per 1 min, sliding-log")
			.filteredOn((line) -> line.startsWith("INFO"))
			.hasSize(1);
	}

	static class Replies {

		@RateLimited(name = "reply", key = "#userId", max = 5, period = 60)
		public void reply(String userId) {
		}

	}

}
