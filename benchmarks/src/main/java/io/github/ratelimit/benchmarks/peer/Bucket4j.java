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
 *
 * @param <K> the type of the keys of buckets
 */
final class Bucket4j<K> implements Contender {

	static final String NAME = "bucket4j";

	static final String BATCHING = "bucket4j with its batching";

	static final String ADVISORY_LOCK = "bucket4j with advisory locks";

	private final String name;

	private final ProxyManager<K> proxies;

	private final Function<String, K> keys;

	private final BucketConfiguration configuration;

	private final boolean async;

	private final Runnable end;

	private final Map<K, Bucket> kept = new ConcurrentHashMap<>();

	private Bucket4j(String name, ProxyManager<K> proxies, Function<String, K> keys, Quota quota, boolean async,
			Runnable end) {
		this.name = name;
		this.proxies = proxies;
		this.keys = keys;
		this.configuration = BucketConfiguration.builder().addLimit(bandwidth(quota)).build();
		this.async = async;
		this.end = end;
	}

	static Bucket4j<String> overRedis(String name, RedisProcess redis, Quota quota) {
		RedisClient client = RedisClient.create(RedisURI.create(redis.host(), redis.port()));
		ProxyManager<String> proxies = Bucket4jLettuce
			.casBasedBuilder(client.connect(RedisCodec.of(StringCodec.UTF8, ByteArrayCodec.INSTANCE)))
			.expirationAfterWrite(
					ExpirationAfterWriteStrategy.basedOnTimeForRefillingBucketUpToMax(Duration.ofSeconds(1)))
			.build();
		String prefix = name.equals(BATCHING) ? "batching:" : "bucket4j:";
		return new Bucket4j<>(name, proxies, (key) -> prefix + key, quota, !name.equals(BATCHING), client::shutdown);
	}

	static Bucket4j<Long> inDatabase(String name, Database database, Quota quota) {
		HikariDataSource pool = database.pool();
		String table = "bucket_" + name.replace(' ', '_') + "_" + quota.max();
		Database.execute(pool, "create table " + table
				+ " (id bigint primary key, state bytea, expires_at bigint, " + "explicit_lock bigint)");
		AbstractJdbcProxyManagerBuilder<Long, ? extends ProxyManager<Long>, ?> builder = name.equals(ADVISORY_LOCK)
				? Bucket4jPostgreSQL.advisoryLockBasedBuilder(pool)
				: Bucket4jPostgreSQL.selectForUpdateBasedBuilder(pool);
		builder.table(table);
		ProxyManager<Long> proxies = builder.build();
		return new Bucket4j<>(name, proxies, (key) -> Long.valueOf(key.substring(key.indexOf('-') + 1)), quota, false,
				pool::close);
	}

	static Bandwidth bandwidth(Quota quota) {
		return Bandwidth.builder().capacity(quota.max()).refillGreedy(quota.max(), quota.period()).build();
	}

	@Override
	public String name() {
		return this.name;
	}

	@Override
	public boolean tryAcquire(String key) {
		return bucket(this.keys.apply(key)).tryConsume(1);
	}

	private Bucket bucket(K key) {
		if (!this.name.equals(BATCHING)) {
			return this.proxies.builder().build(key, () -> this.configuration);
		}
		Bucket bucket = this.kept.get(key);
		return (bucket != null) ? bucket
				: this.kept.computeIfAbsent(key,
						(unknown) -> this.proxies.builder()
							.withOptimization(Optimizations.batching())
							.build(key, () -> this.configuration));
	}

	@Override
	public CompletionStage<?> tryAcquireAsync(String key) {
		return this.proxies.asAsync()
			.builder()
			.build(this.keys.apply(key), () -> CompletableFuture.completedFuture(this.configuration))
			.tryConsume(1);
	}

	@Override
	public boolean isAsync() {
		return this.async;
	}

	@Override
	public void close() {
		this.end.run();
	}

}
