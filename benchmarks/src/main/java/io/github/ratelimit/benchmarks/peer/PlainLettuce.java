package io.github.ratelimit.benchmarks.peer;

import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;

import io.github.ratelimit.benchmarks.measure.Contender;
import io.github.ratelimit.redis.process.RedisProcess;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.RedisURI;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.ByteArrayCodec;

/**
 * Plain Lettuce that sends the same call as this library, over one connection.
 */
final class PlainLettuce implements Contender {

	private final RedisClient client;

	private final StatefulRedisConnection<byte[], byte[]> connection;

	private final SentCall call;

	private final String sha;

	PlainLettuce(RedisProcess redis, SentCall call) {
		this.client = RedisClient.create(RedisURI.create(redis.host(), redis.port()));
		this.connection = this.client.connect(ByteArrayCodec.INSTANCE);
		this.call = call;
		this.sha = call.sha();
	}

	@Override
	public String name() {
		return Contenders.PLAIN;
	}

	@Override
	public boolean tryAcquire(String key) {
		try {
			return send(key).get() != null;
		}
		catch (InterruptedException | ExecutionException ex) {
			throw new IllegalStateException(ex);
		}
	}

	@Override
	public CompletionStage<?> tryAcquireAsync(String key) {
		return send(key);
	}

	private RedisFuture<Object> send(String key) {
		return this.connection.async()
			.evalsha(this.sha, ScriptOutputType.VALUE, this.call.keys(key), this.call.arguments(key));
	}

	@Override
	public boolean returnsDecision() {
		return false;
	}

	@Override
	public void close() {
		this.client.shutdown();
	}

}
