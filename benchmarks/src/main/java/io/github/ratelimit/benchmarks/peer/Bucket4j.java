package io.github.ratelimit.benchmarks.peer;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;

import io.github.bucket4j.Bandwidth;
import io.github.bucket4j.Bucket;
import io.github.bucket4j.BucketConfiguration;
import io.github.bucket4j.distributed.ExpirationAfterWriteStrategy;
import io.github.bucket4j.distributed.proxy.ProxyManager;
import io.github.bucket4j.distributed.proxy.optimization.Optimizations;
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
 * bucket4j on Lettuce. As its documentation says, a bucket is kept if the batching
 * optimization is used, and otherwise created for each call.
 */
final class Bucket4j implements Contender {

	static final String NAME = "bucket4j";

	static final String BATCHING = "bucket4j with its batching";

	private final RedisClient client;

	private final ProxyManager<String> proxies;

	private final BucketConfiguration configuration;

	private final boolean batching;

	private final Map<String, Bucket> kept = new ConcurrentHashMap<>();

	Bucket4j(RedisProcess redis, Quota quota, boolean batching) {
		this.client = RedisClient.create(RedisURI.create(redis.host(), redis.port()));
		this.proxies = Bucket4jLettuce
			.casBasedBuilder(this.client.connect(RedisCodec.of(StringCodec.UTF8, ByteArrayCodec.INSTANCE)))
			.expirationAfterWrite(
					ExpirationAfterWriteStrategy.basedOnTimeForRefillingBucketUpToMax(Duration.ofSeconds(1)))
			.build();
		this.configuration = BucketConfiguration.builder().addLimit(bandwidth(quota)).build();
		this.batching = batching;
	}

	static Bandwidth bandwidth(Quota quota) {
		return Bandwidth.builder().capacity(quota.max()).refillGreedy(quota.max(), quota.period()).build();
	}

	@Override
	public String name() {
		return this.batching ? BATCHING : NAME;
	}

	@Override
	public boolean tryAcquire(String key) {
		return bucket(key).tryConsume(1);
	}

	private Bucket bucket(String key) {
		if (!this.batching) {
			return this.proxies.builder().build("bucket4j:" + key, () -> this.configuration);
		}
		Bucket bucket = this.kept.get(key);
		return (bucket != null) ? bucket
				: this.kept.computeIfAbsent(key,
						(unknown) -> this.proxies.builder()
							.withOptimization(Optimizations.batching())
							.build("batching:" + key, () -> this.configuration));
	}

	@Override
	public CompletionStage<?> tryAcquireAsync(String key) {
		return this.proxies.asAsync()
			.builder()
			.build("bucket4j:" + key, () -> CompletableFuture.completedFuture(this.configuration))
			.tryConsume(1);
	}

	@Override
	public boolean isAsync() {
		return !this.batching;
	}

	@Override
	public void close() {
		this.client.shutdown();
	}

}
