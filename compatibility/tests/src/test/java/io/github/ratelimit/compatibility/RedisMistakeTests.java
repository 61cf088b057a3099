package io.github.ratelimit.compatibility;

import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.Stream;

import io.github.ratelimit.RateLimiterRegistry;
import io.github.ratelimit.redis.process.RedisBinary;
import io.github.ratelimit.redis.process.RedisOptions;
import io.github.ratelimit.redis.process.RedisProcess;
import io.github.ratelimit.redis.process.TlsCertificate;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * The log says what to write if the properties of the connection do not fit the server,
 * whenever the client connects.
 */
@ExtendWith(OutputCaptureExtension.class)
@OnOuterLines
class RedisMistakeTests {

	private static final Duration PATIENCE = Duration.ofSeconds(20);

	@TempDir
	private static Path directory;

	private static TlsCertificate certificate;

	@ParameterizedTest
	@CsvSource({ "lettuce, true", "lettuce, false", "jedis, true", "jedis, false" })
	void disagreementAboutTlsIsNamed(String client, boolean tls, CapturedOutput output) throws Exception {
		try (RedisProcess redis = withTls();
				Server server = start(client, "spring.data.redis.port=" + (tls ? redis.port() : redis.tlsPort()),
						"spring.data.redis.ssl.enabled=" + tls)) {
			call(server);
			awaitRemedy(output, "Set spring.data.redis.ssl.enabled to " + !tls);
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "lettuce", "jedis" })
	void urlIsNamedIfClientAndServerDisagreeAboutTls(String client, CapturedOutput output) throws Exception {
		try (RedisProcess redis = RedisProcess.start();
				Server server = start(client, "spring.data.redis.url=rediss://127.0.0.1:" + redis.port())) {
			call(server);
			awaitRemedy(output, "if spring.data.redis.url is set, write redis:// in it instead of rediss://");
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "lettuce", "jedis" })
	void disagreementAboutTlsIsNamedAlsoIfRedisStartsLater(String client, CapturedOutput output) throws Exception {
		try (RedisProcess redis = withTls()) {
			redis.kill();
			try (Server server = start(client, "spring.data.redis.port=" + redis.tlsPort())) {
				call(server);
				await().untilAsserted(() -> assertThat(output).contains("cannot answer (Redis at 127.0.0.1:"));
				redis.restart();
				awaitRemedy(output, "Set spring.data.redis.ssl.enabled to true");
			}
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "lettuce", "jedis" })
	void databaseThatRedisDoesNotHaveIsNamed(String client, CapturedOutput output) throws Exception {
		try (RedisProcess redis = RedisProcess.start();
				Server server = start(client, "spring.data.redis.port=" + redis.port(),
						"spring.data.redis.database=99")) {
			call(server);
			awaitRemedy(output, "Set spring.data.redis.database");
			assertThat(output).contains("Redis at 127.0.0.1:" + redis.port() + ", database 99,");
		}
	}

	/**
	 * Spring Data does not create a connection factory with Jedis then.
	 */
	@Test
	void clusterThatIsNoneIsNamed(CapturedOutput output) throws Exception {
		try (RedisProcess redis = RedisProcess.start();
				Server server = start("lettuce", "spring.data.redis.cluster.nodes=127.0.0.1:" + redis.port())) {
			call(server);
			awaitRemedy(output, "Remove spring.data.redis.cluster.nodes");
			assertThat(output).contains("Redis Cluster at 127.0.0.1:" + redis.port());
		}
	}

	private static void awaitRemedy(CapturedOutput output, String remedy) {
		await().atMost(PATIENCE)
			.until(() -> output.getAll().lines().filter(RedisMistakeTests::isMistake).toList(),
					(lines) -> !lines.isEmpty());
		assertThat(output.getAll().lines()).filteredOn(RedisMistakeTests::isMistake)
			.singleElement()
			.asString()
			.contains(remedy);
	}

	private static boolean isMistake(String line) {
		return line.contains("The store of rate limits refuses calls");
	}

	private static RedisProcess withTls() throws Exception {
		Assumptions.assumeTrue(RedisBinary.find().supportsTls());
		if (certificate == null) {
			certificate = TlsCertificate.createIn(directory);
		}
		return RedisProcess.start(RedisOptions.none().withTls(certificate));
	}

	private static void call(Server server) {
		server.bean(RateLimiterRegistry.class).limiter("sms").tryAcquire("laoqian");
	}

	private static Server start(String client, String... properties) {
		String[] all = { "spring.data.redis.client-type=" + client, "spring.data.redis.host=127.0.0.1",
				"ratelimit.redis.timeout=2s", "ratelimit.rules.sms.max=1", "ratelimit.rules.sms.period=60s" };
		return Server.start(WebApplicationType.NONE, ForumApplication.class,
				Stream.concat(Stream.of(all), Stream.of(properties)).toArray(String[]::new));
	}

}
