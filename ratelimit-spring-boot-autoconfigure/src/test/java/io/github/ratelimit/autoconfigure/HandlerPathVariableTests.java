package io.github.ratelimit.autoconfigure;

import io.github.ratelimit.annotation.RateLimited;
import org.aopalliance.intercept.MethodInterceptor;
import org.junit.jupiter.api.Test;

import org.springframework.aop.framework.ProxyFactory;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.web.reactive.WebFluxAutoConfiguration;
import org.springframework.boot.autoconfigure.web.servlet.WebMvcAutoConfiguration;
import org.springframework.boot.test.context.runner.ReactiveWebApplicationContextRunner;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.reactive.config.WebFluxConfigurer;
import org.springframework.web.servlet.config.annotation.PathMatchConfigurer;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Path variables in expressions of handler methods are those of their mappings.
 */
class HandlerPathVariableTests {

	private final WebApplicationContextRunner servlet = new WebApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(RateLimitAutoConfiguration.class,
				ServletRateLimitAutoConfiguration.class, WebMvcAutoConfiguration.class));

	private final ReactiveWebApplicationContextRunner reactive = new ReactiveWebApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(RateLimitAutoConfiguration.class,
				ReactiveRateLimitAutoConfiguration.class, WebFluxAutoConfiguration.class));

	@Test
	void unknownVariableIsRefused() {
		this.servlet.withBean(Unknown.class)
			.run((context) -> assertThat(context).getFailure()
				.hasMessageEndingWith(
						"key \"pathVariable('org')\" uses the path variable 'org', which the path does not "
								+ "have. Write one of those it has: id, tenant."));
		this.reactive.withBean(Unknown.class)
			.run((context) -> assertThat(context).getFailure().hasMessageEndingWith("it has: id, tenant."));
		this.servlet.withBean(Prefixed.class)
			.run((context) -> assertThat(context).getFailure()
				.hasMessageEndingWith("Write it into the path, \"/api/{org}/**\" for example."));
	}

	@Test
	void variablesOfMethodAndSubclassAreKnown() {
		this.servlet.withBean(Known.class).run((context) -> assertThat(context).hasNotFailed());
		this.reactive.withBean(Known.class).run((context) -> assertThat(context).hasNotFailed());
	}

	@Test
	void variablesOfPrefixesAreKnown() {
		this.servlet.withBean(ServletPrefix.class)
			.withBean(Prefixed.class)
			.run((context) -> assertThat(context).hasNotFailed());
		this.reactive.withBean(ReactivePrefix.class)
			.withBean(Prefixed.class)
			.run((context) -> assertThat(context).hasNotFailed());
	}

	@Test
	void placeholdersAreNotChecked() {
		this.servlet.withPropertyValues("path=/{org}")
			.withBean(Placeholder.class)
			.run((context) -> assertThat(context).hasNotFailed());
	}

	@Test
	void methodsThatAreNoHandlersAreNotChecked() {
		this.servlet.withBean(Service.class).run((context) -> assertThat(context).hasNotFailed());
		this.servlet.withBean(Client.class, () -> ProxyFactory.getProxy(Client.class, (MethodInterceptor) (call) -> ""))
			.run((context) -> assertThat(context).hasNotFailed());
	}

	@RestController
	@RequestMapping("/{tenant}")
	static class Unknown {

		@GetMapping("/items/{id}")
		@RateLimited(key = "pathVariable('org')", max = 1, period = 60)
		public String item() {
			return "item";
		}

	}

	abstract static class Base {

		@GetMapping("/{id:\\d{2}}")
		@RateLimited(key = "pathVariable('tenant') + pathVariable('id')", condition = "pathVariable('id') != '00'",
				cost = "pathVariable('tenant') == 'acme' ? 1 : 2", unless = "pathVariable('id') == '99'", max = 2,
				period = 60)
		public String item() {
			return "item";
		}

	}

	@RestController
	@RequestMapping("/{tenant}")
	static class Known extends Base {

	}

	@RestController
	static class Prefixed {

		@GetMapping("/items")
		@RateLimited(key = "pathVariable('org')", max = 1, period = 60)
		public String items() {
			return "items";
		}

	}

	@RestController
	static class Placeholder {

		@GetMapping("${path}/items")
		@RateLimited(key = "pathVariable('org')", max = 1, period = 60)
		public String items() {
			return "items";
		}

	}

	static class Service {

		@RateLimited(key = "pathVariable('org')", max = 1, period = 60)
		public void call() {
		}

	}

	/** Client whose requests are written with the annotations of handlers. */
	interface Client {

		@GetMapping("/items/{id}")
		@RateLimited(key = "pathVariable('org')", max = 1, period = 60)
		String item(String id);

	}

	static class ServletPrefix implements WebMvcConfigurer {

		@Override
		public void configurePathMatch(PathMatchConfigurer configurer) {
			configurer.addPathPrefix("/{org}", (type) -> type == Prefixed.class);
		}

	}

	static class ReactivePrefix implements WebFluxConfigurer {

		@Override
		public void configurePathMatching(org.springframework.web.reactive.config.PathMatchConfigurer configurer) {
			configurer.addPathPrefix("/{org}", (type) -> type == Prefixed.class);
		}

	}

}
