package io.github.ratelimit.autoconfigure;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.OnStoreFailure;
import io.github.ratelimit.web.HeaderFormat;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.convert.DurationUnit;

/**
 * Properties of rate limiting.
 *
 * @param enabled Whether annotated methods are limited. The programmatic API works either
 * way.
 * @param store Where calls are counted.
 * @param keyPrefix What every key in Redis begins with.
 * @param aop How annotated methods are intercepted.
 * @param defaults What holds for rules that do not say.
 * @param rules Rules by name. What is set here overrides the attributes of annotations of
 * the same name, one by one.
 * @param web How requests are looked at and answered.
 * @param redis How Redis is asked.
 * @param local How calls are counted inside this process.
 * @since 0.1.0
 */
@ConfigurationProperties(prefix = "ratelimit", ignoreUnknownFields = false)
public record RateLimitProperties(@DefaultValue("true") boolean enabled, @DefaultValue("auto") StoreType store,
		@DefaultValue("ratelimit") String keyPrefix, @DefaultValue Aop aop, @DefaultValue Defaults defaults,
		@DefaultValue Map<String, Rule> rules, @DefaultValue Web web, @DefaultValue Redis redis,
		@DefaultValue Local local) {

	/**
	 * Where calls are counted.
	 */
	public enum StoreType {

		/**
		 * In Redis when a RedisConnectionFactory exists, else inside this process.
		 */
		AUTO,

		/**
		 * In Redis, shared by all instances.
		 */
		REDIS,

		/**
		 * Inside this process.
		 */
		LOCAL

	}

	/**
	 * How annotated methods are intercepted.
	 *
	 * @param order Order of the limiting advisor. The default comes after method security
	 * and before caching, transactions and retries.
	 */
	public record Aop(@DefaultValue("" + DEFAULT_ORDER) int order) {

		static final int DEFAULT_ORDER = 1000;

	}

	/**
	 * What holds for rules that do not say.
	 *
	 * @param algorithm How calls are counted.
	 * @param onStoreFailure What happens to a call when the store cannot answer.
	 */
	public record Defaults(@DefaultValue("sliding-log") Algorithm algorithm,
			@DefaultValue("local") OnStoreFailure onStoreFailure) {

	}

	/**
	 * A rule.
	 *
	 * @param key Who or what is counted, as a SpEL expression. Overrides the key of the
	 * annotation.
	 * @param max How many units are admitted per period, from 1 to 1000000000.
	 * @param period The time in which max units are admitted, from 1ms to 366d. If a
	 * duration suffix is not specified, seconds will be used.
	 * @param burst How many units may pass at once, the capacity of a token-bucket. By
	 * default max.
	 * @param algorithm How calls are counted. By default ratelimit.defaults.algorithm.
	 * @param onStoreFailure What happens to a call when the store cannot answer. By
	 * default ratelimit.defaults.on-store-failure.
	 * @param limits Several limits instead of max and period. All of them hold, decided
	 * together.
	 */
	public record Rule(@Nullable String key, @Nullable Long max,
			@DurationUnit(ChronoUnit.SECONDS) @Nullable Duration period, @Nullable Long burst,
			@Nullable Algorithm algorithm, @Nullable OnStoreFailure onStoreFailure, @DefaultValue List<Limit> limits) {

	}

	/**
	 * One of several limits of a rule.
	 *
	 * @param name Name of the limit among those of its rule.
	 * @param max How many units are admitted per period, from 1 to 1000000000.
	 * @param period The time in which max units are admitted, from 1ms to 366d. If a
	 * duration suffix is not specified, seconds will be used.
	 * @param burst How many units may pass at once, the capacity of a token-bucket. By
	 * default that of the rule, else max.
	 * @param algorithm How calls are counted. By default that of the rule.
	 */
	public record Limit(@Nullable String name, @Nullable Long max,
			@DurationUnit(ChronoUnit.SECONDS) @Nullable Duration period, @Nullable Long burst,
			@Nullable Algorithm algorithm) {

	}

	/**
	 * How requests are looked at and answered.
	 *
	 * @param headers Which response headers tell the client where it stands.
	 * @param ipv6Prefix How many leading bits of an IPv6 address are counted as one
	 * client, from 1 to 128.
	 */
	public record Web(@DefaultValue("ietf") HeaderFormat headers, @DefaultValue("64") int ipv6Prefix) {

	}

	/**
	 * How Redis is asked.
	 *
	 * @param timeout How long Redis may take to answer. After that, on-store-failure
	 * decides.
	 */
	public record Redis(@DefaultValue("100ms") Duration timeout) {

	}

	/**
	 * How calls are counted inside this process.
	 *
	 * @param maxKeys How many keys are counted at once. Beyond that, the least used ones
	 * are forgotten.
	 */
	public record Local(@DefaultValue("100000") long maxKeys) {

	}

}
