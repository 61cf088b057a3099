package io.github.ratelimit.benchmarks.peer;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

import com.zaxxer.hikari.HikariDataSource;
import io.github.bucket4j.Bandwidth;
import io.github.bucket4j.Bucket;
import io.github.bucket4j.BucketConfiguration;
import io.github.bucket4j.distributed.ExpirationAfterWriteStrategy;
import io.github.bucket4j.distributed.jdbc.AbstractJdbcProxyManagerBuilder;
import io.github.bucket4j.distributed.proxy.ProxyManager;
import io.github.bucket4j.distributed.proxy.optimization.Optimizations;
import io.github.bucket4j.postgresql.Bucket4jPostgreSQL;
import io.github.bucket4j.redis.lettuce.Bucket4jLettuce;
import io.github.ratelimit.benchmarks.measure.Contender;
import io.github.ratelimit.benchmarks.measure.Quota;
import io.github.ratelimit.redis.process.RedisProcess;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.codec.RedisCodec;
import io.lettuce.core.codec.StringCodec;

/**
 * bucket4j on Lettuce, or in PostgreSQL with the table and the numeric keys of its
 * documentation. As that says, a bucket is kept if the batching optimization is used, and
 * otherwise created for each call.
 */
final class Bucket4j {

	static final String NAME = "bucket4j";

	static final String BATCHING = "bucket4j with its batching";

	static final String ADVISORY_LOCK = "bucket4j with advisory locks";

	private Bucket4j() {
	}

	static Contender overRedis(String name, RedisProcess redis, Quota quota) {
		RedisClient client = RedisClient.create(RedisURI.create(redis.host(), redis.port()));
		ProxyManager<String> proxies = Bucket4jLettuce
			.casBasedBuilder(client.connect(RedisCodec.of(StringCodec.UTF8, ByteArrayCodec.INSTANCE)))
			.expirationAfterWrite(
					ExpirationAfterWriteStrategy.basedOnTimeForRefillingBucketUpToMax(Duration.ofSeconds(1)))
			.build();
		boolean batching = name.equals(BATCHING);
		String prefix = batching ? "batching:" : "bucket4j:";
		BucketConfiguration configuration = configuration(quota);
		Function<String, Bucket> buckets = buckets(proxies, configuration, batching);
		Function<String, CompletionStage<?>> async = (key) -> proxies.asAsync()
			.builder()
			.build(prefix + key, () -> CompletableFuture.completedFuture(configuration))
			.tryConsume(1);
		return new Contender(name, (key) -> buckets.apply(prefix + key).tryConsume(1), batching ? null : async,
				client::shutdown);
	}

	static Contender inDatabase(String name, Database database, Quota quota) {
		HikariDataSource pool = database.pool();
		String table = "bucket_" + name.replace(' ', '_') + "_" + quota.max();
		Database.execute(pool, "create table " + table + " (id bigint primary key, state bytea, expires_at bigint, "
				+ "explicit_lock bigint)");
		AbstractJdbcProxyManagerBuilder<Long, ? extends ProxyManager<Long>, ?> builder = name.equals(ADVISORY_LOCK)
				? Bucket4jPostgreSQL.advisoryLockBasedBuilder(pool)
				: Bucket4jPostgreSQL.selectForUpdateBasedBuilder(pool);
		builder.table(table);
		Function<Long, Bucket> buckets = buckets(builder.build(), configuration(quota), name.equals(BATCHING));
		return new Contender(name,
				(key) -> buckets.apply(Long.valueOf(key.substring(key.indexOf('-') + 1))).tryConsume(1), null,
				pool::close);
	}

	private static BucketConfiguration configuration(Quota quota) {
		return BucketConfiguration.builder().addLimit(bandwidth(quota)).build();
	}

	static Bandwidth bandwidth(Quota quota) {
		return Bandwidth.builder().capacity(quota.max()).refillGreedy(quota.max(), quota.period()).build();
	}

	private static <K> Function<K, Bucket> buckets(ProxyManager<K> proxies, BucketConfiguration configuration,
			boolean batching) {
		if (!batching) {
			return (key) -> proxies.builder().build(key, () -> configuration);
		}
		Map<K, Bucket> kept = new ConcurrentHashMap<>();
		return (key) -> {
			Bucket bucket = kept.get(key);
			return (bucket != null) ? bucket
					: kept.computeIfAbsent(key,
							(unknown) -> proxies.builder()
								.withOptimization(Optimizations.batching())
								.build(key, () -> configuration));
		};
	}

}
