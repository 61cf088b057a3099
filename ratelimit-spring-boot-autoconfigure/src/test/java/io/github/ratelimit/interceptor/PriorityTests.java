package io.github.ratelimit.interceptor;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

import io.github.ratelimit.RateLimitExceededException;
import io.github.ratelimit.RateLimitExpressionException;
import io.github.ratelimit.RateLimiterRegistry;
import io.github.ratelimit.annotation.RateLimited;
import io.github.ratelimit.autoconfigure.LimitedApplication;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.NullSource;
import reactor.core.publisher.Mono;

import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Classes of calls of annotated methods, selected by expressions.
 */
class PriorityTests {

	private final ApplicationContextRunner runner = LimitedApplication.runner()
		.withBean(Shop.class)
		.withPropertyValues("ratelimit.store=local", "ratelimit.rules.shop.headroom.low=70%",
				"ratelimit.rules.shop.headroom.other=5");

	@Test
	void lowLeavesItsHeadroomFreeAndHighTakesAll() {
		run((shop) -> {
			assertThat(admitted(shop, "low")).isEqualTo(3);
			assertThat(admitted(shop, "unknown")).isEqualTo(2);
			assertThat(admitted(shop, "high")).isEqualTo(5);
		});
	}

	@ParameterizedTest
	@NullSource
	@MethodSource
	void callWithoutAClassOfTheRuleIsOther(Object priority) {
		run((shop) -> assertThat(admitted(shop, priority)).isEqualTo(5));
	}

	static List<Object> callWithoutAClassOfTheRuleIsOther() {
		return List.of("", " ", "gold", 7, Optional.empty(), new Object());
	}

	@ParameterizedTest
	@MethodSource
	void textOfTheValueIsTheClassInAnyCase(Object priority) {
		run((shop) -> assertThat(admitted(shop, priority)).isEqualTo(3));
	}

	static List<Object> textOfTheValueIsTheClassInAnyCase() {
		return List.of("low", " Low ", Priority.LOW, Optional.of("low"), new StringBuilder("low"));
	}

	@Test
	void denialHasTheNumbersOfTheClass() {
		run((shop) -> {
			admitted(shop, "low");
			assertThatExceptionOfType(RateLimitExceededException.class).isThrownBy(() -> shop.run("low"))
				.satisfies((denied) -> {
					assertThat(denied.decision().remaining()).isZero();
					assertThat(denied.decision().retryAfter()).isPositive();
				});
			shop.run("high");
		});
	}

	@Test
	void stagesAndPublishersHaveClassesToo() {
		run((shop) -> {
			for (int i = 0; i < 3; i++) {
				shop.later("low").join();
			}
			assertThatExceptionOfType(RateLimitExceededException.class).isThrownBy(() -> shop.mono("low").block());
			assertThat(shop.later("low")).isCompletedExceptionally();
			assertThat(shop.mono("high").block()).isEqualTo("sold");
		});
	}

	@Test
	void environmentWinsOverTheAnnotation() {
		this.runner.withPropertyValues("ratelimit.rules.shop.priority='low'")
			.run((context) -> assertThat(admitted(context.getBean(Shop.class), "high")).isEqualTo(3));
	}

	@Test
	void methodWithoutAnExpressionIsOther() {
		run((shop) -> {
			for (int i = 0; i < 5; i++) {
				shop.plain();
			}
			assertThatExceptionOfType(RateLimitExceededException.class).isThrownBy(shop::plain);
			shop.run("high");
		});
	}

	@Test
	void keyThatIsNotCountedHasNoClass() {
		this.runner
			.withPropertyValues("ratelimit.rules.shop.key='health-check'", "ratelimit.rules.shop.allow=health-check",
					"ratelimit.rules.shop.priority=args[0].length()")
			.run((context) -> context.getBean(Shop.class).run(null));
	}

	@Test
	void expressionThatFailsFailsTheCall() {
		this.runner.withPropertyValues("ratelimit.rules.shop.priority=args[0].length()")
			.run((context) -> assertThatExceptionOfType(RateLimitExpressionException.class)
				.isThrownBy(() -> context.getBean(Shop.class).run(null))
				.withMessageStartingWith("The priority of rule \"shop\" on Shop.run(Object) cannot be evaluated: "
						+ "\"args[0].length()\": "));
	}

	@Test
	void expressionIsCheckedAtStartup() {
		this.runner.withPropertyValues("ratelimit.rules.shop.priority=#customer")
			.run((context) -> assertThat(context).getFailure()
				.hasMessageContaining("ratelimit.rules.shop.priority, used by Shop.")
				.hasMessageContaining("priority \"#customer\" uses the unknown variable 'customer'"));
		this.runner.withPropertyValues("ratelimit.rules.shop.priority=@customers.of(#priority)")
			.run((context) -> assertThat(context).getFailure()
				.hasMessageContaining("uses the bean 'customers', which does not exist"));
	}

	@Test
	void annotationNeedsTheHeadroomOfTheRule() {
		LimitedApplication.runner()
			.withBean(Shop.class)
			.withPropertyValues("ratelimit.store=local")
			.run((context) -> assertThat(context).getFailure()
				.hasMessageContaining(
						"@RateLimited on Shop.run(Object): priority = \"#priority\" is invalid: the rule has "
								+ "no headroom, so all classes of calls are equal.")
				.hasMessageContaining("Write what a class leaves free, ratelimit.rules.shop.headroom.low: 30% in the "
						+ "properties or headroom(..) of RateLimitRule.Builder for example; or remove it."));
	}

	@Test
	void programSeesTheClassesOfTheEnvironment() {
		this.runner.run((context) -> assertThat(
				context.getBean(RateLimiterRegistry.class).limiter("shop").withPriority("low").peek("").remaining())
			.isEqualTo(3));
	}

	private static int admitted(Shop shop, Object priority) {
		int admitted = 0;
		try {
			while (admitted < 100) {
				shop.run(priority);
				admitted++;
			}
		}
		catch (RateLimitExceededException ex) {
			return admitted;
		}
		return admitted;
	}

	private void run(OnShop test) {
		this.runner.run((context) -> test.run(context.getBean(Shop.class)));
	}

	private interface OnShop {

		void run(Shop shop);

	}

	private enum Priority {

		LOW

	}

	static class Shop {

		@RateLimited(name = "shop", priority = "#priority", max = 10, period = 60)
		public void run(Object priority) {
		}

		@RateLimited(name = "shop", priority = "#priority")
		public CompletableFuture<String> later(Object priority) {
			return CompletableFuture.completedFuture("sold");
		}

		@RateLimited(name = "shop", priority = "#priority")
		public Mono<String> mono(Object priority) {
			return Mono.just("sold");
		}

		@RateLimited(name = "shop")
		public void plain() {
		}

	}

}
