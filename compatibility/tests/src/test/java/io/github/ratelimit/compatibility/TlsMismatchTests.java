package io.github.ratelimit.compatibility;

import java.nio.file.Path;

import io.github.ratelimit.redis.process.RedisBinary;
import io.github.ratelimit.redis.process.RedisOptions;
import io.github.ratelimit.redis.process.RedisProcess;
import io.github.ratelimit.redis.process.TlsCertificate;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * The log names the property if client and Redis disagree about TLS, whenever the client
 * connects.
 */
@ExtendWith(OutputCaptureExtension.class)
class TlsMismatchTests {

	@ParameterizedTest
	@CsvSource({ "lettuce, true", "lettuce, false", "jedis, true", "jedis, false" })
	void isNamed(String client, boolean tls, @TempDir Path directory, CapturedOutput output) throws Exception {
		Assumptions.assumeTrue(RedisBinary.find().supportsTls());
		try (RedisProcess redis = RedisProcess.start(RedisOptions.none().withTls(TlsCertificate.createIn(directory)));
				Server server = Server.start(WebApplicationType.SERVLET, ForumApplication.class,
						"spring.data.redis.client-type=" + client, "spring.data.redis.host=127.0.0.1",
						"spring.data.redis.port=" + (tls ? redis.port() : redis.tlsPort()),
						"spring.data.redis.ssl.enabled=" + tls, "ratelimit.redis.timeout=2s",
						"ratelimit.rules.sms.max=1", "ratelimit.rules.sms.period=60s")) {
			server.post("/replies?userId=laoqian");
			await().untilAsserted(() -> assertThat(output).contains("Set spring.data.redis.ssl.enabled to " + !tls));
		}
	}

}
