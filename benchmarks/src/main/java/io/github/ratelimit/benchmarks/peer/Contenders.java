package io.github.ratelimit.benchmarks.peer;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.function.Supplier;

import com.zaxxer.hikari.HikariDataSource;
import io.github.bucket4j.postgresql.Bucket4jPostgreSQL;
import io.github.bucket4j.redis.lettuce.Bucket4jLettuce;
import io.github.ratelimit.benchmarks.measure.Contender;
import io.github.ratelimit.benchmarks.measure.Machine;
import io.github.ratelimit.benchmarks.measure.Quota;
import io.github.ratelimit.redis.process.RedisProcess;
import io.lettuce.core.RedisClient;
import org.postgresql.Driver;
import org.redisson.Redisson;

import org.springframework.cloud.gateway.filter.ratelimit.RedisRateLimiter;
import org.springframework.data.redis.core.StringRedisTemplate;

/**
 * Contenders that decide over Redis.
 */
public final class Contenders {

	/**
	 * Name of this library in tables.
	 */
	public static final String OURS = "**this library**";

	/**
	 * Name of the baseline.
	 */
	public static final String PLAIN = "plain Lettuce, minimal bucket";

	/**
	 * Name of the peer that counts in a database.
	 */
	public static final String BUCKET4J = Bucket4j.NAME;

	private static final List<Variant> VARIANTS = List.of(
			new Variant("with prefetch of 20 ms", "ratelimit.rules." + Application.RULE + ".prefetch", "20ms"),
			new Variant("without batching", "ratelimit.redis.batching", false),
			new Variant("without deny cache", "ratelimit.redis.deny-cache.enabled", false),
			new Variant("with denials known for 10 s", "ratelimit.redis.deny-cache.max-ttl", "10s"));

	private Contenders() {
	}

	/**
	 * Return the selected contenders, in the order of tables.
	 * @param denials whether calls are denied, so that variants with other deny caches
	 * are included
	 * @param wanted selects contenders by name
	 */
	public static List<Contender> all(RedisProcess redis, Quota quota, boolean denials, Predicate<String> wanted) {
		Map<String, Supplier<Contender>> all = new LinkedHashMap<>();
		all.put(OURS, () -> ours(redis, quota, OURS, Map.of()));
		for (Variant variant : VARIANTS) {
			if (denials || !variant.property.contains("deny")) {
				String name = "this library " + variant.label;
				all.put(name, () -> ours(redis, quota, name, Map.of(variant.property, variant.value)));
			}
		}
		for (String name : List.of(PLAIN, MinimalBucket.LOOKING)) {
			all.put(name, () -> MinimalBucket.onLettuce(name, redis, quota));
		}
		if (denials) {
			all.put(MinimalBucket.REMEMBERING,
					() -> MinimalBucket.rememberingDenials(MinimalBucket.onLettuce(PLAIN, redis, quota)));
		}
		all.put(MinimalBucket.BY_TEMPLATE, () -> MinimalBucket.byTemplate(redis, quota));
		for (String name : List.of(Bucket4j.NAME, Bucket4j.BATCHING)) {
			all.put(name, () -> Bucket4j.overRedis(name, redis, quota));
		}
		all.put(RedissonLimiter.NAME, () -> RedissonLimiter.contender(redis, quota));
		all.put(Gateway.NAME, () -> Gateway.contender(redis, quota));
		return selected(all, wanted);
	}

	/**
	 * Return the selected contenders whose keys come under different plans.
	 * @param keys the number of keys
	 */
	public static List<Contender> underPlans(RedisProcess redis, Quota quota, int keys, Predicate<String> wanted) {
		Map<String, Supplier<Contender>> all = new LinkedHashMap<>();
		all.put(ThisLibrary.THREE_PLANS, () -> ThisLibrary.underThreePlans(redis, quota));
		all.put(ThisLibrary.OWN_LIMITS, () -> ThisLibrary.withOwnLimits(redis, quota, keys));
		return selected(all, wanted);
	}

	/**
	 * Return the selected contenders that count in a database. This library takes as many
	 * of its connections as by default.
	 */
	public static List<Contender> inDatabase(Database database, Quota quota, Predicate<String> wanted) {
		Map<String, Supplier<Contender>> all = new LinkedHashMap<>();
		Map<String, Object> rule = Application.rule("token-bucket", quota);
		Map<String, Object> properties = Map.of("ratelimit.key-prefix", "lane" + quota.max());
		all.put(OURS, () -> ThisLibrary.contender(OURS, Application.database(database, rule, properties)));
		for (String name : List.of(Bucket4j.NAME, Bucket4j.ADVISORY_LOCK, Bucket4j.BATCHING)) {
			all.put(name, () -> Bucket4j.inDatabase(name, database, quota));
		}
		return selected(all, wanted);
	}

	private static List<Contender> selected(Map<String, Supplier<Contender>> all, Predicate<String> wanted) {
		all.keySet().removeIf(wanted.negate());
		return all.values().stream().map(Supplier::get).toList();
	}

	private static Contender ours(RedisProcess redis, Quota quota, String name, Map<String, Object> properties) {
		return ours(redis, quota, name, "token-bucket", properties);
	}

	/**
	 * Return this library with an algorithm. The others wait longer for Redis by default,
	 * so its timeout is raised: calls given up on a busy machine would distort the
	 * result.
	 */
	public static Contender ours(RedisProcess redis, Quota quota, String name, String algorithm,
			Map<String, Object> properties) {
		Map<String, Object> all = new HashMap<>(properties);
		if (!properties.isEmpty()) {
			all.put("ratelimit.key-prefix", "ratelimit" + properties.keySet().hashCode());
		}
		all.put("ratelimit.redis.timeout", "5s");
		return ThisLibrary.contender(name, Application.redis(redis, Application.rule(algorithm, quota), all));
	}

	/**
	 * Return the versions of the contenders.
	 */
	public static String versions() {
		return Machine.versions(RedisClient.class, StringRedisTemplate.class, Bucket4jLettuce.class, Redisson.class,
				RedisRateLimiter.class);
	}

	/**
	 * Return the versions of the contenders that count in a database.
	 */
	public static String versionsInDatabase() {
		return Machine.versions(Driver.class, HikariDataSource.class, Bucket4jPostgreSQL.class);
	}

	/**
	 * Variant of this library with one changed property.
	 */
	private record Variant(String label, String property, Object value) {

	}

}
