package io.github.ratelimit.compatibility;

import java.io.IOException;
import java.lang.reflect.Proxy;
import java.net.URI;
import java.net.http.HttpResponse;
import java.util.List;

import io.github.ratelimit.RateLimitExceededException;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import reactor.core.publisher.Mono;

import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.boot.WebApplicationType;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.ImportBeanDefinitionRegistrar;
import org.springframework.core.type.AnnotationMetadata;
import org.springframework.http.HttpRequest;
import org.springframework.http.client.ClientHttpRequestExecution;
import org.springframework.http.client.ClientHttpRequestInterceptor;
import org.springframework.http.client.ClientHttpResponse;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.client.RestClient;
import org.springframework.web.client.RestTemplate;
import org.springframework.web.reactive.function.client.WebClient;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Requests that applications send to an API, with each client of Spring Boot.
 */
@OnOuterLines
class OutgoingRequestTests {

	@AutoClose
	private static final Servers servers = new Servers();

	@ParameterizedTest
	@CsvSource({ "SERVLET, blocking", "SERVLET, reactive", "REACTIVE, reactive" })
	void deniedRequestsAreNotSent(WebApplicationType type, String client) {
		try (LimitedApi api = new LimitedApi(100, "30")) {
			Server server = server(type);
			String call = '/' + client + "?url=" + api.url() + "/denied/" + client;
			assertThat(server.statuses(2, call)).isEqualTo(List.of(200, 200));
			HttpResponse<String> denied = server.post(call);
			assertThat(denied.statusCode()).isEqualTo(429);
			assertThat(denied.headers().firstValueAsLong("Retry-After").orElseThrow()).isBetween(50L, 60L);
			assertThat(api.requests()).isEqualTo(2);
		}
	}

	@ParameterizedTest
	@CsvSource({ "SERVLET, blocking", "SERVLET, reactive", "REACTIVE, reactive" })
	void answersOfTheApiAreObeyed(WebApplicationType type, String client) {
		try (LimitedApi api = new LimitedApi(0, "30")) {
			Server server = server(type);
			String call = '/' + client + "?url=" + api.url() + "/obeyed/" + client;
			assertThat(server.post(call).statusCode()).isEqualTo(500);
			HttpResponse<String> denied = server.post(call);
			assertThat(denied.statusCode()).isEqualTo(429);
			assertThat(denied.headers().firstValueAsLong("Retry-After").orElseThrow()).isBetween(20L, 30L);
			assertThat(api.requests()).isEqualTo(1);
		}
	}

	@Test
	void restTemplateIsLimited() {
		try (LimitedApi api = new LimitedApi(100, "30")) {
			RestTemplate client = restTemplate(server(WebApplicationType.SERVLET));
			client.getForObject(api.url() + "/template", String.class);
			client.getForObject(api.url() + "/template", String.class);
			assertThatExceptionOfType(RateLimitExceededException.class)
				.isThrownBy(() -> client.getForObject(api.url() + "/template", String.class));
			assertThat(api.requests()).isEqualTo(2);
		}
	}

	@Test
	void retriesOfInterceptorsAreLimitedEach() {
		try (LimitedApi api = new LimitedApi(100, "30")) {
			Server server = server(WebApplicationType.SERVLET);
			assertThat(server.statuses(2, "/blocking?url=" + api.url() + "/twice/client")).isEqualTo(List.of(200, 429));
			RestTemplate client = restTemplate(server, OutgoingRequestTests::sendTwice);
			client.getForObject(api.url() + "/twice/template", String.class);
			assertThatExceptionOfType(RateLimitExceededException.class)
				.isThrownBy(() -> client.getForObject(api.url() + "/twice/template", String.class));
			assertThat(api.requests()).isEqualTo(4);
		}
	}

	private static ClientHttpResponse sendTwice(HttpRequest request, byte[] body, ClientHttpRequestExecution execution)
			throws IOException {
		if (request.getURI().getPath().startsWith("/twice")) {
			execution.execute(request, body).close();
		}
		return execution.execute(request, body);
	}

	private static RestTemplate restTemplate(Server server, ClientHttpRequestInterceptor... interceptors) {
		Class<?> type = ofLine("RestTemplateBuilder");
		Object builder = ReflectionUtils.invokeMethod(
				ReflectionUtils.findMethod(type, "additionalInterceptors", ClientHttpRequestInterceptor[].class),
				server.bean(type), (Object) interceptors);
		return (RestTemplate) ReflectionUtils.invokeMethod(ReflectionUtils.findMethod(type, "build"), builder);
	}

	/**
	 * Return a class that has another package in Spring Boot 4.
	 */
	private static Class<?> ofLine(String name) {
		String moved = "org.springframework.boot.restclient." + name;
		return ClassUtils.resolveClassName(
				ClassUtils.isPresent(moved, null) ? moved : "org.springframework.boot.web.client." + name, null);
	}

	/**
	 * Return an application that counts each path apart.
	 */
	private static Server server(WebApplicationType type) {
		return servers.get(type, type == WebApplicationType.SERVLET ? ServletClients.class : ReactiveController.class,
				"ratelimit.store=local", "ratelimit.rules.api.max=2", "ratelimit.rules.api.period=60",
				"ratelimit.client.requests[0].host=localhost", "ratelimit.client.requests[0].rule=api",
				"ratelimit.client.requests[0].key=path");
	}

	@Import({ BlockingController.class, ReactiveController.class, RetryingClients.class })
	static class ServletClients {

	}

	static class RetryingClients implements ImportBeanDefinitionRegistrar {

		@Override
		public void registerBeanDefinitions(AnnotationMetadata importing, BeanDefinitionRegistry registry) {
			registry.registerBeanDefinition("retryingClients", customizer(ofLine("RestClientCustomizer")));
		}

		private static <T> RootBeanDefinition customizer(Class<T> type) {
			return new RootBeanDefinition(type,
					() -> type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] { type },
							(proxy, method, arguments) -> ((RestClient.Builder) arguments[0])
								.requestInterceptor(OutgoingRequestTests::sendTwice))));
		}

	}

	@RestController
	static class BlockingController {

		private final RestClient client;

		BlockingController(RestClient.Builder builder) {
			this.client = builder.build();
		}

		@PostMapping("/blocking")
		String call(@RequestParam("url") URI url) {
			return this.client.get().uri(url).retrieve().body(String.class);
		}

	}

	@RestController
	static class ReactiveController {

		private final WebClient client;

		ReactiveController(WebClient.Builder builder) {
			this.client = builder.build();
		}

		@PostMapping("/reactive")
		Mono<String> call(@RequestParam("url") URI url) {
			return this.client.get().uri(url).retrieve().bodyToMono(String.class);
		}

	}

}
