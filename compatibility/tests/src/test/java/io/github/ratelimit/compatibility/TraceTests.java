package io.github.ratelimit.compatibility;

import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

import io.github.ratelimit.RateLimiterRegistry;
import io.github.ratelimit.redis.process.RedisProcess;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.data.EventData;
import io.opentelemetry.sdk.trace.data.SpanData;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.boot.WebApplicationType;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Events in the spans of a real tracer.
 */
@Tag("in-ci")
@Tag("traces")
@OnOuterLines
class TraceTests {

	private static final Map<WebApplicationType, Server> servers = new EnumMap<>(WebApplicationType.class);

	private static RedisProcess redis;

	private static LimitedApi api;

	@BeforeAll
	static void start() {
		redis = RedisProcess.start();
		api = new LimitedApi(100, "30");
		for (WebApplicationType type : List.of(WebApplicationType.SERVLET, WebApplicationType.REACTIVE)) {
			servers.put(type, start(type));
		}
	}

	private static Server start(WebApplicationType type) {
		return Server.start(type, TracedApplication.class, "spring.data.redis.port=" + redis.port(),
				"ratelimit.key-prefix=" + type, "ratelimit.rules.requests.max=5", "ratelimit.rules.requests.period=60",
				"ratelimit.web.requests[0].path=/limited", "ratelimit.web.requests[0].rule=requests",
				"ratelimit.rules.sms.max=5", "ratelimit.rules.sms.period=60",
				"ratelimit.rules.api.algorithm=leaky-bucket", "ratelimit.rules.api.max=1",
				"ratelimit.rules.api.period=2s", "ratelimit.rules.api.max-wait=5s",
				"ratelimit.client.requests[0].host=localhost", "ratelimit.client.requests[0].rule=api",
				"api.url=" + api.url());
	}

	@AfterAll
	static void stop() {
		servers.values().forEach(Server::close);
		api.close();
		redis.close();
	}

	@BeforeEach
	void forgetSpans() {
		servers.values().forEach((server) -> server.bean(InMemorySpanExporter.class).reset());
	}

	@ParameterizedTest
	@CsvSource({ "SERVLET, /replies, reply-controller-reply", "SERVLET, /mono, reply-controller-mono",
			"SERVLET, /future, reply-controller-future", "SERVLET, /limited, requests",
			"REACTIVE, /mono, reply-controller-mono", "REACTIVE, /flux, reply-controller-flux",
			"REACTIVE, /limited, requests" })
	void denialIsAnEventOfTheSpanOfItsRequestAndNoKeyOccurs(WebApplicationType type, String path, String rule) {
		Server server = servers.get(type);
		server.statuses(5, path + "?userId=secret");
		assertThat(server.post(path + "?userId=secret").statusCode()).isEqualTo(429);
		List<SpanData> spans = spans(server, 6);
		assertThat(spans.stream().map(TraceTests::events)).containsExactly("", "", "", "", "",
				"ratelimit.denied " + rule);
		assertThat(server.bean(InMemorySpanExporter.class).getFinishedSpanItems().toString()).doesNotContain("secret");
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void waitOfAnOutgoingRequestIsAnEventOfItsOwnSpan(WebApplicationType type) {
		Server server = servers.get(type);
		server.post("/calls");
		spans(server, 2);
		server.bean(InMemorySpanExporter.class).reset();
		server.bean(RateLimiterRegistry.class).limiter("api").tryAcquire("");
		assertThat(server.post("/calls").statusCode()).isEqualTo(200);
		assertThat(spans(server, 2).stream().map((span) -> span.getName() + ": " + events(span)))
			.containsExactly("http post /calls: ", "http get: ratelimit.wait api");
	}

	/**
	 * Return the finished spans of requests in the order of their start. They may finish
	 * after the response has arrived. Lettuce has spans of its own in Spring Boot 4.
	 */
	private static List<SpanData> spans(Server server, int count) {
		return await().until(() -> server.bean(InMemorySpanExporter.class)
			.getFinishedSpanItems()
			.stream()
			.filter((span) -> span.getName().startsWith("http"))
			.sorted(Comparator.comparingLong(SpanData::getStartEpochNanos))
			.toList(), (spans) -> spans.size() >= count);
	}

	private static String events(SpanData span) {
		return String.join(", ",
				span.getEvents()
					.stream()
					.map(EventData::getName)
					.filter((name) -> name.startsWith("ratelimit"))
					.toList());
	}

}
