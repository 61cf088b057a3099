package io.github.ratelimit.benchmarks.peer;

import java.util.List;

import io.github.ratelimit.benchmarks.measure.Contender;
import io.github.ratelimit.benchmarks.measure.Quota;
import io.github.ratelimit.redis.process.RedisProcess;

import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.core.StringRedisTemplate;

/**
 * Minimal bucket by {@link StringRedisTemplate}.
 */
final class Template {

	static final String NAME = "the same through `StringRedisTemplate`";

	private Template() {
	}

	static Contender contender(RedisProcess redis, Quota quota) {
		LettuceConnectionFactory connections = Connections.to(redis);
		StringRedisTemplate template = new StringRedisTemplate(connections);
		MinimalBucket bucket = new MinimalBucket("template:", quota);
		Object[] arguments = bucket.arguments();
		return new Contender(NAME,
				(key) -> template.execute(MinimalBucket.SCRIPT, List.of(bucket.name(key)), arguments) == 1, null,
				connections::destroy);
	}

}
