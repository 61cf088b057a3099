package io.github.ratelimit.store.redis;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.redis.process.RedisOptions;
import io.github.ratelimit.redis.process.RedisProcess;
import io.github.ratelimit.redis.process.TlsCertificate;
import io.github.ratelimit.store.tck.AlgorithmOnStore;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.StoreException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Decisions over TLS, with a verified server certificate.
 */
class RedisTlsTests {

	private static final Duration PATIENCE = Duration.ofSeconds(20);

	@TempDir
	private static Path directory;

	private static TlsCertificate certificate;

	private static TlsCertificate other;

	private final Demand demand = new Demand(
			RateLimitRule.named("rule").limit(1, Duration.ofDays(1)).algorithm(Algorithm.SLIDING_LOG).build(),
			AlgorithmOnStore.freshKey(), 1);

	@BeforeAll
	static void makeCertificates() throws Exception {
		certificate = TlsCertificate.createIn(Files.createDirectory(directory.resolve("own")));
		other = TlsCertificate.createIn(Files.createDirectory(directory.resolve("other")));
	}

	@ParameterizedTest
	@MethodSource("io.github.ratelimit.store.redis.ClientOnRedis#all")
	void decides(ClientOnRedis on) {
		try (RedisProcess redis = start(on)) {
			RunnerUnderTest.withStore(connections(on, redis, certificate), "tls", PATIENCE, (store) -> {
				store.connect();
				assertThat(admits(store)).isTrue();
				assertThat(admits(store)).isFalse();
			});
		}
	}

	@ParameterizedTest
	@MethodSource("io.github.ratelimit.store.redis.ClientOnRedis#all")
	void serverWithAnUnknownCertificateIsAnOutage(ClientOnRedis on) {
		try (RedisProcess redis = start(on)) {
			RunnerUnderTest.withStore(connections(on, redis, other), "tls", PATIENCE, (store) -> {
				assertThatExceptionOfType(StoreException.class).isThrownBy(() -> admits(store))
					.withStackTraceContaining("PKIX")
					.satisfies((failure) -> assertThat(failure.reason()).isEqualTo("connection"))
					.satisfies((failure) -> assertThat(failure.isOutage()).isTrue());
			});
		}
	}

	private static RedisProcess start(ClientOnRedis on) {
		Assumptions.assumeTrue(on.redis().supportsTls(), on.redis() + " was built without TLS");
		return on.start(RedisOptions.none().withTls(certificate));
	}

	private static RedisConnectionFactory connections(ClientOnRedis on, RedisProcess redis, TlsCertificate trusted) {
		return on.client()
			.tlsConnections(new RedisStandaloneConfiguration(redis.host(), redis.tlsPort()), trusted.certificate());
	}

	private boolean admits(RedisRateLimitStore store) {
		return store.acquire(this.demand).get(0).outcomes().get(0).admitted();
	}

}
