package io.github.ratelimit.sample;

import java.util.stream.Stream;

import io.github.ratelimit.redis.process.RedisProcess;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.ApplicationRunner;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails.Standalone;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Condition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Profile;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotatedTypeMetadata;

/**
 * Redis server of the sample, started when none is configured, so that the sample runs
 * with nothing installed. Your application does not need this class: set
 * {@code spring.data.redis.host}, which disables it here, too.
 */
@Configuration(proxyBeanMethods = false)
@Profile("!jdbc")
class SampleRedis {

	private static final Logger logger = LoggerFactory.getLogger(SampleRedis.class);

	/**
	 * Start a real redis-server. Spring stops it by its {@code close} method when the
	 * application ends.
	 */
	@Bean
	@Conditional(NoRedisConfigured.class)
	RedisProcess redisProcess() {
		return RedisProcess.start();
	}

	@Bean
	@Conditional(NoRedisConfigured.class)
	DataRedisConnectionDetails redisProcessConnectionDetails(RedisProcess redis) {
		return new DataRedisConnectionDetails() {

			@Override
			public Standalone getStandalone() {
				return Standalone.of(redis.host(), redis.port());
			}

		};
	}

	@Bean
	ApplicationRunner redisAnnouncement(ObjectProvider<RedisProcess> own, DataRedisConnectionDetails configured) {
		return (arguments) -> {
			RedisProcess redis = own.getIfAvailable();
			if (redis != null) {
				logger.info("No Redis is configured: counting in {}, which ends with this application", redis);
			}
			else {
				logger.info("Counting in the configured {}", describe(configured));
			}
		};
	}

	private static String describe(DataRedisConnectionDetails redis) {
		if (redis.getCluster() != null) {
			return "Redis Cluster " + redis.getCluster().getNodes();
		}
		if (redis.getSentinel() != null) {
			return "Redis " + redis.getSentinel().getMaster() + " of Sentinel " + redis.getSentinel().getNodes();
		}
		if (redis.getMasterReplica() != null) {
			return "Redis master and replicas " + redis.getMasterReplica().getNodes();
		}
		Standalone server = redis.getStandalone();
		return "Redis on " + server.getHost() + ":" + server.getPort();
	}

	/**
	 * Condition that matches when no property names a server.
	 */
	static class NoRedisConfigured implements Condition {

		@Override
		public boolean matches(ConditionContext context, AnnotatedTypeMetadata metadata) {
			return Stream.of("host", "port", "url", "sentinel.nodes", "cluster.nodes", "masterreplica.nodes")
				.noneMatch((name) -> isSet("spring.data.redis." + name, context.getEnvironment()));
		}

		private static boolean isSet(String property, Environment environment) {
			return Binder.get(environment).bind(property, Bindable.listOf(String.class)).isBound();
		}

	}

}
