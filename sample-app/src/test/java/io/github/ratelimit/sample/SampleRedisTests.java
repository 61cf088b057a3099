package io.github.ratelimit.sample;

import java.util.Arrays;

import io.github.ratelimit.redis.process.RedisProcess;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link SampleRedis}.
 */
@ExtendWith(OutputCaptureExtension.class)
@Timeout(60)
class SampleRedisTests {

	@Test
	void startsRedisWhenNoneIsConfiguredAndStopsIt(CapturedOutput output) {
		ProcessHandle server;
		try (ConfigurableApplicationContext forum = start("--server.port=0")) {
			RedisProcess redis = forum.getBean(RedisProcess.class);
			server = ProcessHandle.of(redis.pid()).orElseThrow();
			assertThat(output).contains("No Redis is configured: counting in " + redis);
			reply(forum);
			assertThat(redis.command("DBSIZE")).isNotEqualTo(0L);
		}
		assertThat(server.isAlive()).isFalse();
	}

	@Test
	void usesConfiguredRedis(CapturedOutput output) {
		try (RedisProcess redis = RedisProcess.start();
				ConfigurableApplicationContext forum = start("--server.port=0",
						"--spring.data.redis.host=" + redis.host(), "--spring.data.redis.port=" + redis.port())) {
			assertThat(forum.getBeanProvider(RedisProcess.class)).isEmpty();
			assertThat(output).contains("Counting in the configured Redis on 127.0.0.1:" + redis.port());
			reply(forum);
			assertThat(redis.command("DBSIZE")).isNotEqualTo(0L);
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "host=redis.example.com", "port=6380", "url=redis://redis.example.com:6379",
			"sentinel.master=forum sentinel.nodes=redis.example.com:26379", "cluster.nodes[0]=redis.example.com:6379",
			"masterreplica.nodes=redis.example.com:6379" })
	void startsNoRedisWhenAPropertyNamesOne(String properties) {
		String[] pairs = Arrays.stream(properties.split(" ")).map("spring.data.redis."::concat).toArray(String[]::new);
		contextRunner().withPropertyValues(pairs)
			.run((context) -> assertThat(context).doesNotHaveBean(RedisProcess.class));
	}

	@Test
	void startsRedisIfPropertiesOnlyConfigureItsUse() {
		contextRunner().withPropertyValues("spring.data.redis.timeout=1s")
			.run((context) -> assertThat(context).hasSingleBean(RedisProcess.class));
	}

	private static ApplicationContextRunner contextRunner() {
		return new ApplicationContextRunner().withConfiguration(AutoConfigurations.of(DataRedisAutoConfiguration.class))
			.withUserConfiguration(SampleRedis.class);
	}

	private static ConfigurableApplicationContext start(String... arguments) {
		return SpringApplication.run(ForumApplication.class, arguments);
	}

	private static void reply(ConfigurableApplicationContext forum) {
		int port = forum.getEnvironment().getRequiredProperty("local.server.port", Integer.class);
		assertThat(new ForumClient(port).reply("laoqian").statusCode()).isEqualTo(200);
	}

}
