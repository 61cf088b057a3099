package io.github.ratelimit.openapi;

import java.time.Duration;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.CalendarUnit;
import io.github.ratelimit.Limit;
import io.github.ratelimit.OnStoreFailure;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.engine.RateLimitEngine;
import io.github.ratelimit.engine.RuleLimiter;
import io.github.ratelimit.engine.RuleRegistry;
import io.github.ratelimit.interceptor.ExpressionBeans;
import io.github.ratelimit.interceptor.RateLimitOperation;
import io.github.ratelimit.store.local.LocalFallbackStore;
import io.github.ratelimit.store.local.LocalRateLimitStore;
import io.github.ratelimit.web.HeaderFormat;
import io.github.ratelimit.web.LimitHeaders;
import io.swagger.v3.oas.models.OpenAPI;
import io.swagger.v3.oas.models.Operation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.beans.factory.support.DefaultListableBeanFactory;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Numbers of rules in documents.
 */
class DocumentedLimitsTests {

	private final RuleRegistry registry = new RuleRegistry(new RateLimitEngine(new LocalRateLimitStore(100),
			() -> OnStoreFailure.LOCAL, new LocalFallbackStore(100, 1)), Algorithm.SLIDING_LOG, List.of());

	private final DocumentedLimits limits = new DocumentedLimits(LimitHeaders.of(HeaderFormat.IETF),
			() -> OnStoreFailure.LOCAL);

	private final Operation operation = new Operation();

	@ParameterizedTest
	@CsvSource({ "PT120S, 120", "PT0.2S, 0.2", "PT1.5S, 1.5" })
	void periodIsShownInSeconds(Duration period, String seconds) {
		document(RateLimitRule.named("reply").limit(5, period));
		assertThat(limit().get("period")).hasToString(seconds);
		assertThat(denial()).isEqualTo("Rate limit exceeded: \"reply\" admits 5 per " + seconds + " s.");
	}

	@Test
	void slotsHaveNoPeriod() {
		document(RateLimitRule.named("export").limit(Limit.ofConcurrency(3)));
		assertThat(limit()).isEqualTo(Map.of("name", "export", "algorithm", "concurrency", "max", 3L));
		assertThat(denial()).isEqualTo("Rate limit exceeded: \"export\" admits 3 at once.");
	}

	@Test
	void calendarIsShownInsteadOfAPeriod() {
		document(RateLimitRule.named("quota").limit(Limit.ofCalendar(10, CalendarUnit.DAY, ZoneOffset.UTC)));
		assertThat(limit()).containsEntry("calendar", "day").doesNotContainKey("period");
		assertThat(denial()).isEqualTo("Rate limit exceeded: \"quota\" admits 10 per day.");
	}

	@Test
	void burstIsShownIfItDiffersFromTheMaximum() {
		document(RateLimitRule.named("search").limit(bucket().burst(15).build()));
		assertThat(limit()).containsEntry("max", 30L).containsEntry("burst", 15L);
	}

	@Test
	void bucketOfTheMaximumHasNoBurst() {
		document(RateLimitRule.named("search").limit(bucket().build()));
		assertThat(limit()).doesNotContainKey("burst");
	}

	@Test
	void minimumIntervalIsShownInSeconds() {
		document(RateLimitRule.named("search").limit(bucket().minInterval(Duration.ofMillis(250)).build()));
		assertThat(limit().get("minInterval")).hasToString("0.25");
	}

	@Test
	void ruleWithPlansVariesByPlan() {
		Duration minute = Duration.ofMinutes(1);
		document(RateLimitRule.named("api").limit(60, minute).plan("pro", Limit.of(600, minute)));
		assertThat(rule()).containsEntry("variesByPlan", true);
		assertThat(denial()).isEqualTo("Rate limit exceeded: \"api\" admits 60 per 60 s by default.");
	}

	@Test
	void ruleWithoutPlansDoesNotVary() {
		document(RateLimitRule.named("api").limit(60, Duration.ofMinutes(1)));
		assertThat(rule()).doesNotContainKey("variesByPlan");
	}

	@Test
	void refusalIsShownIfOneOfTheRulesDeniesWithoutItsStore() {
		Duration minute = Duration.ofMinutes(1);
		document(RateLimitRule.named("api").limit(60, minute),
				RateLimitRule.named("login").limit(5, minute).onStoreFailure(OnStoreFailure.DENY));
		assertThat(this.operation.getResponses()).containsOnlyKeys("429", "503");
	}

	@Test
	void refusalIsNotShownIfOtherStoresAnswer() {
		document(RateLimitRule.named("api").limit(60, Duration.ofMinutes(1)));
		assertThat(this.operation.getResponses()).containsOnlyKeys("429");
	}

	private static Limit.Builder bucket() {
		return Limit.builder().algorithm(Algorithm.TOKEN_BUCKET).max(30).period(Duration.ofMinutes(1));
	}

	private void document(RateLimitRule.Builder... rules) {
		List<RateLimitOperation> all = List.of(rules).stream().map((rule) -> limitOf(rule.build())).toList();
		this.limits.add(all, this.operation,
				new DocumentedResponses(new OpenAPI(), this.operation, Set.of(), (failure) -> false));
	}

	private RateLimitOperation limitOf(RateLimitRule rule) {
		return RateLimitOperation.ofRequests((RuleLimiter) this.registry.register(rule), "ratelimit.web.requests[0]",
				"ip", null, null, null, new ExpressionBeans(new DefaultListableBeanFactory()));
	}

	private String denial() {
		return this.operation.getResponses().get("429").getDescription();
	}

	private Map<String, Object> rule() {
		return first(this.operation.getExtensions().get("x-ratelimit"));
	}

	private Map<String, Object> limit() {
		return first(rule().get("limits"));
	}

	@SuppressWarnings("unchecked")
	private static Map<String, Object> first(Object list) {
		return ((List<Map<String, Object>>) list).get(0);
	}

}
