package io.github.ratelimit.compatibility;

import java.io.IOException;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;

import io.github.ratelimit.annotation.RateLimited;
import io.github.ratelimit.redis.process.RedisProcess;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.boot.WebApplicationType;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.context.request.async.DeferredResult;
import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.RouterFunctions;
import org.springframework.web.servlet.function.ServerResponse;
import org.springframework.web.servlet.mvc.method.annotation.ResponseBodyEmitter;
import org.springframework.web.servlet.mvc.method.annotation.StreamingResponseBody;
import org.springframework.web.servlet.view.RedirectView;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Every kind of response of Spring MVC on a real server contains the limit headers once.
 */
@OnOuterLines
class LimitHeaderTests {

	private static final RedisProcess redis = RedisProcess.start();

	private static final Server ietf = start("ietf");

	private static final Server old = start("x-ratelimit");

	private static Server start(String headers) {
		return Server.start(WebApplicationType.SERVLET, Application.class, "spring.data.redis.port=" + redis.port(),
				"ratelimit.web.headers=" + headers, "ratelimit.key-prefix=" + headers, "ratelimit.rules.all.max=10000",
				"ratelimit.rules.all.period=60", "ratelimit.web.requests[0].path=/by-url/**",
				"ratelimit.web.requests[0].rule=all",
				"spring.web.resources.static-locations=classpath:/limit-headers/");
	}

	@AfterAll
	static void stop() {
		old.close();
		ietf.close();
		redis.close();
	}

	@ParameterizedTest
	@CsvSource({ "GET, /value, 200, value", "HEAD, /value, 200,", "GET, /empty, 204,", "GET, /not-modified, 304,",
			"GET, /entity, 201, entity", "GET, /redirect, 302,", "GET, /view, 302,", "GET, /error-status, 418,",
			"GET, /exception, 500,", "GET, /writer, 200, written", "GET, /stream, 200, written",
			"GET, /flush, 200, written", "GET, /reset, 200, written", "GET, /large, 200,", "GET, /callable, 200, later",
			"GET, /deferred, 200, later", "GET, /future, 200, later", "GET, /mono, 200, later",
			"GET, /flux, 200, onetwo", "GET, /events, 200, 'data:onendatantwo'", "GET, /emitter, 200, onetwo",
			"GET, /body, 200, onetwo", "GET, /raw-async, 200, raw", "GET, /own-async, 200, own",
			"GET, /forward, 200, value", "GET, /by-url/value, 200, value", "GET, /by-url/file.txt, 200, 0123456789",
			"HEAD, /by-url/file.txt, 200,", "GET, /by-url/function, 200, function", "GET, /by-url/nowhere, 404,",
			"GET, /by-url/redirect, 302," })
	void responseContainsTheLimitHeadersOnce(String method, String path, int status, String body) {
		for (Server server : new Server[] { ietf, old }) {
			HttpResponse<String> answer = server.request(method, path);
			assertThat(answer.statusCode()).isEqualTo(status);
			String header = (server == ietf) ? "RateLimit" : "X-RateLimit-Remaining";
			assertThat(answer.headers().allValues(header)).as(header).hasSize(1);
			if (body != null && !path.equals("/events")) {
				assertThat(answer.body()).isEqualTo(body);
			}
		}
	}

	@Test
	void partOfAFileContainsTheLimitHeaders() {
		HttpResponse<String> answer = ietf.get("/by-url/file.txt", "Range", "bytes=2-4");
		assertThat(answer.statusCode()).isEqualTo(206);
		assertThat(answer.body()).isEqualTo("234");
		assertThat(answer.headers().firstValue("Content-Range")).hasValue("bytes 2-4/10");
		assertThat(answer.headers().allValues("RateLimit")).hasSize(1);
	}

	@Test
	void headersOfTheApplicationAreThere() {
		for (int i = 0; i < 200; i++) {
			HttpResponse<String> answer = ietf.get("/own-headers");
			for (int header = 0; header < 20; header++) {
				assertThat(answer.headers().firstValue("X-Own-" + header)).hasValue("own");
			}
		}
	}

	@Test
	void requestOutsideOfRulesHasNoHeaders() {
		assertThat(ietf.get("/file.txt").headers().map()).doesNotContainKeys("ratelimit", "ratelimit-policy");
	}

	@Import({ Calls.class, Controller.class, Routes.class })
	static class Application {

	}

	static class Routes {

		@Bean
		RouterFunction<ServerResponse> routes() {
			return RouterFunctions.route()
				.GET("/by-url/function", (request) -> ServerResponse.ok().body("function"))
				.build();
		}

	}

	static class Calls {

		@RateLimited(name = "calls", max = 10_000, period = 60)
		public void call() {
		}

		@RateLimited(name = "calls", max = 10_000, period = 60)
		public CompletableFuture<String> future() {
			return CompletableFuture.completedFuture("later");
		}

		@RateLimited(name = "calls", max = 10_000, period = 60)
		public Mono<String> mono() {
			return Mono.just("later");
		}

		@RateLimited(name = "calls", max = 10_000, period = 60)
		public Flux<String> flux() {
			return Flux.just("one", "two").delayElements(Duration.ofMillis(5));
		}

	}

	@RestController
	static class Controller {

		private final Calls calls;

		Controller(Calls calls) {
			this.calls = calls;
		}

		@GetMapping({ "/value", "/by-url/value" })
		String value() {
			this.calls.call();
			return "value";
		}

		@GetMapping("/empty")
		@ResponseStatus(HttpStatus.NO_CONTENT)
		void empty() {
			this.calls.call();
		}

		@GetMapping("/not-modified")
		ResponseEntity<Void> notModified() {
			this.calls.call();
			return ResponseEntity.status(HttpStatus.NOT_MODIFIED).eTag("\"1\"").build();
		}

		@GetMapping("/entity")
		ResponseEntity<String> entity() {
			this.calls.call();
			return ResponseEntity.status(HttpStatus.CREATED).header("X-Own", "own").body("entity");
		}

		@GetMapping({ "/redirect", "/by-url/redirect" })
		void redirect(HttpServletResponse response) throws IOException {
			this.calls.call();
			response.sendRedirect("/value");
		}

		@GetMapping("/view")
		RedirectView view() {
			this.calls.call();
			return new RedirectView("/value");
		}

		@GetMapping("/error-status")
		void errorStatus(HttpServletResponse response) throws IOException {
			this.calls.call();
			response.sendError(418);
		}

		@GetMapping("/exception")
		void exception() {
			this.calls.call();
			throw new IllegalStateException("own");
		}

		@GetMapping("/writer")
		void writer(HttpServletResponse response) throws IOException {
			response.getWriter().print("writ");
			this.calls.call();
			response.getWriter().print("ten");
		}

		@GetMapping("/stream")
		void stream(HttpServletResponse response) throws IOException {
			response.getOutputStream().print("writ");
			this.calls.call();
			response.getOutputStream().write(new byte[] { 't', 'e', 'n' });
			response.getOutputStream().close();
		}

		@GetMapping("/flush")
		void flush(HttpServletResponse response) throws IOException {
			this.calls.call();
			response.flushBuffer();
			response.getWriter().print("written");
		}

		@GetMapping("/reset")
		void reset(HttpServletResponse response) throws IOException {
			this.calls.call();
			response.getWriter().print("forgotten");
			response.reset();
			response.getWriter().print("written");
		}

		@GetMapping("/large")
		void large(HttpServletResponse response) throws IOException {
			this.calls.call();
			response.getWriter().print("x".repeat(100_000));
		}

		@GetMapping("/callable")
		Callable<String> callable() {
			return () -> {
				this.calls.call();
				return "later";
			};
		}

		@GetMapping("/deferred")
		DeferredResult<String> deferred() {
			DeferredResult<String> result = new DeferredResult<>();
			this.calls.mono().subscribe(result::setResult, result::setErrorResult);
			return result;
		}

		@GetMapping("/future")
		CompletableFuture<String> future() {
			return this.calls.future();
		}

		@GetMapping("/mono")
		Mono<String> mono() {
			return this.calls.mono();
		}

		@GetMapping(path = "/flux", produces = MediaType.TEXT_PLAIN_VALUE)
		Mono<String> flux() {
			return this.calls.flux().reduce(String::concat);
		}

		@GetMapping(path = "/events", produces = MediaType.TEXT_EVENT_STREAM_VALUE)
		Flux<String> events() {
			return this.calls.flux();
		}

		@GetMapping("/emitter")
		ResponseBodyEmitter emitter() {
			ResponseBodyEmitter emitter = new ResponseBodyEmitter();
			this.calls.mono().subscribe((value) -> {
				try {
					emitter.send("one");
					emitter.send("two");
					emitter.complete();
				}
				catch (IOException ex) {
					emitter.completeWithError(ex);
				}
			});
			return emitter;
		}

		@GetMapping("/body")
		StreamingResponseBody body() {
			return (output) -> {
				this.calls.call();
				output.write("onetwo".getBytes());
			};
		}

		@GetMapping("/raw-async")
		void rawAsync(HttpServletRequest request, HttpServletResponse response) {
			AsyncContext async = request.startAsync(request, response);
			this.calls.mono().subscribe((value) -> {
				try {
					response.getWriter().print("raw");
					async.complete();
				}
				catch (IOException ex) {
					throw new IllegalStateException(ex);
				}
			});
		}

		@GetMapping("/own-async")
		void ownAsync(HttpServletRequest request) {
			this.calls.call();
			AsyncContext async = request.startAsync();
			async.start(() -> {
				try {
					async.getResponse().getWriter().print("own");
					async.complete();
				}
				catch (IOException ex) {
					throw new IllegalStateException(ex);
				}
			});
		}

		@GetMapping("/forward")
		void forward(HttpServletRequest request, HttpServletResponse response) throws IOException, ServletException {
			request.getRequestDispatcher("/value").forward(request, response);
		}

		@GetMapping("/own-headers")
		String ownHeaders(HttpServletResponse response) {
			this.calls.mono().subscribe();
			for (int i = 0; i < 20; i++) {
				response.addHeader("X-Own-" + i, "own");
			}
			return "own";
		}

	}

}
