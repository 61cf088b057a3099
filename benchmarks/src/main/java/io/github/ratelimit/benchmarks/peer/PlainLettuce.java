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
 * Minimal bucket on plain Lettuce, over one connection. It may also look for a second key
 * in each call, which is the least that a rule with {@code prefetch} asks of Redis:
 * whether an instance holds units.
 */
final class PlainLettuce implements Contender {

	static final String LOOKING = Contenders.PLAIN + " and an `EXISTS`";

	private static final String LOOK = "if redis.call('EXISTS', KEYS[2]) == 1 then return 0 end\n";

	private final String name;

	private final RedisClient client;

	private final StatefulRedisConnection<String, String> connection;

	private final MinimalBucket bucket;

	private final String[] arguments;

	private final String sha;

	/**
	 * Create a bucket per key.
	 * @param name {@link Contenders#PLAIN} or {@link #LOOKING}
	 */
	PlainLettuce(String name, RedisProcess redis, Quota quota) {
		this.name = name;
		this.client = RedisClient.create(RedisURI.create(redis.host(), redis.port()));
		this.connection = this.client.connect();
		this.bucket = new MinimalBucket(name.equals(LOOKING) ? "looking:" : "minimal:", quota);
		this.arguments = this.bucket.arguments();
		String script = MinimalBucket.SCRIPT.getScriptAsString();
		this.sha = this.connection.sync().scriptLoad(name.equals(LOOKING) ? LOOK + script : script);
	}

	@Override
	public String name() {
		return this.name;
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
		String bucket = this.bucket.name(key);
		String[] keys = this.name.equals(LOOKING) ? new String[] { bucket, bucket + ":held" } : new String[] { bucket };
		return this.connection.async().evalsha(this.sha, ScriptOutputType.INTEGER, keys, this.arguments);
	}

	@Override
	public void close() {
		this.client.shutdown();
	}

}
