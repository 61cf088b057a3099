package io.github.ratelimit.interceptor;

import java.util.List;

import io.github.ratelimit.annotation.RateLimited;
import io.github.ratelimit.autoconfigure.RateLimitAutoConfiguration;
import io.github.ratelimit.autoconfigure.ServletRateLimitAutoConfiguration;
import io.github.ratelimit.engine.RecordedLog;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * No user has claims without Spring Security's OAuth 2, which is not on this class path.
 */
class MissingClaimsTests {

	private static final String REASON = " reads a claim, but no user has claims, because spring-security-oauth2-core "
			+ "is not on the class path. Add spring-boot-starter-oauth2-resource-server or "
			+ "spring-boot-starter-oauth2-client for example.";

	private final WebApplicationContextRunner runner = new WebApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(AopAutoConfiguration.class, RateLimitAutoConfiguration.class,
				ServletRateLimitAutoConfiguration.class))
		.withPropertyValues("ratelimit.rules.api.max=5", "ratelimit.rules.api.period=60",
				"ratelimit.web.requests[0].path=/**", "ratelimit.web.requests[0].rule=api");

	@Test
	void areReportedForEachKeyThatReadsOne() {
		assertThat(warnings(this.runner.withBean(Reports.class)
			.withPropertyValues("ratelimit.web.requests[0].key=claim('tenant') ?: ip")))
			.containsExactlyInAnyOrder("WARNING @RateLimited on Reports.create(): key \"claim('tenant')\"" + REASON,
					"WARNING ratelimit.web.requests[0].key: key \"claim('tenant') ?: ip\"" + REASON);
	}

	@Test
	void areNotReportedForOtherKeys() {
		assertThat(warnings(this.runner.withPropertyValues("ratelimit.web.requests[0].key=principal"))).isEmpty();
	}

	private static List<String> warnings(WebApplicationContextRunner runner) {
		try (RecordedLog log = new RecordedLog(OperationCompiler.class)) {
			runner.run((context) -> assertThat(context).hasNotFailed());
			return log.lines();
		}
	}

	static class Reports {

		@RateLimited(key = "claim('tenant')", max = 2, period = 60)
		public void create() {
		}

	}

}
