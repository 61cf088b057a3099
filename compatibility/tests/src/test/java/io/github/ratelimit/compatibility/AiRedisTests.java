package io.github.ratelimit.compatibility;

import io.github.ratelimit.redis.process.RedisProcess;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;

/**
 * Chat clients with a real Redis.
 */
@Tag("in-ci")
@OnOuterLines
class AiRedisTests extends AiChatTests {

	@AutoClose
	private final RedisProcess redis = RedisProcess.start();

	@Override
	String store() {
		return "spring.data.redis.port=" + this.redis.port();
	}

}
