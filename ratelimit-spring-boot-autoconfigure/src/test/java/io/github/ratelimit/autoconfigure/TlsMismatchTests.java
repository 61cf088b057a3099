package io.github.ratelimit.autoconfigure;

import java.nio.file.Path;
import java.util.List;

import io.github.ratelimit.engine.RecordedLog;
import io.github.ratelimit.redis.process.RedisBinary;
import io.github.ratelimit.redis.process.RedisOptions;
import io.github.ratelimit.redis.process.RedisProcess;
import io.github.ratelimit.redis.process.TlsCertificate;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.autoconfigure.data.redis.RedisAutoConfiguration;
import org.springframework.boot.autoconfigure.ssl.SslAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Messages for a user whose client and Redis disagree about TLS.
 */
class TlsMismatchTests {

	@TempDir
	private static Path directory;

	private static RedisProcess redis;

	@BeforeAll
	static void start() throws Exception {
		Assumptions.assumeTrue(RedisBinary.find().supportsTls());
		redis = RedisProcess.start(RedisOptions.none().withTls(TlsCertificate.createIn(directory)));
	}

	@AfterAll
	static void stop() {
		if (redis != null) {
			redis.close();
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "lettuce", "jedis" })
	void clientWithoutTlsIsToldToUseIt(String client) throws Exception {
		assertThat(error(client, redis.tlsPort(), false)).contains("uses TLS, but the client does not")
			.contains("Set spring.data.redis.ssl.enabled to true");
	}

	@ParameterizedTest
	@ValueSource(strings = { "lettuce", "jedis" })
	void clientWithTlsIsToldNotToUseIt(String client) throws Exception {
		assertThat(error(client, redis.port(), true)).contains("does not use TLS, but the client does")
			.contains("Set spring.data.redis.ssl.enabled to false");
	}

	private static String error(String client, int port, boolean tls) throws Exception {
		try (RecordedLog log = new RecordedLog(Class.forName("io.github.ratelimit.engine.StoreReport"))) {
			new ApplicationContextRunner()
				.withConfiguration(AutoConfigurations.of(AopAutoConfiguration.class, SslAutoConfiguration.class,
						RedisAutoConfiguration.class, RateLimitAutoConfiguration.class))
				.withPropertyValues("spring.data.redis.client-type=" + client, "spring.data.redis.port=" + port,
						"spring.data.redis.host=127.0.0.1", "spring.data.redis.ssl.enabled=" + tls)
				.run((context) -> {
					assertThat(context).hasNotFailed();
					Awaitility.await().until(() -> !lines(log).isEmpty());
				});
			assertThat(lines(log)).hasSize(1);
			return lines(log).get(0);
		}
	}

	private static List<String> lines(RecordedLog log) {
		return log.lines().stream().filter((line) -> !line.startsWith("FINE")).toList();
	}

}
