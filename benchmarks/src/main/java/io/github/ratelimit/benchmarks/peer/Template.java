package io.github.ratelimit.benchmarks.peer;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

import io.github.ratelimit.benchmarks.measure.Contender;
import io.github.ratelimit.redis.process.RedisProcess;

import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.data.redis.core.script.RedisScript;
import org.springframework.data.redis.serializer.RedisSerializer;

/**
 * {@link StringRedisTemplate} that sends the same call as this library.
 */
final class Template implements Contender {

	static final String NAME = "the same through `StringRedisTemplate`";

	private final LettuceConnectionFactory connections;

	private final StringRedisTemplate template;

	private final SentCall call;

	private final RedisScript<byte[]> script;

	Template(RedisProcess redis, SentCall call) {
		this.connections = Connections.to(redis);
		this.template = new StringRedisTemplate(this.connections);
		this.call = call;
		this.script = new Known(call.sha());
	}

	@Override
	public String name() {
		return NAME;
	}

	@Override
	public boolean tryAcquire(String key) {
		byte[][] keys = this.call.keys(key);
		List<String> names = (keys.length == 1) ? List.of(text(keys[0]))
				: Arrays.stream(keys).map(Template::text).toList();
		return this.template.execute(this.script, RedisSerializer.byteArray(), RedisSerializer.byteArray(), names,
				(Object[]) this.call.arguments(key)) != null;
	}

	private static String text(byte[] bytes) {
		return new String(bytes, StandardCharsets.UTF_8);
	}

	@Override
	public boolean returnsDecision() {
		return false;
	}

	@Override
	public boolean isAsync() {
		return false;
	}

	@Override
	public void close() {
		this.connections.destroy();
	}

	/**
	 * Script that is loaded in Redis already.
	 */
	private record Known(String sha) implements RedisScript<byte[]> {

		@Override
		public String getSha1() {
			return this.sha;
		}

		@Override
		public Class<byte[]> getResultType() {
			return byte[].class;
		}

		@Override
		public String getScriptAsString() {
			throw new IllegalStateException("Redis forgot the script");
		}

	}

}
