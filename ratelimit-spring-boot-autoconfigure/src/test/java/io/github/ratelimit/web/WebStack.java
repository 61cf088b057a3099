package io.github.ratelimit.web;

import java.util.List;
import java.util.function.Consumer;

import io.github.ratelimit.autoconfigure.RateLimitAutoConfiguration;
import io.github.ratelimit.autoconfigure.ReactiveRateLimitAutoConfiguration;
import io.github.ratelimit.autoconfigure.ServletRateLimitAutoConfiguration;
import io.github.ratelimit.store.RateLimitStore;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.http.HttpMessageConvertersAutoConfiguration;
import org.springframework.boot.autoconfigure.http.codec.CodecsAutoConfiguration;
import org.springframework.boot.autoconfigure.jackson.JacksonAutoConfiguration;
import org.springframework.boot.autoconfigure.web.reactive.HttpHandlerAutoConfiguration;
import org.springframework.boot.autoconfigure.web.reactive.WebFluxAutoConfiguration;
import org.springframework.boot.autoconfigure.web.servlet.DispatcherServletAutoConfiguration;
import org.springframework.boot.autoconfigure.web.servlet.WebMvcAutoConfiguration;
import org.springframework.boot.test.context.runner.AbstractApplicationContextRunner;
import org.springframework.boot.test.context.runner.ReactiveWebApplicationContextRunner;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.ApplicationContext;
import org.springframework.test.web.reactive.server.WebTestClient;
import org.springframework.test.web.servlet.client.MockMvcWebTestClient;
import org.springframework.web.context.WebApplicationContext;

/**
 * Web stack of an application, with a client that needs no server.
 */
public enum WebStack {

	SPRING_MVC {

		@Override
		AbstractApplicationContextRunner<?, ?, ?> runner() {
			return servletRunner();
		}

		@Override
		WebTestClient client(ApplicationContext context) {
			return MockMvcWebTestClient.bindToApplicationContext((WebApplicationContext) context).build();
		}

	},

	SPRING_MVC_BEHIND_FILTER {

		@Override
		AbstractApplicationContextRunner<?, ?, ?> runner() {
			return servletRunner();
		}

		@Override
		WebTestClient client(ApplicationContext context) {
			return MockMvcWebTestClient.bindToApplicationContext((WebApplicationContext) context)
				.filters(context.getBean("rateLimitRequestFilter", FilterRegistrationBean.class).getFilter())
				.build();
		}

	},

	WEB_FLUX {

		@Override
		AbstractApplicationContextRunner<?, ?, ?> runner() {
			return reactiveRunner();
		}

		@Override
		WebTestClient client(ApplicationContext context) {
			return WebTestClient.bindToApplicationContext(context).build();
		}

	};

	abstract AbstractApplicationContextRunner<?, ?, ?> runner();

	abstract WebTestClient client(ApplicationContext context);

	/**
	 * Start an application and call it.
	 * @param store the store that counts its calls
	 * @param configuration its controllers and advices
	 */
	void run(RateLimitStore store, List<Class<?>> configuration, Consumer<WebTestClient> test, String... properties) {
		runner().withBean(RateLimitStore.class, () -> store)
			.withUserConfiguration(configuration.toArray(Class<?>[]::new))
			.withPropertyValues(properties)
			.run((context) -> test.accept(client(context)));
	}

	public static ReactiveWebApplicationContextRunner reactiveRunner() {
		return new ReactiveWebApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(RateLimitAutoConfiguration.class,
					ReactiveRateLimitAutoConfiguration.class, HttpHandlerAutoConfiguration.class,
					WebFluxAutoConfiguration.class, CodecsAutoConfiguration.class, JacksonAutoConfiguration.class));
	}

	public static WebApplicationContextRunner servletRunner() {
		return new WebApplicationContextRunner().withConfiguration(
				AutoConfigurations.of(RateLimitAutoConfiguration.class, ServletRateLimitAutoConfiguration.class,
						DispatcherServletAutoConfiguration.class, WebMvcAutoConfiguration.class,
						HttpMessageConvertersAutoConfiguration.class, JacksonAutoConfiguration.class));
	}

}
