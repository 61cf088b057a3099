package io.github.ratelimit.migration.bucket4j;

import java.time.Duration;

import io.github.bucket4j.distributed.ExpirationAfterWriteStrategy;
import io.github.bucket4j.distributed.proxy.ProxyManager;
import io.github.bucket4j.redis.lettuce.Bucket4jLettuce;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.codec.RedisCodec;
import io.lettuce.core.codec.StringCodec;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * Connection of bucket4j to Redis.
 */
@Configuration(proxyBeanMethods = false)
class Buckets {

	@Bean
	RedisClient redisClient(@Value("${spring.data.redis.host}") String host,
			@Value("${spring.data.redis.port}") int port) {
		return RedisClient.create(RedisURI.create(host, port));
	}

	@Bean
	ProxyManager<String> buckets(RedisClient redisClient) {
		return Bucket4jLettuce
			.casBasedBuilder(redisClient.connect(RedisCodec.of(StringCodec.UTF8, ByteArrayCodec.INSTANCE)))
			.expirationAfterWrite(
					ExpirationAfterWriteStrategy.basedOnTimeForRefillingBucketUpToMax(Duration.ofMinutes(1)))
			.build();
	}

}
