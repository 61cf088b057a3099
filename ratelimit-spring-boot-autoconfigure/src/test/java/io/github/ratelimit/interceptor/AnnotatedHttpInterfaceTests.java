package io.github.ratelimit.interceptor;

import java.util.Optional;
import java.util.stream.Stream;

import io.github.ratelimit.RateLimitExceededException;
import io.github.ratelimit.RateLimiterRegistry;
import io.github.ratelimit.annotation.RateLimited;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.ParameterizedTypeReference;
import org.springframework.http.HttpHeaders;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.service.annotation.GetExchange;
import org.springframework.web.service.annotation.HttpExchange;
import org.springframework.web.service.invoker.HttpExchangeAdapter;
import org.springframework.web.service.invoker.HttpRequestValues;
import org.springframework.web.service.invoker.HttpServiceProxyFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Annotated interfaces of HTTP services, whose implementations Spring generates.
 */
class AnnotatedHttpInterfaceTests {

	private final CountingStore store = new CountingStore();

	@ParameterizedTest
	@MethodSource
	void callIsCountedByTheParameterOfTheInterface(Place place) {
		place.assertCounted();
	}

	static Stream<Place> callIsCountedByTheParameterOfTheInterface() {
		return Stream.of(
				new Place("HTTP interface", HttpClients.class, (beans) -> beans.getBean(GitHub.class).user("laoqian"),
						"git-hub-user", "GitHub.user(String)"),
				new Place("HTTP interface, default method", HttpClients.class,
						(beans) -> beans.getBean(GitHub.class).twice("laoqian"), "git-hub-twice",
						"GitHub.twice(String)"),
				new Place("HTTP interface, annotated as a whole", HttpClients.class,
						(beans) -> beans.getBean(Wholly.class).user("laoqian"), "wholly", "Wholly.user(String)"),
				new Place("HTTP interface, first needed later", LazyClients.class,
						(beans) -> beans.getBean(GitHub.class).user("laoqian"), "git-hub-user", "GitHub.user(String)"));
	}

	@Test
	void fallbackIsADefaultMethod() {
		this.store.deny("git-hub-or-else");
		LimitedContext.with(this.store, HttpClients.class)
			.run((context) -> assertThat(context.getBean(GitHub.class).orElse("laoqian")).isEqualTo("nobody"));
	}

	@Test
	void denialOfAnHttpInterfaceSendsNothing() {
		this.store.deny("git-hub-user");
		LimitedContext.with(this.store, HttpClients.class)
			.run((context) -> assertThatExceptionOfType(RateLimitExceededException.class)
				.isThrownBy(() -> context.getBean(GitHub.class).user("laoqian")));
	}

	@Test
	void ruleIsKnownBeforeTheFirstCall() {
		LimitedContext.with(this.store, HttpClients.class)
			.run((context) -> assertThat(context.getBean(RateLimiterRegistry.class).rules())
				.extracting((rule) -> rule.name())
				.contains("git-hub-user", "git-hub-twice", "wholly"));
	}

	@HttpExchange("/users")
	public interface GitHub {

		@GetExchange("/{login}")
		@RateLimited(key = "#login", max = 5, period = 60)
		@Nullable String user(@PathVariable String login);

		@RateLimited(key = "#login", max = 5, period = 60)
		default String twice(String login) {
			return login + login;
		}

		@GetExchange("/{login}")
		@RateLimited(key = "#login", max = 5, period = 60, fallback = "nobody")
		@Nullable String orElse(@PathVariable String login);

		default String nobody(String login) {
			return "nobody";
		}

	}

	@HttpExchange("/users")
	@RateLimited(key = "#login", max = 5, period = 60)
	interface Wholly {

		@GetExchange("/{login}")
		@Nullable String user(@PathVariable String login);

	}

	@Configuration(proxyBeanMethods = false)
	static class HttpClients {

		@Bean
		GitHub gitHub() {
			return client(GitHub.class);
		}

		@Bean
		Wholly wholly() {
			return client(Wholly.class);
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class LazyClients {

		@Bean
		@Lazy
		GitHub gitHub() {
			return client(GitHub.class);
		}

	}

	private static <T> T client(Class<T> type) {
		return HttpServiceProxyFactory.builderFor(new Silent()).build().createClient(type);
	}

	/**
	 * HTTP client without a server that returns empty responses.
	 */
	private static final class Silent implements HttpExchangeAdapter {

		@Override
		public boolean supportsRequestAttributes() {
			return false;
		}

		@Override
		public void exchange(HttpRequestValues request) {
		}

		@Override
		public HttpHeaders exchangeForHeaders(HttpRequestValues request) {
			return new HttpHeaders();
		}

		@Override
		public <T> @Nullable T exchangeForBody(HttpRequestValues request, ParameterizedTypeReference<T> type) {
			return null;
		}

		@Override
		public ResponseEntity<Void> exchangeForBodilessEntity(HttpRequestValues request) {
			return ResponseEntity.of(Optional.empty());
		}

		@Override
		public <T> ResponseEntity<T> exchangeForEntity(HttpRequestValues request, ParameterizedTypeReference<T> type) {
			return ResponseEntity.of(Optional.empty());
		}

	}

}
