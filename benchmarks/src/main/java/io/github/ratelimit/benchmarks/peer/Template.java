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
final class Template implements Contender {

	static final String NAME = "the same through `StringRedisTemplate`";

	private final LettuceConnectionFactory connections;

	private final StringRedisTemplate template;

	private final MinimalBucket bucket;

	private final Object[] arguments;

	Template(RedisProcess redis, Quota quota) {
		this.connections = Connections.to(redis);
		this.template = new StringRedisTemplate(this.connections);
		this.bucket = new MinimalBucket("template:", quota);
		this.arguments = this.bucket.arguments();
	}

	@Override
	public String name() {
		return NAME;
	}

	@Override
	public boolean tryAcquire(String key) {
		return this.template.execute(MinimalBucket.SCRIPT, List.of(this.bucket.name(key)), this.arguments) == 1;
	}

	@Override
	public boolean isAsync() {
		return false;
	}

	@Override
	public void close() {
		this.connections.destroy();
	}

}
