package io.github.ratelimit.migration.redisson;

import io.github.ratelimit.migration.Instance;
import io.github.ratelimit.migration.Traffic;
import org.junit.jupiter.api.Test;
import org.redisson.Redisson;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;

import static org.assertj.core.api.Assertions.assertThat;

class RedissonTests {

	@Test
	void bothAdmitTheRateAtOnceAndNoMore() {
		try (Instance before = Instance.start(Before.class, "");
				Instance after = Instance.start(After.class, "redisson/after.yml")) {
			RedissonMails old = before.bean(RedissonMails.class);
			LimitedMails mails = after.bean(LimitedMails.class);
			assertThat(Traffic.admitted(8, () -> old.send("acme", "Hello"))).isEqualTo(5);
			assertThat(Traffic.admitted(8, () -> mails.send("acme", "Hello"))).isEqualTo(5);
		}
	}

	@SpringBootConfiguration
	@EnableAutoConfiguration
	@Import(RedissonMails.class)
	static class Before {

		@Bean(destroyMethod = "shutdown")
		RedissonClient redisson(@Value("${spring.data.redis.host}") String host,
				@Value("${spring.data.redis.port}") int port) {
			Config config = new Config();
			config.useSingleServer()
				.setAddress("redis://%s:%d".formatted(host, port))
				.setConnectionMinimumIdleSize(1)
				.setSubscriptionConnectionMinimumIdleSize(1);
			return Redisson.create(config);
		}

	}

	@SpringBootConfiguration
	@EnableAutoConfiguration
	@Import(LimitedMails.class)
	static class After {

	}

}
