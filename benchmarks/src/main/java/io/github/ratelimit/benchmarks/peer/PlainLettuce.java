package io.github.ratelimit.benchmarks.peer;

import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;

import io.github.ratelimit.benchmarks.measure.Contender;
import io.github.ratelimit.benchmarks.measure.Quota;
import io.github.ratelimit.redis.process.RedisProcess;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.RedisURI;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.StatefulRedisConnection;

/**
 * Minimal bucket on plain Lettuce, over one connection.
 */
final class PlainLettuce implements Contender {

	private final RedisClient client;

	private final StatefulRedisConnection<String, String> connection;

	private final MinimalBucket bucket;

	private final String[] arguments;

	private final String sha;

	PlainLettuce(RedisProcess redis, Quota quota) {
		this.client = RedisClient.create(RedisURI.create(redis.host(), redis.port()));
		this.connection = this.client.connect();
		this.bucket = new MinimalBucket("minimal:", quota);
		this.arguments = this.bucket.arguments();
		this.sha = this.connection.sync().scriptLoad(MinimalBucket.SCRIPT.getScriptAsString());
	}

	@Override
	public String name() {
		return Contenders.PLAIN;
	}

	@Override
	public boolean tryAcquire(String key) {
		try {
			return send(key).get() == 1;
		}
		catch (InterruptedException | ExecutionException ex) {
			throw new IllegalStateException(ex);
		}
	}

	@Override
	public CompletionStage<?> tryAcquireAsync(String key) {
		return send(key);
	}

	private RedisFuture<Long> send(String key) {
		return this.connection.async()
			.evalsha(this.sha, ScriptOutputType.INTEGER, new String[] { this.bucket.name(key) }, this.arguments);
	}

	@Override
	public void close() {
		this.client.shutdown();
	}

}
