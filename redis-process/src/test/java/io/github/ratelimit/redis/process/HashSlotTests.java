package io.github.ratelimit.redis.process;

import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link HashSlot}.
 */
@Timeout(60)
class HashSlotTests {

	@Test
	void isWhatRedisSays() {
		List<String> keys = List.of("", "123456789", "key", "{tag}key", "key{tag}", "{}key", "{}{tag}", "{tag", "tag}",
				"{a}{b}", "{{a}}", "}a{b}", "grüße, 老钱");
		try (RedisProcess redis = RedisProcess.start(List.of("--cluster-enabled", "yes"))) {
			assertThat(keys).allSatisfy(
					(key) -> assertThat(redis.command("CLUSTER", "KEYSLOT", key)).isEqualTo((long) HashSlot.of(key)));
		}
	}

}
