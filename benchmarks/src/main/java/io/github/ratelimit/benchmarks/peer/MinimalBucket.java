package io.github.ratelimit.benchmarks.peer;

import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

import io.github.ratelimit.benchmarks.measure.Contender;
import io.github.ratelimit.benchmarks.measure.Quota;
import io.github.ratelimit.redis.process.RedisProcess;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.RedisURI;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.StatefulRedisConnection;

import org.springframework.core.io.ClassPathResource;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.data.redis.core.script.DefaultRedisScript;
import org.springframework.data.redis.core.script.RedisScript;

/**
 * Least that a bucket in Redis costs: a script of eight lines with one {@code GET} and
 * one {@code SET}. It decides one call by one bucket, in floating point, and answers yes
 * or no.
 */
final class MinimalBucket {

	static final String LOOKING = Contenders.PLAIN + " and an `EXISTS`";

	static final String REMEMBERING = Contenders.PLAIN + ", denials in a `ConcurrentHashMap`";

	static final String BY_TEMPLATE = "the same through `StringRedisTemplate`";

	private static final RedisScript<Long> SCRIPT = script();

	private static final String LOOK = "if redis.call('EXISTS', KEYS[2]) == 1 then return 0 end\n";

	private static final long KEPT_NANOS = TimeUnit.SECONDS.toNanos(1);

	private MinimalBucket() {
	}

	private static RedisScript<Long> script() {
		DefaultRedisScript<Long> script = new DefaultRedisScript<>();
		script.setLocation(new ClassPathResource("minimal-bucket.lua"));
		script.setResultType(Long.class);
		return RedisScript.of(script.getScriptAsString(), Long.class);
	}

	private static String[] arguments(Quota quota) {
		double micros = quota.period().toNanos() / 1e3;
		return new String[] { String.valueOf(micros / quota.max()), String.valueOf(micros) };
	}

	/**
	 * Create a bucket per key on plain Lettuce, over one connection. It may also look for
	 * a second key in each call, which is the least that a rule with {@code prefetch}
	 * asks of Redis: whether an instance holds units.
	 * @param name {@link Contenders#PLAIN} or {@link #LOOKING}
	 */
	static Contender onLettuce(String name, RedisProcess redis, Quota quota) {
		RedisClient client = RedisClient.create(RedisURI.create(redis.host(), redis.port()));
		StatefulRedisConnection<String, String> connection = client.connect();
		boolean looking = name.equals(LOOKING);
		String[] arguments = arguments(quota);
		String script = SCRIPT.getScriptAsString();
		String sha = connection.sync().scriptLoad(looking ? LOOK + script : script);
		Function<String, RedisFuture<Long>> send = (key) -> {
			String[] keys = looking ? new String[] { "looking:" + key, "looking:" + key + ":held" }
					: new String[] { "minimal:" + key };
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

	/**
	 * Create a bucket per key by {@link StringRedisTemplate}.
	 */
	static Contender byTemplate(RedisProcess redis, Quota quota) {
		LettuceConnectionFactory connections = Connections.to(redis);
		StringRedisTemplate template = new StringRedisTemplate(connections);
		Object[] arguments = arguments(quota);
		return new Contender(BY_TEMPLATE, (key) -> template.execute(SCRIPT, List.of("template:" + key), arguments) == 1,
				null, connections::destroy);
	}

	/**
	 * Return the least that remembered denials cost: a denial is kept for a second in an
	 * unbounded map, and other calls are decided by the bucket.
	 */
	static Contender rememberingDenials(Contender bucket) {
		ConcurrentMap<String, Long> ends = new ConcurrentHashMap<>();
		return new Contender(REMEMBERING, (key) -> {
			long now = System.nanoTime();
			Long end = ends.get(key);
			if (end != null && end - now > 0) {
				return false;
			}
			boolean allowed = bucket.tryAcquire(key);
			if (!allowed) {
				ends.put(key, now + KEPT_NANOS);
			}
			return allowed;
		}, bucket::tryAcquireAsync, bucket::close);
	}

}
