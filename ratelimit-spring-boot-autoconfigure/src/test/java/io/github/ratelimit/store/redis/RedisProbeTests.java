package io.github.ratelimit.store.redis;

import java.time.Duration;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class RedisProbeTests {

	@Test
	void connectionMayTakeAsLongAsAnAnswerButAtLeastTwoSeconds() {
		assertThat(RedisProbe.connectPatience(Duration.ofMillis(100))).isEqualTo(Duration.ofSeconds(2));
		assertThat(RedisProbe.connectPatience(Duration.ofSeconds(10))).isEqualTo(Duration.ofSeconds(10));
	}

}
