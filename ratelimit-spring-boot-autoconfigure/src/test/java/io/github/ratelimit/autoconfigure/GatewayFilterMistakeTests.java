package io.github.ratelimit.autoconfigure;

import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;

import io.github.ratelimit.RateLimitConfigurationException;
import io.github.ratelimit.annotation.RateLimited;
import io.github.ratelimit.gateway.RateLimitGatewayFilterFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.test.context.runner.ReactiveWebApplicationContextRunner;
import org.springframework.cloud.gateway.config.GatewayProperties;
import org.springframework.cloud.gateway.filter.FilterDefinition;
import org.springframework.cloud.gateway.filter.GatewayFilter;
import org.springframework.cloud.gateway.support.ConfigurationService;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.convert.ConversionService;
import org.springframework.core.env.Environment;
import org.springframework.validation.Validator;

import static io.github.ratelimit.autoconfigure.MistakeTable.assertMistake;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * A mistake in a filter of a route stops startup with a message that names the route, the
 * argument, its value, the reason and the correction; one in a filter that is created
 * later is thrown at once.
 */
class GatewayFilterMistakeTests {

	private static final String AT = "Gateway route \"default-filters\": RateLimit.";

	private static final String KNOWN = "Known: ip, path, principal, claim('name'), cookie('name'), header('name'), "
			+ "param('name'), pathVariable('name').";

	private static final String REQUEST_ALONE = "A request has no method and no parameters yet: write ";

	private final ReactiveWebApplicationContextRunner runner = new ReactiveWebApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(RateLimitAutoConfiguration.class,
				ReactiveRateLimitAutoConfiguration.class, GatewayRateLimitAutoConfiguration.class))
		.withUserConfiguration(Gateway.class)
		.withBean(Replies.class)
		.withPropertyValues("ratelimit.rules.api.max=5", "ratelimit.rules.api.period=60");

	@ParameterizedTest
	@MethodSource
	void stopsStartup(String filter, String description, String action) {
		this.runner.withPropertyValues("filters[0]=" + filter)
			.run((context) -> assertMistake(context.getStartupFailure(), description, action));
	}

	static Stream<Arguments> stopsStartup() {
		return Stream.of(
				Arguments.of("RateLimit=apy, ip",
						AT + "rule = \"apy\" is invalid: there is no such rule. Known: api, replies. Did you mean api?",
						"Write rule: api, or add ratelimit.rules.apy: {max: 5, period: 60s}."),
				Arguments.of("RateLimit", AT + "rule is missing: it determines how many requests are admitted.",
						"Write the name of a rule, rule: api for example. Known: api, replies."),
				Arguments.of("RateLimit=api, #user",
						AT + "key = \"#user\" is invalid: it uses the unknown variable 'user'. " + KNOWN,
						REQUEST_ALONE + AT + "key over the request alone, ip or the text \"'all'\" for example."),
				Arguments.of("RateLimit=api, headers('X-Tenant')",
						AT + "key = \"headers('X-Tenant')\" is invalid: it uses the unknown method headers(). " + KNOWN,
						"Write header('X-Tenant')."),
				Arguments.of("RateLimit=api, @tenants.of(header('X-Tenant'), path", AT
						+ "key = \"@tenants.of(header('X-Tenant'), path\" is invalid: it is not a SpEL expression: EL1051E: "
						+ "Unexpectedly ran out of arguments.",
						"Write ip, principal, path or header('X-Api-Key') for example."),
				Arguments.of("RateLimit=api, path + ', ' + ip",
						AT + "key = \"path + ', ' + ip\" is invalid: a text in it contains a comma, and Gateway cuts "
								+ "shortcuts at commas.",
						"Write the filter in its full form, name: RateLimit with args: {rule: api, key: \"…\"}."));
	}

	@ParameterizedTest
	@MethodSource
	void stopsStartupInFullForm(String name, String value, String description, String action) {
		this.runner
			.withPropertyValues("filters[0].name=RateLimit", "filters[0].args.rule=api",
					"filters[0].args." + name + '=' + value)
			.run((context) -> assertMistake(context.getStartupFailure(), description, action));
	}

	static Stream<Arguments> stopsStartupInFullForm() {
		return Stream.of(Arguments.of("kye", "ip",
				AT + "kye = \"ip\" is invalid: there is no such argument. Known: rule, key, cost, unless. Did you mean "
						+ "key?",
				"Write key: ip."),
				Arguments.of("replenishRate", "10",
						AT + "replenishRate = \"10\" is invalid: there is no such argument. Known: rule, key, cost, "
								+ "unless.",
						"Remove it, or write a known one."),
				Arguments.of("key", "",
						AT + "key = \"\" is invalid: it is empty, so that all clients share one counter.",
						"Remove it, or write an expression, key: ip for example; for one counter on purpose write a "
								+ "text, key: \"'all'\"."),
				Arguments.of("cost", "many",
						AT + "cost = \"many\" is invalid: it uses the unknown property 'many'. " + KNOWN,
						REQUEST_ALONE + "the cost over the request alone, \"path == '/export' ? 10 : 1\" for example."),
				Arguments.of("cost", "1.5", AT + "cost = \"1.5\" is invalid: it has to be a whole number, but is 1.5.",
						"Write how many units a request takes, cost: 2 for example."),
				Arguments.of("cost", "6",
						AT + "cost = \"6\" is invalid: it is more than api can ever hold, 5, so every call would be "
								+ "denied.",
						"Write a cost of at most 5, or a larger limit."),
				Arguments.of("cost", "", AT + "cost = \"\" is invalid: it is empty.",
						"Write a number of units for example, \"path == '/export' ? 10 : 1\". Or remove it."),
				Arguments.of("unless", "#result == 200",
						AT + "unless = \"#result == 200\" is invalid: it uses the unknown variable 'result'. "
								+ "Known: ip, path, principal, status, claim('name'), cookie('name'), header('name'), "
								+ "param('name'), pathVariable('name').",
						"For a request, write status."));
	}

	/**
	 * Gateway leaves out the comma. YAML leaves out what follows, if it begins with #.
	 */
	@ParameterizedTest
	@ValueSource(strings = { "RateLimit=api,", "RateLimit=api, ${missing:}" })
	void shortcutThatHasLostItsKeyStopsStartup(String filter) {
		String property = "spring.cloud.gateway.server.webflux.default-filters[0]";
		this.runner.withPropertyValues(property + '=' + filter)
			.run((context) -> assertMistake(context.getStartupFailure(),
					property + " = \"RateLimit=api,\" is invalid: there is no key after the comma.",
					"Write RateLimit=api, ip for example, or remove the comma. In YAML, \" #\" begins a comment: "
							+ "quote a filter whose key contains it."));
	}

	@Test
	void mistakesOfSeveralFiltersAreReportedTogether() {
		this.runner.withPropertyValues("filters[0]=RateLimit=al", "filters[1]=RateLimit=apy")
			.run((context) -> assertThat(context.getStartupFailure()).hasMessageContaining("\"al\"")
				.hasMessageContaining("\"apy\""));
	}

	@Test
	void filterWhoseAnswersAreExcludedStopsStartup() {
		ReactiveWebApplicationContextRunner excluding = new ReactiveWebApplicationContextRunner()
			.withConfiguration(
					AutoConfigurations.of(RateLimitAutoConfiguration.class, GatewayRateLimitAutoConfiguration.class))
			.withUserConfiguration(Gateway.class)
			.withPropertyValues("ratelimit.rules.api.max=5", "ratelimit.rules.api.period=60");
		excluding.run((context) -> assertThat(context).hasNotFailed());
		excluding.withPropertyValues("filters[0]=RateLimit=api, ip")
			.run((context) -> assertMistake(context.getStartupFailure(),
					"Gateway route \"default-filters\": RateLimit is invalid: nothing answers a denied request, because "
							+ "ReactiveRateLimitAutoConfiguration is excluded.",
					"Remove io.github.ratelimit.autoconfigure.ReactiveRateLimitAutoConfiguration from the excluded "
							+ "auto-configurations, or RateLimit from the route."));
	}

	@Test
	void commasBetweenArgumentsOfAMethodBelongToTheKey() {
		this.runner.withBean("tenants", Tenants.class)
			.withPropertyValues("filters[0]=RateLimit=api, @tenants.of(header('X-Tenant'), path, ip)")
			.run((context) -> assertThat(context).hasNotFailed());
	}

	@Test
	void rulesOfAnnotationsMayBeNamed() {
		this.runner.withPropertyValues("filters[0]=RateLimit=replies, ip")
			.withUserConfiguration(Programs.class)
			.withBean(String.class, () -> "replies")
			.run((context) -> assertThat(context).hasNotFailed());
	}

	@Test
	void filtersOfProgramsStopStartupAsWell() {
		this.runner.withUserConfiguration(Programs.class)
			.withBean(String.class, () -> "repleis")
			.run((context) -> assertMistake(context.getStartupFailure(),
					"Gateway route: RateLimit.rule = \"repleis\" is invalid: there is no such rule. Known: api, replies. "
							+ "Did you mean replies?",
					"Write rule: replies, or add ratelimit.rules.repleis: {max: 5, period: 60s}."));
	}

	@Test
	void mistakesAreThrownAtOnceAfterStartup() {
		this.runner.run((context) -> {
			RateLimitGatewayFilterFactory factory = context.getBean(RateLimitGatewayFilterFactory.class);
			assertThatExceptionOfType(RateLimitConfigurationException.class)
				.isThrownBy(() -> factory.apply("orders", (arguments) -> arguments.setRule("apy")))
				.withMessageStartingWith("Gateway route \"orders\": RateLimit.rule = \"apy\" is invalid:");
			Consumer<RateLimitGatewayFilterFactory.Config> right = (arguments) -> arguments.setRule("api")
				.setKey("header('X-Api-Key')")
				.setCost("2")
				.setUnless("status >= 500");
			assertThat(factory.apply(right))
				.hasToString("[RateLimit {rule=api, key=header('X-Api-Key'), cost=2, unless=status >= 500}]");
		});
	}

	@Test
	void routesStayValidWhenRateLimitingIsDisabled() {
		this.runner.withPropertyValues("filters[0]=RateLimit=apy", "ratelimit.enabled=false")
			.run((context) -> assertThat(context).hasNotFailed().hasSingleBean(RateLimitGatewayFilterFactory.class));
	}

	/**
	 * Provides the beans of Gateway that read filters in properties.
	 */
	@Configuration(proxyBeanMethods = false)
	static class Gateway {

		@Bean
		GatewayProperties gatewayProperties(Environment environment) {
			GatewayProperties properties = new GatewayProperties();
			properties.setDefaultFilters(
					Binder.get(environment).bind("filters", Bindable.listOf(FilterDefinition.class)).orElse(List.of()));
			return properties;
		}

		@Bean
		ConfigurationService configurationService(BeanFactory beans, ObjectProvider<ConversionService> conversions,
				ObjectProvider<Validator> validators) {
			return new ConfigurationService(beans, conversions, validators);
		}

	}

	/**
	 * Creates a filter during startup, before annotations are read.
	 */
	@Configuration(proxyBeanMethods = false)
	static class Programs {

		@Bean
		GatewayFilter filter(RateLimitGatewayFilterFactory factory, String rule) {
			return factory.apply((arguments) -> arguments.setRule(rule));
		}

	}

	static class Tenants {

		public String of(String tenant, String path, String ip) {
			return tenant + path + ip;
		}

	}

	static class Replies {

		@RateLimited(name = "replies", max = 5, period = 60)
		public void reply() {
		}

	}

}
