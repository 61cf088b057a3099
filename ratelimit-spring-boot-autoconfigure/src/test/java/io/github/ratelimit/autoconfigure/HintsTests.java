package io.github.ratelimit.autoconfigure;

import java.io.IOException;
import java.io.InputStream;
import java.time.Instant;
import java.util.function.Predicate;
import java.util.stream.Stream;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.actuate.boot3.Boot3HealthAutoConfiguration;
import io.github.ratelimit.annotation.RateLimited;
import io.github.ratelimit.gateway.mvc.RateLimitFilterFunctions;
import io.github.ratelimit.interceptor.OutgoingRequest;
import io.github.ratelimit.interceptor.RequestExpressionRoot;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.aop.framework.autoproxy.InfrastructureAdvisorAutoProxyCreator;
import org.springframework.aot.generate.ClassNameGenerator;
import org.springframework.aot.generate.DefaultGenerationContext;
import org.springframework.aot.generate.GeneratedFiles.Kind;
import org.springframework.aot.generate.InMemoryGeneratedFiles;
import org.springframework.aot.hint.ExecutableMode;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.TypeReference;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.boot.actuate.autoconfigure.observation.ObservationAutoConfiguration;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.autoconfigure.data.redis.RedisAutoConfiguration;
import org.springframework.boot.test.util.TestPropertyValues;
import org.springframework.boot.web.reactive.context.GenericReactiveWebApplicationContext;
import org.springframework.context.annotation.AnnotatedBeanDefinitionReader;
import org.springframework.context.aot.ApplicationContextAotGenerator;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.core.io.support.PathMatchingResourcePatternResolver;
import org.springframework.javapoet.ClassName;
import org.springframework.web.context.support.GenericWebApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Hints for a native image, and bean definitions that can be processed ahead of time.
 */
class HintsTests {

	private static final InMemoryGeneratedFiles files = new InMemoryGeneratedFiles();

	private static RuntimeHints hints;

	@BeforeAll
	static void processAheadOfTime() {
		hints = process(new GenericWebApplicationContext(), ServletRateLimitAutoConfiguration.class, files);
	}

	private static RuntimeHints process(GenericApplicationContext context, Class<?> web, InMemoryGeneratedFiles files) {
		TestPropertyValues
			.of("ratelimit.web.requests[0].path=/**", "ratelimit.web.requests[0].rule=reply",
					"ratelimit.client.requests[0].host=localhost", "ratelimit.client.requests[0].rule=reply",
					"management.endpoints.web.exposure.include=*")
			.applyTo(context);
		AnnotatedBeanDefinitionReader reader = new AnnotatedBeanDefinitionReader(context);
		reader.register(AopAutoConfiguration.class, RedisAutoConfiguration.class, ObservationAutoConfiguration.class,
				RateLimitAutoConfiguration.class, EndpointRateLimitAutoConfiguration.class,
				Boot3HealthAutoConfiguration.class, MetricsRateLimitAutoConfiguration.class,
				ObservationRateLimitAutoConfiguration.class, OutgoingRateLimitAutoConfiguration.class, web,
				Forum.class);
		reader.registerBean(Plans.class, "plans");
		reader.registerBean(Untyped.class, "prices");
		DefaultGenerationContext generation = new DefaultGenerationContext(
				new ClassNameGenerator(ClassName.get("forum", "Forum")), files);
		new ApplicationContextAotGenerator().processAheadOfTime(context, generation);
		generation.writeGeneratedContent();
		return generation.getRuntimeHints();
	}

	@Test
	void scriptsAreResources() throws IOException {
		String[] scripts = Stream
			.of(new PathMatchingResourcePatternResolver().getResources("classpath:META-INF/ratelimit/*.lua"))
			.map((script) -> "META-INF/ratelimit/" + script.getFilename())
			.toArray(String[]::new);
		assertThat(scripts).hasSizeGreaterThan(20)
			.allMatch((script) -> RuntimeHintsPredicates.resource().forResource(script).test(hints));
	}

	@ParameterizedTest
	@ValueSource(classes = { RequestExpressionRoot.OfMethod.class, RequestExpressionRoot.class, OutgoingRequest.class })
	void expressionsReadTheirRoot(Class<?> root) {
		assertThat(RuntimeHintsPredicates.reflection()
			.onType(root)
			.withMemberCategory(MemberCategory.INVOKE_PUBLIC_METHODS)).accepts(hints);
	}

	@Test
	void propertiesAreBound() {
		assertThat(Stream.of(RateLimitProperties.class, RuleProperties.class, RuleProperties.LimitProperties.class,
				RateLimitProperties.Request.class, RateLimitProperties.Outgoing.class))
			.allSatisfy((type) -> assertThat(RuntimeHintsPredicates.reflection().onType(type)).accepts(hints));
	}

	@ParameterizedTest
	@ValueSource(classes = { RuleProperties.class, RuleProperties.LimitProperties.class, PlanProperties.class,
			PlanProperties.PlanLimit.class })
	void attributesOfLimitsAreReadByTheirNames(Class<?> properties) {
		assertThat(RuntimeHintsPredicates.reflection()
			.onType(properties)
			.withMemberCategory(MemberCategory.INVOKE_PUBLIC_METHODS)).accepts(hints);
	}

	@Test
	void methodsOfLimitedBeansAndTheirFallbacksAreInvoked() {
		assertThat(invoked(Forum.class, "reply").and(invoked(Forum.class, "replyLater"))).accepts(hints);
	}

	@Test
	void expressionsReadParametersAndResults() {
		assertThat(invoked(Message.class, "author").and(invoked(Author.class, "name"))
			.and(invoked(Answer.class, "getTokens"))).accepts(hints);
	}

	@Test
	void expressionsCallBeans() {
		assertThat(invoked(Plans.class, "of")).accepts(hints);
	}

	@Test
	void beansOfUnknownTypesAreLeftToTheApplication() {
		assertThat(invoked(Forum.class, "export")).accepts(hints);
	}

	@ParameterizedTest
	@ValueSource(classes = { String.class, Long.class, Instant.class })
	void expressionsCallMethodsOfFinalClasses(Class<?> parameter) {
		assertThat(RuntimeHintsPredicates.reflection()
			.onType(parameter)
			.withMemberCategory(MemberCategory.INVOKE_PUBLIC_METHODS)).accepts(hints);
	}

	@Test
	void gatewayCallsFilters() {
		assertThat(new RateLimitFilterFunctions((route, arguments) -> null).get()).hasSize(2)
			.allMatch((filter) -> RuntimeHintsPredicates.reflection().onMethod(filter).invoke().test(hints));
	}

	@ParameterizedTest
	@ValueSource(strings = { "io.lettuce.core.RedisClient", "redis.clients.jedis.Jedis",
			"io.micrometer.context.ContextSnapshotFactory", "jakarta.servlet.ServletResponse" })
	void librariesAreFoundByName(String type) {
		assertThat(RuntimeHintsPredicates.reflection().onType(TypeReference.of(type))).accepts(hints);
	}

	@ParameterizedTest
	@CsvSource({ "java.lang.Object, toString", "io.github.ratelimit.web.reactive.FailureDispatch, fail",
			"org.springframework.web.reactive.config.BlockingExecutionConfigurer, getExecutor",
			"jakarta.servlet.http.HttpServletResponse, sendRedirect" })
	void methodsAreFoundByName(String type, String method) {
		assertThat(hints.reflection().getTypeHint(TypeReference.of(type)).methods())
			.anyMatch((hint) -> hint.getName().equals(method) && hint.getMode() == ExecutableMode.INVOKE);
	}

	@Test
	void proxyAndItsAdvisorAreGenerated() throws IOException {
		assertThat(files.getGeneratedFiles(Kind.CLASS).keySet())
			.anyMatch((file) -> file.contains("HintsTests$Forum$$SpringCGLIB$$"));
		assertThat(source("AnnotationConfiguration__BeanDefinitions")).contains("RateLimitAdvisor");
		assertThat(files.getGeneratedFiles(Kind.SOURCE).keySet())
			.anyMatch((file) -> file.contains(InfrastructureAdvisorAutoProxyCreator.class.getSimpleName()));
	}

	@Test
	void reactiveApplicationsAreProcessedToo() {
		InMemoryGeneratedFiles generated = new InMemoryGeneratedFiles();
		process(new GenericReactiveWebApplicationContext(), ReactiveRateLimitAutoConfiguration.class, generated);
		assertThat(generated.getGeneratedFiles(Kind.SOURCE).keySet())
			.anyMatch((file) -> file.contains(ReactiveRateLimitAutoConfiguration.class.getSimpleName()));
	}

	private static String source(String name) throws IOException {
		String path = "io/github/ratelimit/autoconfigure/" + name + ".java";
		try (InputStream source = files.getGeneratedFile(Kind.SOURCE, path).getInputStream()) {
			return new String(source.readAllBytes());
		}
	}

	private static Predicate<RuntimeHints> invoked(Class<?> type, String method) {
		return RuntimeHintsPredicates.reflection().onMethod(type, method).invoke();
	}

	static class Forum {

		@RateLimited(key = "#message.author.name", max = 5, period = 60, plan = "@plans.of(#message)",
				algorithm = Algorithm.TOKEN_BUCKET, settle = "#result.tokens", fallback = "replyLater")
		public Answer reply(Message message) {
			return new Answer();
		}

		@RateLimited(key = "#userId + ':' + #day.epochSecond", max = 5, period = 60, cost = "@prices.of(#userId)")
		public void export(long userId, Instant day) {
		}

		private Answer replyLater(Message message) {
			return new Answer();
		}

	}

	record Message(Author author) {

	}

	record Author(String name) {

	}

	static class Answer {

		public int getTokens() {
			return 3;
		}

	}

	static class Untyped<T> implements FactoryBean<T> {

		@Override
		public T getObject() {
			throw new IllegalStateException("created ahead of time");
		}

		@Override
		public Class<?> getObjectType() {
			return null;
		}

	}

	static class Plans {

		public String of(Message message) {
			return "";
		}

	}

}
