package io.github.ratelimit.redis.process;

import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.time.Duration;

import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/**
 * Tests for {@link RedisOptions}.
 */
@Tag("in-ci")
@Timeout(60)
class RedisOptionsTests {

	private static final String ALL_BINARIES = "io.github.ratelimit.redis.process.RedisBinary#all";

	@TempDir
	private Path directory;

	@ParameterizedTest
	@MethodSource(ALL_BINARIES)
	void binaryIsTheChosenOne(RedisBinary binary) {
		try (RedisProcess redis = RedisProcess.start(RedisOptions.none().withBinary(binary))) {
			assertThat(redis.command("INFO", "server")).asString().contains("_version:" + binary.version());
			assertThat(redis.toString()).startsWith(binary.toString());
		}
	}

	@ParameterizedTest
	@MethodSource(ALL_BINARIES)
	void passwordIsDemandedFromStrangers(RedisBinary binary) {
		RedisOptions options = RedisOptions.none().withBinary(binary).withPassword("secret");
		try (RedisProcess redis = RedisProcess.start(options); RespConnection stranger = stranger(redis)) {
			assertThat(redis.command("PING")).isEqualTo("PONG");
			assertThatExceptionOfType(RedisErrorReply.class).isThrownBy(() -> stranger.command("PING"))
				.withMessageStartingWith("NOAUTH");
			assertThat(stranger.command("AUTH", "secret")).isEqualTo("OK");
		}
	}

	@ParameterizedTest
	@MethodSource(ALL_BINARIES)
	void userIsDemandedFromStrangersAlsoAfterRestart(RedisBinary binary) {
		RedisOptions options = RedisOptions.none().withBinary(binary).withUser("app", "secret");
		try (RedisProcess redis = RedisProcess.start(options)) {
			redis.restart();
			assertThat(redis.command("ACL", "WHOAMI")).isEqualTo("app");
			try (RespConnection stranger = stranger(redis)) {
				assertThatExceptionOfType(RedisErrorReply.class).isThrownBy(() -> stranger.command("AUTH", "secret"))
					.withMessageStartingWith("WRONGPASS");
				assertThat(stranger.command("AUTH", "app", "secret")).isEqualTo("OK");
			}
		}
	}

	@Test
	void laterArgumentsWin() {
		RedisOptions options = RedisOptions.none()
			.withArguments("--maxmemory", "3mb")
			.withArguments("--maxmemory", "4mb");
		try (RedisProcess redis = RedisProcess.start(options)) {
			assertThat(redis.command("CONFIG", "GET", "maxmemory")).asString().contains("4194304");
		}
	}

	@ParameterizedTest
	@MethodSource(ALL_BINARIES)
	void tlsHasAPortOfItsOwn(RedisBinary binary) throws Exception {
		assumeTrue(binary.supportsTls(), () -> binary + " is built without TLS");
		TlsCertificate certificate = TlsCertificate.createIn(this.directory);
		RedisOptions options = RedisOptions.none().withBinary(binary).withTls(certificate);
		try (RedisProcess redis = RedisProcess.start(options)) {
			assertThat(redis.command("PING")).isEqualTo("PONG");
			assertThat(pingOverTls(redis, certificate)).isEqualTo("+PONG\r\n");
		}
	}

	@Test
	void withoutTlsThereIsNoSuchPort() {
		try (RedisProcess redis = RedisProcess.start()) {
			assertThatIllegalStateException().isThrownBy(redis::tlsPort)
				.withMessageEndingWith("was started without TLS");
		}
	}

	private static RespConnection stranger(RedisProcess redis) {
		return RespConnection.open(redis.host(), redis.port(), Duration.ofSeconds(5));
	}

	private static String pingOverTls(RedisProcess redis, TlsCertificate certificate) throws Exception {
		try (SSLSocket socket = (SSLSocket) contextThatTrusts(certificate).getSocketFactory()
			.createSocket(redis.host(), redis.tlsPort())) {
			SSLParameters parameters = socket.getSSLParameters();
			parameters.setEndpointIdentificationAlgorithm("HTTPS"); // the name must fit
			socket.setSSLParameters(parameters);
			socket.setSoTimeout(5000);
			socket.getOutputStream().write("PING\r\n".getBytes(StandardCharsets.US_ASCII));
			return new String(socket.getInputStream().readNBytes(7), StandardCharsets.US_ASCII);
		}
	}

	private static SSLContext contextThatTrusts(TlsCertificate tls) throws Exception {
		KeyStore trusted = KeyStore.getInstance(KeyStore.getDefaultType());
		trusted.load(null, null);
		try (InputStream input = Files.newInputStream(tls.certificate())) {
			Certificate certificate = CertificateFactory.getInstance("X.509").generateCertificate(input);
			trusted.setCertificateEntry("redis", certificate);
		}
		TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
		trust.init(trusted);
		SSLContext context = SSLContext.getInstance("TLS");
		context.init(null, trust.getTrustManagers(), null);
		return context;
	}

}
