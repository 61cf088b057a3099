package io.github.ratelimit.openapi;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.OnStoreFailure;
import io.github.ratelimit.RateLimitExceededException;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.annotation.RateLimited;
import io.github.ratelimit.engine.RateLimitEngine;
import io.github.ratelimit.engine.RuleLimiter;
import io.github.ratelimit.engine.RuleRegistry;
import io.github.ratelimit.interceptor.ExpressionBeans;
import io.github.ratelimit.interceptor.LimitedMethodSource;
import io.github.ratelimit.interceptor.RateLimitOperation;
import io.github.ratelimit.interceptor.RateLimitPointcut;
import io.github.ratelimit.store.local.LocalFallbackStore;
import io.github.ratelimit.store.local.LocalRateLimitStore;
import io.github.ratelimit.web.ExceptionHandlers;
import io.github.ratelimit.web.HeaderFormat;
import io.github.ratelimit.web.LimitHeaders;
import io.github.ratelimit.web.RequestRule;
import io.swagger.v3.oas.models.OpenAPI;
import io.swagger.v3.oas.models.Operation;
import io.swagger.v3.oas.models.PathItem;
import io.swagger.v3.oas.models.PathItem.HttpMethod;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.web.bind.annotation.ControllerAdvice;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestMethod;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.util.pattern.PathPatternParser;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Rules that documents show for an operation, and the denials that the application
 * answers itself.
 */
class RateLimitOpenApiCustomizerTests {

	private final RuleRegistry registry = new RuleRegistry(new RateLimitEngine(new LocalRateLimitStore(100),
			() -> OnStoreFailure.LOCAL, new LocalFallbackStore(100, 1)), Algorithm.SLIDING_LOG, List.of());

	private final ExpressionBeans beans = new ExpressionBeans(new DefaultListableBeanFactory());

	private final List<RequestRule> requests = new ArrayList<>();

	private final GenericApplicationContext context = new GenericApplicationContext();

	private final RateLimitOpenApiCustomizer customizer = new RateLimitOpenApiCustomizer(
			new LimitedMethodSource(new RateLimitPointcut(), this.registry, this.beans), () -> this.requests, "",
			LimitHeaders.of(HeaderFormat.IETF), () -> OnStoreFailure.LOCAL, new ExceptionHandlers(this.context),
			() -> false);

	@BeforeEach
	void refresh() {
		this.context.refresh();
	}

	@ParameterizedTest
	@EnumSource(names = "OPTIONS", mode = EnumSource.Mode.EXCLUDE)
	void mappingWithoutMethodsIsLimitedForAllButOptions(HttpMethod method) throws NoSuchMethodException {
		assertThat(isLimited(document(method, new Topics(), "any"))).isTrue();
	}

	@Test
	void optionsOfAMappingWithoutMethodsAreAnsweredBySpring() throws NoSuchMethodException {
		assertThat(isLimited(document(HttpMethod.OPTIONS, new Topics(), "any"))).isFalse();
	}

	@Test
	void optionsThatAMappingNamesAreLimited() throws NoSuchMethodException {
		assertThat(isLimited(document(HttpMethod.OPTIONS, new Topics(), "options"))).isTrue();
	}

	@Test
	void optionsOfAFunctionalRouteAreLimited() throws NoSuchMethodException {
		assertThat(isLimited(document(HttpMethod.OPTIONS, new Unmapped(), "search"))).isTrue();
	}

	@Test
	void denialOfAControllerThatAnswersItHasNoProblem() throws NoSuchMethodException {
		assertThat(hasProblem(document(HttpMethod.GET, new Answering(), "reply"))).isFalse();
	}

	@Test
	void denialOfAUrlRuleHasAProblemEvenIfTheControllerAnswersItsOwn() throws NoSuchMethodException {
		limitUrl();
		assertThat(hasProblem(document(HttpMethod.GET, new Answering(), "reply"))).isTrue();
	}

	@Test
	void denialOfAUrlRuleThatAnAdviceAnswersHasNoProblem() throws NoSuchMethodException {
		limitUrl();
		this.context.registerBean(Advice.class);
		assertThat(hasProblem(document(HttpMethod.GET, new Answering(), "reply"))).isFalse();
	}

	@Test
	void denialHasAProblemIfOneOfTwoControllersDoesNotAnswerIt() throws NoSuchMethodException {
		assertThat(hasProblem(document(HttpMethod.GET, new HandlerMethod(new Answering(), "reply"),
				new HandlerMethod(new Topics(), "any"))))
			.isTrue();
	}

	private void limitUrl() {
		RuleLimiter limiter = (RuleLimiter) this.registry
			.register(RateLimitRule.named("api").limit(100, Duration.ofMinutes(1)).build());
		this.requests
			.add(new RequestRule(PathPatternParser.defaultInstance.parse("/topics"), Set.of(), RateLimitOperation
				.ofRequests(limiter, "ratelimit.web.requests[0]", "ip", null, null, null, this.beans)));
	}

	private Operation document(HttpMethod method, Object controller, String handler) throws NoSuchMethodException {
		return document(method, new HandlerMethod(controller, handler));
	}

	private Operation document(HttpMethod method, HandlerMethod... handlers) {
		Operation operation = new Operation();
		List.of(handlers).forEach((handler) -> this.customizer.customize(operation, handler));
		PathItem path = new PathItem();
		path.operation(method, operation);
		this.customizer.customise(new OpenAPI().path("/topics", path));
		return operation;
	}

	private static boolean isLimited(Operation operation) {
		return operation.getResponses() != null && operation.getResponses().containsKey("429");
	}

	private static boolean hasProblem(Operation operation) {
		return operation.getResponses().get("429").getContent() != null;
	}

	@RequestMapping("/topics")
	static class Topics {

		@RequestMapping
		@RateLimited(name = "any", max = 5, period = 60)
		public void any() {
		}

		@RequestMapping(method = RequestMethod.OPTIONS)
		@RateLimited(name = "options", max = 5, period = 60)
		public void options() {
		}

	}

	static class Unmapped {

		@RateLimited(name = "search", max = 5, period = 60)
		public void search() {
		}

	}

	static class Answering {

		@RequestMapping("/topics")
		@RateLimited(name = "reply", max = 5, period = 60)
		public void reply() {
		}

		@ExceptionHandler
		public void denied(RateLimitExceededException denial) {
		}

	}

	@ControllerAdvice
	static class Advice {

		@ExceptionHandler
		public void denied(RateLimitExceededException denial) {
		}

	}

}
