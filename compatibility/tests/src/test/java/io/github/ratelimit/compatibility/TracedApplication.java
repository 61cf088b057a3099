package io.github.ratelimit.compatibility;

import io.micrometer.tracing.handler.DefaultTracingObservationHandler;
import io.micrometer.tracing.otel.bridge.OtelCurrentTraceContext;
import io.micrometer.tracing.otel.bridge.OtelTracer;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import reactor.core.publisher.Mono;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.core.env.Environment;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.reactive.function.client.WebClient;

/**
 * Application whose tracer keeps its spans. Spring Boot 3's own tracer, which belongs to
 * the actuator, would batch them.
 */
@SpringBootConfiguration
@EnableAutoConfiguration(
		excludeName = { "org.springframework.boot.actuate.autoconfigure.tracing.MicrometerTracingAutoConfiguration",
				"org.springframework.boot.actuate.autoconfigure.tracing.OpenTelemetryTracingAutoConfiguration" })
@Import({ ForumApplication.ReplyController.class, TracedApplication.Caller.class })
class TracedApplication {

	@Bean
	static InMemorySpanExporter spans() {
		return InMemorySpanExporter.create();
	}

	@Bean
	static OtelTracer tracer(InMemorySpanExporter spans) {
		SdkTracerProvider provider = SdkTracerProvider.builder()
			.addSpanProcessor(SimpleSpanProcessor.create(spans))
			.build();
		return new OtelTracer(provider.get("test"), new OtelCurrentTraceContext(), (event) -> {
		});
	}

	@Bean
	static DefaultTracingObservationHandler tracingHandler(OtelTracer tracer) {
		return new DefaultTracingObservationHandler(tracer);
	}

	@RestController
	static class Caller {

		private final WebClient client;

		Caller(WebClient.Builder builder, Environment environment) {
			this.client = builder.baseUrl(environment.getProperty("api.url", "http://localhost")).build();
		}

		@PostMapping("/limited")
		String answer() {
			return "answered";
		}

		@PostMapping("/calls")
		Mono<String> call() {
			return this.client.get().uri("/").retrieve().bodyToMono(String.class);
		}

	}

}
