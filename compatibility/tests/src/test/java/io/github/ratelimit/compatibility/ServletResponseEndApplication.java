package io.github.ratelimit.compatibility;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;

import io.github.ratelimit.annotation.RateLimited;
import jakarta.servlet.http.HttpServletResponse;

import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.context.request.async.DeferredResult;
import org.springframework.web.context.request.async.WebAsyncTask;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;
import org.springframework.web.servlet.mvc.method.annotation.StreamingResponseBody;

/**
 * Application with the asynchronous results of Spring MVC as well.
 */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
@Import(ResponseEndApplication.class)
class ServletResponseEndApplication {

	@RestController
	@RateLimited(name = "method", max = 10, period = 3600, unless = "@ends.ofMethod(#result, #error)")
	public static class ServletController {

		@GetMapping("/send-error")
		public void sendError(HttpServletResponse response) throws IOException {
			response.sendError(410);
		}

		@GetMapping("/callable")
		public Callable<String> callable() {
			return () -> "called";
		}

		@GetMapping("/failing-callable")
		public Callable<String> failingCallable() {
			return () -> {
				throw new UnsupportedOperationException("on purpose");
			};
		}

		@GetMapping("/task")
		public WebAsyncTask<String> task() {
			return new WebAsyncTask<>(() -> "called");
		}

		@GetMapping("/deferred")
		public DeferredResult<String> deferred() {
			DeferredResult<String> result = new DeferredResult<>();
			CompletableFuture.runAsync(() -> result.setResult("deferred"));
			return result;
		}

		@GetMapping("/timeout")
		public DeferredResult<String> timeout() {
			return new DeferredResult<>(1L);
		}

		@GetMapping("/emitter")
		public SseEmitter emitter() {
			SseEmitter emitter = new SseEmitter();
			CompletableFuture.runAsync(() -> {
				try {
					emitter.send("one");
					emitter.complete();
				}
				catch (IOException ex) {
					emitter.completeWithError(ex);
				}
			});
			return emitter;
		}

		@GetMapping("/endless-emitter")
		public SseEmitter endlessEmitter() {
			SseEmitter emitter = new SseEmitter(0L);
			Thread sender = new Thread(() -> {
				try {
					while (true) {
						emitter.send("tick");
						Thread.sleep(10);
					}
				}
				catch (Exception ex) {
					emitter.completeWithError(ex);
				}
			}, "ticks");
			sender.setDaemon(true);
			sender.start();
			return emitter;
		}

		@GetMapping("/streaming")
		public ResponseEntity<StreamingResponseBody> streaming() {
			return ResponseEntity.ok((stream) -> stream.write("body".getBytes(StandardCharsets.UTF_8)));
		}

	}

}
