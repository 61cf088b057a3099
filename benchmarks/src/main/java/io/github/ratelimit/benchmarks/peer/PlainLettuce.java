package io.github.ratelimit.benchmarks.peer;

import java.util.concurrent.ExecutionException;
import java.util.function.Function;

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
final class PlainLettuce {

	static final String LOOKING = Contenders.PLAIN + " and an `EXISTS`";

	private static final String LOOK = "if redis.call('EXISTS', KEYS[2]) == 1 then return 0 end\n";

	private PlainLettuce() {
	}

	/**
	 * Create a bucket per key.
	 * @param name {@link Contenders#PLAIN} or {@link #LOOKING}
	 */
	static Contender contender(String name, RedisProcess redis, Quota quota) {
		RedisClient client = RedisClient.create(RedisURI.create(redis.host(), redis.port()));
		StatefulRedisConnection<String, String> connection = client.connect();
		boolean looking = name.equals(LOOKING);
		MinimalBucket bucket = new MinimalBucket(looking ? "looking:" : "minimal:", quota);
		String[] arguments = bucket.arguments();
		String script = MinimalBucket.SCRIPT.getScriptAsString();
		String sha = connection.sync().scriptLoad(looking ? LOOK + script : script);
		Function<String, RedisFuture<Long>> send = (key) -> {
			String stored = bucket.name(key);
			String[] keys = looking ? new String[] { stored, stored + ":held" } : new String[] { stored };
			return connection.async().evalsha(sha, ScriptOutputType.INTEGER, keys, arguments);
		};
		return new Contender(name, (key) -> reply(send.apply(key)) == 1, send, client::shutdown);
	}

	private static long reply(RedisFuture<Long> future) {
		try {
			return future.get();
		}
		catch (InterruptedException | ExecutionException ex) {
			throw new IllegalStateException(ex);
		}
	}

}
