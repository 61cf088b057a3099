package io.github.ratelimit.benchmarks.peer;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import com.zaxxer.hikari.HikariDataSource;
import io.github.bucket4j.Bucket;
import io.github.bucket4j.BucketConfiguration;
import io.github.bucket4j.distributed.jdbc.AbstractJdbcProxyManagerBuilder;
import io.github.bucket4j.distributed.proxy.ProxyManager;
import io.github.bucket4j.distributed.proxy.optimization.Optimizations;
import io.github.bucket4j.postgresql.Bucket4jPostgreSQL;
import io.github.ratelimit.benchmarks.measure.Contender;
import io.github.ratelimit.benchmarks.measure.Quota;

/**
 * bucket4j in PostgreSQL, with the table and the numeric keys of its documentation. As
 * that says, a bucket is kept if the batching optimization is used, and otherwise created
 * for each call.
 */
final class Bucket4jInDatabase implements Contender {

	static final String SELECT_FOR_UPDATE = "bucket4j";

	static final String ADVISORY_LOCK = "bucket4j with advisory locks";

	static final String BATCHING = "bucket4j with its batching";

	private final String name;

	private final HikariDataSource pool;

	private final ProxyManager<Long> proxies;

	private final BucketConfiguration configuration;

	private final Map<Long, Bucket> kept = new ConcurrentHashMap<>();

	Bucket4jInDatabase(String name, Database database, Quota quota) {
		this.name = name;
		this.pool = database.pool();
		String table = "bucket_" + name.replace(' ', '_') + "_" + quota.max();
		Database.execute(this.pool, "create table " + table
				+ " (id bigint primary key, state bytea, expires_at bigint, " + "explicit_lock bigint)");
		AbstractJdbcProxyManagerBuilder<Long, ? extends ProxyManager<Long>, ?> builder = name.equals(ADVISORY_LOCK)
				? Bucket4jPostgreSQL.advisoryLockBasedBuilder(this.pool)
				: Bucket4jPostgreSQL.selectForUpdateBasedBuilder(this.pool);
		builder.table(table);
		this.proxies = builder.build();
		this.configuration = BucketConfiguration.builder().addLimit(Bucket4j.bandwidth(quota)).build();
	}

	@Override
	public String name() {
		return this.name;
	}

	@Override
	public boolean tryAcquire(String key) {
		return bucket(Long.valueOf(key.substring(key.indexOf('-') + 1))).tryConsume(1);
	}

	private Bucket bucket(Long key) {
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
	public boolean isAsync() {
		return false;
	}

	@Override
	public void close() {
		this.pool.close();
	}

}
