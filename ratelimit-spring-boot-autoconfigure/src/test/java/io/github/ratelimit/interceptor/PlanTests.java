package io.github.ratelimit.interceptor;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

import io.github.ratelimit.Decision;
import io.github.ratelimit.KeyOverride;
import io.github.ratelimit.Limit;
import io.github.ratelimit.RateLimitExceededException;
import io.github.ratelimit.RateLimitExpressionException;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.RateLimiterRegistry;
import io.github.ratelimit.annotation.RateLimited;
import io.github.ratelimit.autoconfigure.LimitedApplication;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Mono;

import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Plans of calls of annotated methods, selected by expressions.
 */
class PlanTests {

	private static final Duration MINUTE = Duration.ofMinutes(1);

	private final Plans plans = new Plans();

	private final ApplicationContextRunner runner = LimitedApplication.runner()
		.withBean("plans", Plans.class, () -> this.plans)
		.withBean(Search.class)
		.withPropertyValues("ratelimit.store=local", "ratelimit.rules.search.plans.free.max=2",
				"ratelimit.rules.search.plans.pro.max=600");

	@Test
	void planOfTheAnnotationDecidesByItsNumbers() {
		run((search, limiters) -> {
			this.plans.of = "free";
			search.run("acme");
			search.run("acme");
			assertThatExceptionOfType(RateLimitExceededException.class).isThrownBy(() -> search.run("acme"))
				.satisfies((denied) -> assertThat(denied.decision().limit()).isEqualTo(2));
			this.plans.of = "pro";
			search.run("acme");
			assertThat(peek(limiters, "pro").remaining()).isEqualTo(597);
			this.plans.of = "free";
			assertThatExceptionOfType(RateLimitExceededException.class).isThrownBy(() -> search.run("acme"));
		});
	}

	@Test
	void stagesAndPublishersComeUnderPlansToo() {
		run((search, limiters) -> {
			this.plans.of = "pro";
			search.later("acme").join();
			search.mono("acme").block();
			assertThat(peek(limiters, "pro").remaining()).isEqualTo(598);
		});
	}

	@ParameterizedTest
	@NullSource
	@MethodSource
	void withoutAPlanTheRulesOwnNumbersCount(Object plan) {
		run((search, limiters) -> {
			this.plans.of = plan;
			search.run("acme");
			assertThat(peek(limiters, "pro").remaining()).isEqualTo(599);
			for (int i = 1; i < 60; i++) {
				search.run("acme");
			}
			assertThatExceptionOfType(RateLimitExceededException.class).isThrownBy(() -> search.run("acme"))
				.satisfies((denied) -> assertThat(denied.decision().limit()).isEqualTo(60));
		});
	}

	static List<Object> withoutAPlanTheRulesOwnNumbersCount() {
		return List.of("", Optional.empty(), "gold", Optional.of("gold"));
	}

	@Test
	void optionalPlanIsThePlanInIt() {
		run((search, limiters) -> {
			this.plans.of = Optional.of("free");
			search.run("acme");
			search.run("acme");
			assertThatExceptionOfType(RateLimitExceededException.class).isThrownBy(() -> search.run("acme"));
		});
	}

	@Test
	void limitOfACallerCountsAsItIs() {
		run((search, limiters) -> {
			this.plans.of = Limit.of(1, Duration.ofHours(1));
			search.run("acme");
			assertThatExceptionOfType(RateLimitExceededException.class).isThrownBy(() -> search.run("acme"))
				.satisfies((denied) -> assertThat(denied.decision().limits()).singleElement()
					.satisfies((limit) -> assertThat(limit.period()).isEqualTo(Duration.ofHours(1))));
		});
	}

	@Test
	void limitThatTheRuleCannotHaveFailsTheCall() {
		run((search, limiters) -> {
			this.plans.of = Limit.of(20_000, MINUTE);
			assertThatExceptionOfType(RateLimitExpressionException.class).isThrownBy(() -> search.run("acme"))
				.withMessageStartingWith("The plan of rule \"search\" on Search.run(String), \"@plans.of(#tenant)\", "
						+ "is no limit of this rule: ")
				.withMessageContaining("sliding-log keeps one entry");
			assertThat(this.plans.runs).isZero();
		});
	}

	@ParameterizedTest
	@ValueSource(ints = 7)
	void anotherValueFailsTheCall(Object plan) {
		run((search, limiters) -> {
			this.plans.of = plan;
			assertThatExceptionOfType(RateLimitExpressionException.class).isThrownBy(() -> search.run("acme"))
				.withMessage("The plan of rule \"search\" on Search.run(String), \"@plans.of(#tenant)\", has to be the "
						+ "name of a plan or a Limit, but is a java.lang.Integer.");
			assertThat(this.plans.runs).isZero();
		});
	}

	@Test
	void expressionThatFailsFailsTheCall() {
		run((search, limiters) -> {
			this.plans.of = new IllegalStateException("no database");
			assertThatIllegalStateException().isThrownBy(() -> search.run("acme")).withMessage("no database");
			assertThatExceptionOfType(RateLimitExpressionException.class).isThrownBy(() -> search.broken(null))
				.withMessageStartingWith("The plan of rule \"broken\" on Search.broken(String) cannot be evaluated: "
						+ "\"#tenant.length()\": ");
			assertThat(this.plans.runs).isZero();
		});
	}

	@Test
	void keysThatTheirRuleDoesNotCountHaveNoPlan() {
		this.runner
			.withPropertyValues("ratelimit.rules.search.allow=health-check,blocked",
					"ratelimit.rules.search.deny=mallory")
			.run((context) -> {
				Search search = context.getBean(Search.class);
				RateLimiter limiter = context.getBean(RateLimiterRegistry.class).limiter("search");
				this.plans.of = new IllegalStateException("no database");
				search.run("health-check");
				search.later("health-check").join();
				search.mono("health-check").block();
				assertThatExceptionOfType(RateLimitExceededException.class).isThrownBy(() -> search.run("mallory"));
				limiter.override("load-test", KeyOverride.unlimited());
				search.run("load-test");
				limiter.override("blocked", KeyOverride.blocked());
				assertThatExceptionOfType(RateLimitExceededException.class).isThrownBy(() -> search.run("blocked"));
				limiter.override("acme", KeyOverride.max(9));
				assertThatIllegalStateException().isThrownBy(() -> search.run("acme")).withMessage("no database");
			});
	}

	@Test
	void environmentWinsOverTheAnnotation() {
		this.runner.withPropertyValues("ratelimit.rules.search.plan='free'").run((context) -> {
			Search search = context.getBean(Search.class);
			this.plans.of = "pro";
			search.run("acme");
			search.run("acme");
			assertThatExceptionOfType(RateLimitExceededException.class).isThrownBy(() -> search.run("acme"));
		});
	}

	@Test
	void eachMethodOfARuleHasItsOwnExpression() {
		run((search, limiters) -> {
			this.plans.of = "free";
			search.run("acme");
			search.other("acme");
			assertThatExceptionOfType(RateLimitExceededException.class).isThrownBy(() -> search.run("acme"));
			assertThatExceptionOfType(RateLimitExceededException.class).isThrownBy(() -> search.other("acme"));
			search.unplanned("acme");
		});
	}

	@Test
	void expressionIsCheckedAtStartup() {
		this.runner.withPropertyValues("ratelimit.rules.search.plan=#customer")
			.run((context) -> assertThat(context).getFailure()
				.hasMessageContaining("ratelimit.rules.search.plan, used by Search.")
				.hasMessageContaining("plan \"#customer\" uses the unknown variable 'customer'"));
		this.runner.withPropertyValues("ratelimit.rules.search.plan=")
			.run((context) -> assertThat(context).getFailure()
				.hasMessageContaining("ratelimit.rules.search.plan = \"\" is invalid: it is empty"));
	}

	@Test
	void rulesWhosePlansAnnotationsSelectHavePlans() {
		run((search, limiters) -> {
			assertThat(limiters.limiter("search").rule().hasPlans()).isTrue();
			assertThat(limiters.limiter("broken").rule().hasPlans()).isTrue();
			assertThat(limiters.limiter("plain").rule().hasPlans()).isFalse();
		});
	}

	private static Decision peek(RateLimiterRegistry limiters, String plan) {
		return limiters.limiter("search").withPlan(plan).peek("acme");
	}

	private void run(OnSearch test) {
		this.runner.run((context) -> {
			Search search = context.getBean(Search.class);
			test.run(search, context.getBean(RateLimiterRegistry.class));
		});
	}

	private interface OnSearch {

		void run(Search search, RateLimiterRegistry limiters);

	}

	static class Plans {

		private Object of;

		private int runs;

		public Object of(String tenant) {
			if (this.of instanceof RuntimeException failure) {
				throw failure;
			}
			return this.of;
		}

	}

	static class Search {

		private final Plans plans;

		Search(Plans plans) {
			this.plans = plans;
		}

		@RateLimited(name = "search", key = "#tenant", plan = "@plans.of(#tenant)", max = 60, period = 60)
		public void run(String tenant) {
			this.plans.runs++;
		}

		@RateLimited(name = "search", key = "#tenant", plan = "@plans.of(#tenant)")
		public CompletableFuture<String> later(String tenant) {
			return CompletableFuture.completedFuture("found");
		}

		@RateLimited(name = "search", key = "#tenant", plan = "@plans.of(#tenant)")
		public Mono<String> mono(String tenant) {
			return Mono.just("found");
		}

		@RateLimited(name = "search", key = "#id", plan = "@plans.of(#id)")
		public void other(String id) {
		}

		@RateLimited(name = "search", key = "#id")
		public void unplanned(String id) {
		}

		@RateLimited(name = "broken", plan = "#tenant.length()", max = 1, period = 60)
		public void broken(String tenant) {
			this.plans.runs++;
		}

		@RateLimited(name = "plain", max = 1, period = 60)
		public void plain() {
		}

	}

}
