package io.github.ratelimit.compatibility;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;

import io.github.ratelimit.RateLimitKeyException;
import io.github.ratelimit.redis.process.RedisProcess;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.WebApplicationType;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Limited calls that a controller starts without waiting for them: they continue after
 * their request has ended and the container has recycled its objects.
 */
@OnOuterLines
class DetachedCallTests {

	private static final int REQUESTS = 100;

	private static final Servers SERVERS = new Servers();

	private static final RedisProcess redis = RedisProcess.start();

	@AfterAll
	static void stop() {
		SERVERS.close();
		redis.close();
	}

	@ParameterizedTest
	@CsvSource({ "redis, /stage", "redis, /delayed-stage", "redis, /mono", "redis, /delayed-mono", "local, /stage",
			"local, /delayed-stage", "local, /mono", "local, /delayed-mono" })
	void everyCallTakesPlaceWhenItsRequestIsOver(String store, String path) {
		Server server = server(store);
		StageApplication.Outbox outbox = server.bean(StageApplication.Outbox.class);
		AtomicBoolean started = new AtomicBoolean(true);
		IntStream.range(0, REQUESTS).parallel().forEach((i) -> {
			if (server.post(path).statusCode() != 200) {
				started.set(false);
			}
		});
		assertThat(started).isTrue();
		Awaitility.await().until(() -> outbox.ended() == REQUESTS);
		assertThat(outbox.failure()).isNull();
		assertThat(outbox.sent()).isEqualTo(REQUESTS);
	}

	/**
	 * Task decorators that copy the request to other threads have this effect.
	 */
	@ParameterizedTest
	@ValueSource(strings = { "redis", "local" })
	void everyPlainCallOfAThreadWithTheRequestIsExecuted(String store) {
		Server server = server(store);
		StageApplication.Outbox outbox = server.bean(StageApplication.Outbox.class);
		assertThat(server.statuses(20, "/copied")).containsOnly(200);
		outbox.release();
		Awaitility.await().until(() -> outbox.ended() == 20);
		assertThat(outbox.failure()).isNull();
		assertThat(outbox.sent()).isEqualTo(20);
	}

	@ParameterizedTest
	@ValueSource(strings = { "redis", "local" })
	void keyOfARequestThatIsOverIsAClearError(String store) {
		Server server = server(store);
		StageApplication.Outbox outbox = server.bean(StageApplication.Outbox.class);
		for (int i = 0; i < 4; i++) {
			assertThat(server.post("/delayed-by-address").statusCode()).isEqualTo(200);
		}
		Awaitility.await().until(() -> outbox.ended() == 4);
		assertThat(outbox.failure()).isInstanceOf(RateLimitKeyException.class)
			.hasMessageContaining("the web request is over");
	}

	@ParameterizedTest
	@CsvSource({ "redis, /blocking-mono", "redis, /blocking-delayed-mono", "local, /blocking-mono",
			"local, /blocking-delayed-mono" })
	void bodyOfAMethodThatReturnsAMonoMayBlock(String store, String path) {
		Server server = server(store);
		assertThat(server.statuses(5, path)).containsOnly(200);
	}

	@ParameterizedTest
	@CsvSource({ "redis, /address-of-mono", "redis, /address-of-stage", "local, /address-of-mono",
			"local, /address-of-stage" })
	void limitedMethodsOfALimitedMethodKnowTheRequest(String store, String path) {
		Server server = server(store);
		assertThat(server.post(path).body()).isEqualTo("known");
		assertThat(server.remaining("address", "127.0.0.1")).isEqualTo(9_999);
	}

	private static Server server(String store) {
		Server server = SERVERS.get(WebApplicationType.SERVLET, StageApplication.class, "ratelimit.store=" + store,
				"spring.data.redis.port=" + redis.port());
		server.bean(StageApplication.Outbox.class).clear();
		return server.reset("127.0.0.1");
	}

}
