package io.github.ratelimit.architecture;

import java.lang.reflect.Field;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Set;
import java.util.stream.Stream;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.AccessTarget;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.annotation.RateLimited;
import io.github.ratelimit.autoconfigure.RateLimitProperties;
import io.github.ratelimit.document.Api;
import io.github.ratelimit.store.jdbc.JdbcRateLimitStore;
import io.github.ratelimit.store.redis.RedisRateLimitStore;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.data.redis.connection.RedisConnectionFactory;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackages;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Permitted dependencies between packages, and forbidden types. JUnit itself runs the
 * rules, because Surefire since 3.5.3 runs no fields with {@code @ArchTest}.
 */
class ArchitectureTests {

	static final String ROOT = "io.github.ratelimit";

	private static final Class<?> FACTORY = RedisConnectionFactory.class;

	private static final String[] JDK = { "java..", "org.jspecify..", "io.github.ratelimit",
			"io.github.ratelimit.concurrent" };

	static final ArchRule vocabularyKnowsNotationAndArithmetic = within(ROOT).onlyKnow(".notation", ".arithmetic");

	static final ArchRule notationAndArithmeticKnowTheJdkOnly = noClasses()
		.that(resideInAnyPackage(ROOT + ".notation", ROOT + ".arithmetic"))
		.should()
		.dependOnClassesThat(
				resideInAPackage(ROOT + "..").and(resideOutsideOfPackages(ROOT + ".notation", ROOT + ".arithmetic")));

	static final ArchRule attributesKnowTheVocabulary = within(".attribute").onlyKnow();

	static final ArchRule concurrentKnowsTheJdkOnly = classes().that(resideInAPackage(ROOT + ".concurrent"))
		.should()
		.onlyDependOnClassesThat(resideInAnyPackage("java..", "org.jspecify..", ROOT + ".concurrent"));

	static final ArchRule annotationKnowsCoreAnnotations = within(".annotation")
		.onlyKnow("org.springframework.core.annotation");

	static final ArchRule algorithmKnowsArithmetic = within(".algorithm").onlyKnow(".arithmetic");

	static final ArchRule storeKnowsAlgorithm = within(".store").onlyKnow(".algorithm");

	static final ArchRule localStoreKnowsAlgorithm = within(".store.local").onlyKnow(".store", ".algorithm");

	static final ArchRule redisStoreKnowsSpringDataAndItsClients = within(".store.redis").onlyKnow(".store",
			".algorithm", ".arithmetic", ".override", "org.springframework.data.redis..", "org.springframework.dao..",
			"org.springframework.core..", "org.springframework.util..", "org.springframework.scheduling.concurrent..",
			"io.lettuce..", "io.netty..", "redis.clients.jedis..", "org.apache.commons.pool2..", "javax.net.ssl..");

	static final ArchRule jdbcStoreKnowsTheJdkOnly = within(".store.jdbc").onlyKnow(".store", ".algorithm", ".override",
			"javax.sql");

	static final ArchRule topTalkersKnowTheStore = within(".top").onlyKnow(".store");

	static final ArchRule engineKnowsNoSpring = within(".engine").onlyKnow(".algorithm", ".store", ".top", ".adaptive",
			".attribute", ".notation");

	static final ArchRule overrideKnowsTheEngine = within(".override").onlyKnow(".engine", ".store", ".algorithm",
			".attribute", ".notation");

	static final ArchRule adaptiveKnowsTheJdkOnly = within(".adaptive").onlyKnow("com.sun.management..");

	static final ArchRule interceptorKnowsNeitherWebNorBoot = within(".interceptor").onlyKnow(".annotation", ".engine",
			".store", ".attribute", ".notation", "org.aopalliance..", "org.springframework.aop..",
			"org.springframework.aot..", "org.springframework.beans..", "org.springframework.context.annotation..",
			"org.springframework.context.expression..", "org.springframework.core..",
			"org.springframework.expression..", "org.springframework.format..", "org.springframework.util..",
			"org.reactivestreams..", "reactor..", "io.micrometer.context..", "io.netty.util.concurrent..");

	static final ArchRule webKnowsTheInterceptor = within(".web").onlyKnow(".interceptor", ".engine", ".store",
			".notation", "org.springframework.context..", "org.springframework.core..", "org.springframework.http..",
			"org.springframework.util..", "org.springframework.web.bind..", "org.springframework.web.method..",
			"org.springframework.web.util..");

	static final ArchRule servletKnowsNoReactor = within(".web.servlet").onlyKnow(".web", ".interceptor", ".engine",
			"org.springframework.context.i18n", "org.springframework.web.accept",
			"org.springframework.web.context.request..", "org.springframework.web.method..",
			"org.springframework.web.servlet..", "org.springframework.web.filter..", "org.springframework.web.cors..",
			"org.springframework.web.util", "org.springframework.core..", "org.springframework.http..",
			"org.springframework.util..", "jakarta.servlet..");

	static final ArchRule reactiveKnowsNoServletRequests = within(".web.reactive").onlyKnow(".web", ".interceptor",
			".engine", "org.springframework.context..", "org.springframework.core..", "org.springframework.http..",
			"org.springframework.util..", "org.springframework.web.bind.annotation",
			"org.springframework.web.cors.reactive", "org.springframework.web.method",
			"org.springframework.web.server..", "org.springframework.web.reactive..", "org.reactivestreams..",
			"reactor..", "jakarta.servlet");

	static final ArchRule servletContainersStayWhereTheirAbsenceIsNotFelt = noClasses()
		.that(resideInAPackage(ROOT + ".web.reactive").and(isNotAPrivateNestedClass()))
		.should()
		.dependOnClassesThat(resideInAnyPackage("jakarta.servlet.."));

	static final ArchRule grpcKnowsTheInterceptor = within(".grpc").onlyKnow(".web", ".interceptor", ".engine",
			".concurrent", "io.grpc..", "org.springframework.core", "org.springframework.util..");

	static final ArchRule onlyItsDoorKnowsGrpc = onlyFolder("grpc", "io.grpc..", "org.springframework.grpc..");

	static final ArchRule graphQlKnowsTheWeb = within(".graphql").onlyKnow(".web", ".interceptor", ".engine",
			"graphql..", "org.springframework.graphql..", "org.springframework.beans.factory",
			"org.springframework.context", "org.springframework.core..", "org.springframework.http",
			"org.springframework.util..", "org.springframework.web.bind.annotation", "io.micrometer.context",
			"org.reactivestreams..", "reactor..");

	static final ArchRule onlyItsDoorKnowsGraphQl = onlyFolder("graphql", "graphql..", "org.springframework.graphql..");

	static final ArchRule aiKnowsTheInterceptor = within(".ai").onlyKnow(".interceptor", ".engine", ".store",
			"org.aopalliance..", "org.springframework.ai..", "org.springframework.aop..", "org.springframework.core",
			"org.springframework.util..", "org.reactivestreams..", "reactor..");

	static final ArchRule onlyItsDoorKnowsSpringAi = onlyFolder("ai", "org.springframework.ai..");

	static final ArchRule openApiKnowsTheWeb = within(".openapi").onlyKnow(".web", ".interceptor", ".engine",
			"org.springdoc.core.customizers", "io.swagger.v3.oas..", "org.springframework.core..",
			"org.springframework.web.bind.annotation", "org.springframework.web.method");

	static final ArchRule onlyItsDoorKnowsSpringdoc = onlyFolder("openapi", "org.springdoc..", "io.swagger..");

	static final ArchRule gatewayKnowsReactiveRequests = within(".gateway").onlyKnow(".web.reactive", ".interceptor",
			"org.springframework.cloud.gateway..", "org.springframework.http.server.reactive",
			"org.springframework.util..", "org.springframework.web.cors.reactive", "org.springframework.web.server..",
			"org.reactivestreams..", "reactor..");

	static final ArchRule mvcGatewayKnowsServletRequests = within(".gateway.mvc").onlyKnow(".web.servlet",
			".interceptor", "org.springframework.cloud.gateway.server.mvc..", "org.springframework.util..",
			"org.springframework.context", "org.springframework.beans.factory", "org.springframework.http",
			"org.springframework.web.cors", "org.springframework.web.servlet.function", "jakarta.servlet..");

	static final ArchRule onlyTheGatewayKnowsSpringCloud = onlyFolder("gateway", "org.springframework.cloud..");

	static final ArchRule clientKnowsTheInterceptor = within(".client").onlyKnow(".interceptor", ".engine", ".override",
			".store", "org.springframework.util..");

	static final ArchRule blockingClientsKnowNoReactor = within(".client.blocking").onlyKnow(".client", ".interceptor",
			".engine", "org.springframework.http..");

	static final ArchRule reactiveClientsKnowReactor = within(".client.reactive").onlyKnow(".client", ".interceptor",
			".engine", "org.springframework.http..", "org.springframework.web.reactive.function.client",
			"org.reactivestreams..", "reactor..");

	static final ArchRule clientsOfBoot3KnowBoot3 = within(".client.boot3").onlyKnow(".client", ".client.blocking",
			".client.reactive", "org.springframework.boot.web.client..",
			"org.springframework.boot.web.reactive.function.client..",
			"org.springframework.boot.autoconfigure.condition..", "org.springframework.context.annotation..",
			"org.springframework.core..", "org.springframework.http.client", "org.springframework.web.client..",
			"org.springframework.web.reactive.function.client..");

	static final ArchRule clientsOfBoot4KnowBoot4 = within(".client.boot4").onlyKnow(".client", ".client.blocking",
			".client.reactive", "org.springframework.boot.restclient..", "org.springframework.boot.webclient..",
			"org.springframework.boot.autoconfigure.condition..", "org.springframework.context.annotation..",
			"org.springframework.core..", "org.springframework.http.client", "org.springframework.web.client..",
			"org.springframework.web.reactive.function.client..");

	static final ArchRule metricsKnowMicrometer = within(".metrics").onlyKnow(".notation", "io.micrometer.core..");

	static final ArchRule observationKnowsMicrometer = within(".observation").onlyKnow(".notation",
			"io.micrometer.observation..");

	static final ArchRule healthKnowsTheJdkOnly = within(".actuate").onlyKnow();

	static final ArchRule endpointKnowsWhatDidNotMove = within(".actuate.endpoint").onlyKnow(".engine", ".override",
			".store", ".top", ".attribute", ".notation", ".interceptor", ".web", "org.springframework.http",
			"org.springframework.web.util.pattern", "org.springframework.boot.actuate.endpoint..",
			"org.springframework.format..", "org.springframework.util..", "org.springframework.lang..");

	static final ArchRule healthOfBoot3KnowsBoot3 = within(".actuate.boot3").onlyKnow(".actuate",
			"org.springframework.boot.actuate..", "org.springframework.boot.autoconfigure",
			"org.springframework.boot.autoconfigure.condition..", "org.springframework.context.annotation..");

	static final ArchRule healthOfBoot4KnowsBoot4 = within(".actuate.boot4").onlyKnow(".actuate",
			"org.springframework.boot.health..", "org.springframework.boot.autoconfigure",
			"org.springframework.boot.autoconfigure.condition..", "org.springframework.context.annotation..");

	static final ArchRule micrometerStaysWhereItsAbsenceIsNotFelt = noClasses()
		.that(resideOutsideOfPackages(ROOT + ".metrics..", ROOT + ".observation..", ROOT + ".autoconfigure..")
			.and(isNotAPrivateNestedClass()))
		.should()
		.dependOnClassesThat(resideInAPackage("io.micrometer.."));

	static final ArchRule nobodyImportsAutoconfigure = noClasses()
		.that(resideOutsideOfPackages(ROOT + ".autoconfigure..", ROOT + ".actuate.*..", ROOT + ".client.boot3..",
				ROOT + ".client.boot4.."))
		.should()
		.dependOnClassesThat(resideInAnyPackage(ROOT + ".autoconfigure..", "org.springframework.boot.."));

	static final ArchRule onlyTheRedisStoreKnowsRedis = noClasses().that(resideOutside("store.redis"))
		.should()
		.dependOnClassesThat(resideInAnyPackage("io.lettuce..", "redis.clients.jedis..", "org.springframework.data..")
			.and(describe("are not RedisConnectionFactory", (type) -> !type.isEquivalentTo(FACTORY))));

	static final ArchRule reactorStaysWhereItsAbsenceIsNotFelt = noClasses()
		.that(resideOutside("web.reactive").and(resideOutside("client.reactive"))
			.and(resideOutside("gateway"))
			.and(resideOutside("graphql"))
			.and(resideOutside("ai"))
			.and(isLoadedWithoutReactor()))
		.should()
		.dependOnClassesThat(resideInAnyPackage("reactor..", "org.reactivestreams.."));

	static final ArchRule nettyStaysWhereItsAbsenceIsNotFelt = noClasses()
		.that(resideOutside("store.redis").and(isNotAPrivateNestedClass()))
		.should()
		.dependOnClassesThat(resideInAnyPackage("io.netty.."));

	static final ArchRule packagesHaveNoCycles = slices().matching(ROOT + ".(**)").should().beFreeOfCycles();

	static final ArchRule nobodyUsesWhatMayBeAbsentOrGone = noClasses().should()
		.dependOnClassesThat(
				resideInAnyPackage("org.aspectj..", "com.fasterxml.jackson..", "tools.jackson..", "lombok.."));

	/**
	 * Spring's own annotation is the only one by which both generations of Spring Boot
	 * recognize optional parameters of endpoints.
	 */
	static final ArchRule onlyTheEndpointUsesSpringsNullable = noClasses().that(resideOutside("actuate.endpoint"))
		.should()
		.dependOnClassesThat(resideInAnyPackage("org.springframework.lang.."));

	/**
	 * Expressions are parsed when the application starts, so that no text of a request
	 * can become one.
	 */
	static final ArchRule onlyTheCompilerParsesExpressions = noClasses().that()
		.doNotHaveFullyQualifiedName(ROOT + ".interceptor.ExpressionCompiler")
		.should()
		.dependOnClassesThat()
		.areAssignableTo("org.springframework.expression.ExpressionParser");

	static final ArchRule namesHideNoHome = noClasses().should()
		.haveNameMatching(".*(Utils?|Helper|Manager|Impl)(\\$.*)?");

	static final ArchRule packagesAreNullMarked = classes().should(resideInANullMarkedPackage());

	/**
	 * Published classes: neither tests nor other modules below the same package.
	 */
	static final JavaClasses PUBLISHED = new ClassFileImporter().importUrls(Stream
		.of(RateLimiter.class, RedisRateLimitStore.class, JdbcRateLimitStore.class, RateLimited.class,
				RateLimitProperties.class)
		.map((type) -> type.getProtectionDomain().getCodeSource().getLocation())
		.toList());

	@ParameterizedTest(name = "{0}")
	@MethodSource("rules")
	void holds(String name, ArchRule rule) {
		rule.check(PUBLISHED);
	}

	@Test
	void clocksAreReadInNamedPlaces() {
		assertThat(PUBLISHED.stream()
			.flatMap((type) -> type.getAccessesFromSelf().stream())
			.filter((access) -> isClock(access.getTarget()))
			.map((access) -> access.getOriginOwner().getName().substring(ROOT.length()).replaceFirst("[$].*", ""))
			.distinct()).containsExactlyInAnyOrder(".actuate.StoreHealth", ".adaptive.Load", ".engine.CallFailureLog",
					".engine.DecisionReport", ".engine.DenyCache", ".engine.Listeners", ".engine.RateLimitEngine",
					".engine.VerdictSource", ".store.jdbc.JdbcFailures", ".store.jdbc.JdbcRateLimitStore",
					".store.jdbc.StateTable", ".store.local.LocalClock", ".store.redis.CallerClock",
					".store.redis.LettuceConnector", ".store.redis.LettuceLink", ".store.redis.RedisSetup",
					".store.redis.ReplyWatch", ".store.redis.SentCalls");
	}

	private static boolean isClock(AccessTarget target) {
		return target.getOwner().isEquivalentTo(System.class)
				? target.getName().equals("nanoTime") || target.getName().equals("currentTimeMillis")
				: target.getOwner().getPackageName().equals("java.time")
						&& target.getName().matches("now|(system|tick).*");
	}

	@Test
	void apiExposesOnlyApi() {
		Set<String> api = Api.read().names();
		JavaClasses published = new ClassFileImporter().importPaths(Stream
			.of("core", "redis", "jdbc", "spring", "spring-boot-autoconfigure", "spring-boot-test", "store-tck")
			.map((module) -> Path.of("..", "ratelimit-" + module, "target", "classes"))
			.toList());
		assertThat(published).extracting(JavaClass::getName).containsAll(api);
		assertThat(published.stream().filter((type) -> api.contains(type.getName())).flatMap(Exposure::of).distinct())
			.filteredOn((exposure) -> !api.contains(exposure.type()))
			.isEmpty();
	}

	static Stream<Arguments> rules() {
		return Arrays.stream(ArchitectureTests.class.getDeclaredFields())
			.filter((field) -> field.getType() == ArchRule.class)
			.map((field) -> Arguments.of(field.getName(), value(field)));
	}

	private static Object value(Field field) {
		try {
			return field.get(null);
		}
		catch (IllegalAccessException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static Permitted within(String folder) {
		return new Permitted(folder.equals(ROOT) ? ROOT : ROOT + folder);
	}

	/**
	 * Only a folder and the configuration depend on types of these packages.
	 */
	private static ArchRule onlyFolder(String folder, String... packages) {
		return noClasses().that(resideOutside(folder).and(resideOutside("autoconfigure")))
			.should()
			.dependOnClassesThat(resideInAnyPackage(packages));
	}

	private static DescribedPredicate<JavaClass> resideOutside(String folder) {
		return resideOutsideOfPackages(ROOT + '.' + folder + "..");
	}

	private static DescribedPredicate<JavaClass> isLoadedWithoutReactor() {
		return isNotAPrivateNestedClass().and(describe("are not those of reactive calls",
				(type) -> !type.getName().startsWith(ROOT + ".interceptor.ReactiveStyle")
						&& !type.getName().equals(ROOT + ".interceptor.ReactiveTurn")));
	}

	private static DescribedPredicate<JavaClass> isNotAPrivateNestedClass() {
		return describe("are no private nested classes",
				(type) -> !(type.isNestedClass() && type.getModifiers().contains(JavaModifier.PRIVATE)));
	}

	private static ArchCondition<JavaClass> resideInANullMarkedPackage() {
		return new ArchCondition<>("reside in a package with @NullMarked") {

			@Override
			public void check(JavaClass type, ConditionEvents events) {
				if (!type.getPackage().isAnnotatedWith(NullMarked.class)) {
					events.add(SimpleConditionEvent.violated(type, type.getPackageName() + " has no @NullMarked"));
				}
			}

		};
	}

	/**
	 * Dependencies of a package that are permitted besides itself, the root package and
	 * the JDK.
	 */
	private record Permitted(String folder) {

		ArchRule onlyKnow(String... others) {
			DescribedPredicate<JavaClass> permitted = resideInAnyPackage(JDK).or(resideInAPackage(this.folder));
			for (String other : others) {
				permitted = permitted.or(resideInAPackage(other.startsWith(".") ? ROOT + other : other));
			}
			return classes().that(resideInAPackage(this.folder)).should().onlyDependOnClassesThat(permitted);
		}

	}

}
