package io.github.ratelimit.compatibility;

import java.net.http.HttpResponse;
import java.security.Principal;

import io.github.ratelimit.annotation.RateLimited;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.task.SimpleAsyncTaskExecutor;
import org.springframework.http.MediaType;
import org.springframework.http.server.reactive.HttpHandlerDecoratorFactory;
import org.springframework.http.server.reactive.ServerHttpRequestDecorator;
import org.springframework.web.bind.annotation.ModelAttribute;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestPart;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.reactive.config.BlockingExecutionConfigurer;
import org.springframework.web.reactive.config.WebFluxConfigurer;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebSession;
import org.springframework.web.server.session.DefaultWebSessionManager;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Methods that return plain values know their request on whatever thread WebFlux runs
 * them: on one that delivers an argument, or on one of an executor.
 */
@OnOuterLines
class ReactiveThreadTests {

	@AutoClose
	private static final Servers SERVERS = new Servers();

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			textBlock = """
					/plain   | text/plain                        | hello
					/service | text/plain                        | hello
					/body    | text/plain                        | hello
					/form    | application/x-www-form-urlencoded | text=hello
					/part    | multipart/form-data;boundary=x    | --x\\r\\nContent-Disposition: form-data; name="text"\\r\\nContent-Type: text/plain\\r\\n\\r\\nhello\\r\\n--x--
					/session | text/plain                        | hello
					/user    | text/plain                        | hello
					""")
	void methodIsCountedByItsClientOnEveryThread(String path, String content, String body) {
		isCountedByItsClient(LateArguments.class, path, MediaType.parseMediaType(content), body.translateEscapes());
		isCountedByItsClient(OwnThreads.class, path, MediaType.parseMediaType(content), body.translateEscapes());
	}

	private static void isCountedByItsClient(Class<?> application, String path, MediaType content, String body) {
		Server server = SERVERS.get(WebApplicationType.REACTIVE, application, "ratelimit.store=local");
		HttpResponse<String> allowed = server.send(path, content, body);
		assertThat(allowed.body()).isEqualTo("replied");
		assertThat(allowed.headers().firstValue("RateLimit")).hasValue('"' + path.substring(1) + "\";r=0;t=3600");
		assertThat(server.remaining(path.substring(1), "127.0.0.1")).isZero();
		assertThat(server.send(path, content, body).statusCode()).isEqualTo(429);
	}

	@SpringBootConfiguration
	@EnableAutoConfiguration
	@Import({ Handlers.class, Service.class })
	static class LateArguments {

		@Bean
		HttpHandlerDecoratorFactory lateBodies() {
			return (handler) -> (request, response) -> handler.handle(new ServerHttpRequestDecorator(request) {

				@Override
				public Flux<DataBuffer> getBody() {
					return super.getBody().publishOn(Schedulers.parallel());
				}

			}, response);
		}

		@Bean
		WebFilter lateUsers() {
			return (exchange,
					chain) -> chain.filter(exchange.mutate()
						.principal(Mono.<Principal>just(() -> "laoqian").publishOn(Schedulers.parallel()))
						.build());
		}

		@Bean
		DefaultWebSessionManager webSessionManager() {
			return new DefaultWebSessionManager() {

				@Override
				public Mono<WebSession> getSession(ServerWebExchange exchange) {
					return super.getSession(exchange).publishOn(Schedulers.parallel());
				}

			};
		}

	}

	static class OwnThreads extends LateArguments {

		@Bean
		WebFluxConfigurer ownThreads() {
			return new WebFluxConfigurer() {

				@Override
				public void configureBlockingExecution(BlockingExecutionConfigurer configurer) {
					configurer.setExecutor(new SimpleAsyncTaskExecutor("own-"));
				}

			};
		}

	}

	static class Service {

		@RateLimited(name = "service", key = "ip ?: 'job'", max = 1, period = 3600)
		public String reply() {
			return "replied";
		}

	}

	static class Form {

		private String text = "";

		public void setText(String text) {
			this.text = text;
		}

		boolean isFilled() {
			return !this.text.isEmpty();
		}

	}

	@RestController
	static class Handlers {

		private final Service service;

		Handlers(Service service) {
			this.service = service;
		}

		@PostMapping("/plain")
		@RateLimited(name = "plain", key = "ip", max = 1, period = 3600)
		public String plain() {
			return "replied";
		}

		@PostMapping("/service")
		public String service(WebSession session) {
			return this.service.reply();
		}

		@PostMapping("/body")
		@RateLimited(name = "body", key = "ip", max = 1, period = 3600)
		public String body(@RequestBody String text) {
			return "replied";
		}

		@PostMapping("/form")
		@RateLimited(name = "form", key = "ip", max = 1, period = 3600)
		public String form(@ModelAttribute Form form) {
			return form.isFilled() ? "replied" : "";
		}

		@PostMapping("/part")
		@RateLimited(name = "part", key = "ip", max = 1, period = 3600)
		public String part(@RequestPart("text") String text) {
			return "replied";
		}

		@PostMapping("/session")
		@RateLimited(name = "session", key = "ip", max = 1, period = 3600)
		public String session(WebSession session) {
			return "replied";
		}

		@PostMapping("/user")
		@RateLimited(name = "user", key = "ip", max = 1, period = 3600)
		public String user(Principal user) {
			return "replied";
		}

	}

}
