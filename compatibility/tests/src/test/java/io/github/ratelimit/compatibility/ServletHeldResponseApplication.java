package io.github.ratelimit.compatibility;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.io.Resource;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.context.request.async.DeferredResult;
import org.springframework.web.context.request.async.WebAsyncTask;
import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.RouterFunctions;
import org.springframework.web.servlet.function.ServerRequest;
import org.springframework.web.servlet.function.ServerResponse;
import org.springframework.web.servlet.mvc.method.annotation.ResponseBodyEmitter;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;
import org.springframework.web.servlet.mvc.method.annotation.StreamingResponseBody;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.annotation.RateLimited;

/**
 * Application with the results of Spring MVC as well.
 */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
@Import(HeldResponseApplication.class)
class ServletHeldResponseApplication {

	@Bean
	Denied denied() {
		return new Denied();
	}

	@Bean
	Routes routes(Denied denied) {
		return new Routes(denied);
	}

	@Bean
	RouterFunction<ServerResponse> routing(Routes routes) {
		return RouterFunctions.route()
			.GET("/route-of-file", routes::file)
			.GET("/route-of-future", routes::future)
			.GET("/route-of-events", routes::events)
			.GET("/route-of-denied-events", routes::deniedEvents)
			.build();
	}

	public static class Denied {

		@RateLimited(name = "denied", max = 1, period = 3600, cost = "#cost")
		public void call(int cost) {
		}

	}

	@RateLimited(name = "held", algorithm = Algorithm.CONCURRENCY, max = 1)
	@RateLimited(name = "counted", max = 10, period = 3600, unless = "#error == null")
	@RateLimited(name = "canceled", max = 10, period = 3600,
			unless = "#error?.class?.simpleName != 'CancellationException'")
	public static class Routes {

		private final Denied denied;

		Routes(Denied denied) {
			this.denied = denied;
		}

		public ServerResponse deniedEvents(ServerRequest request) {
			return ServerResponse.sse((events) -> this.denied.call(2));
		}

		public ServerResponse file(ServerRequest request) {
			return ServerResponse.ok().body(HeldResponseApplication.FILE);
		}

		public ServerResponse future(ServerRequest request) {
			return ServerResponse.async(CompletableFuture.supplyAsync(() -> file(request)));
		}

		public ServerResponse events(ServerRequest request) {
			return ServerResponse.sse((events) -> CompletableFuture.runAsync(() -> {
				try {
					for (int i = 0; i < HeldResponseApplication.SIZE >> 16; i++) {
						events.send("x".repeat(1 << 16));
					}
					events.complete();
				}
				catch (IOException ex) {
					events.error(ex);
				}
			}));
		}

	}

	@RestController
	@RateLimited(name = "held", algorithm = Algorithm.CONCURRENCY, max = 1)
	@RateLimited(name = "counted", max = 10, period = 3600, unless = "#error == null")
	@RateLimited(name = "canceled", max = 10, period = 3600,
			unless = "#error?.class?.simpleName != 'CancellationException'")
	public static class ServletController {

		private final Denied denied;

		ServletController(Denied denied) {
			this.denied = denied;
		}

		@GetMapping("/denied-when-started")
		public void deniedWhenStarted(HttpServletRequest request, HttpServletResponse response) {
			request.startAsync(request, response).setTimeout(0);
			this.denied.call(2);
		}

		@GetMapping("/denied-with-a-length")
		public void deniedWithALength(HttpServletResponse response) {
			response.setContentLength(5_000);
			response.setHeader("Content-Encoding", "gzip");
			this.denied.call(2);
		}

		@GetMapping("/written")
		public void written(HttpServletResponse response) throws IOException {
			write(response.getOutputStream());
		}

		@GetMapping("/started")
		public void started(HttpServletRequest request, HttpServletResponse response) {
			AsyncContext context = request.startAsync(request, response);
			context.setTimeout(0);
			CompletableFuture.runAsync(() -> {
				try {
					write(context.getResponse().getOutputStream());
					context.complete();
				}
				catch (IOException ex) {
					throw new UncheckedIOException(ex);
				}
			});
		}

		@GetMapping("/streaming")
		public StreamingResponseBody streaming() {
			return ServletController::write;
		}

		@GetMapping("/callable")
		public Callable<Resource> callable() {
			return () -> HeldResponseApplication.FILE;
		}

		@GetMapping("/task")
		public WebAsyncTask<Resource> task() {
			return new WebAsyncTask<>(callable());
		}

		@GetMapping("/deferred")
		public DeferredResult<Resource> deferred() {
			DeferredResult<Resource> result = new DeferredResult<>();
			CompletableFuture.runAsync(() -> result.setResult(HeldResponseApplication.FILE));
			return result;
		}

		@GetMapping("/emitter")
		public ResponseBodyEmitter emitter() {
			return send(new ResponseBodyEmitter(0L));
		}

		@GetMapping("/events")
		public SseEmitter events() {
			SseEmitter emitter = new SseEmitter(0L);
			send(emitter);
			return emitter;
		}

		private static ResponseBodyEmitter send(ResponseBodyEmitter emitter) {
			CompletableFuture.runAsync(() -> {
				try {
					for (int i = 0; i < HeldResponseApplication.SIZE >> 16; i++) {
						emitter.send("x".repeat(1 << 16));
					}
					emitter.complete();
				}
				catch (IOException ex) {
					emitter.completeWithError(ex);
				}
			});
			return emitter;
		}

		private static void write(OutputStream response) throws IOException {
			try (InputStream file = HeldResponseApplication.FILE.getInputStream()) {
				file.transferTo(response);
			}
		}

	}

}
