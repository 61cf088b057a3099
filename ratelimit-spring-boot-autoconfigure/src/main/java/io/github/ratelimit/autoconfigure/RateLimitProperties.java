package io.github.ratelimit.autoconfigure;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.Align;
import io.github.ratelimit.Mode;
import io.github.ratelimit.OnStoreFailure;
import io.github.ratelimit.web.HeaderFormat;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.InitializingBean;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.convert.DurationUnit;

/**
 * Properties of rate limiting.
 *
 * @param enabled Whether annotated methods and requests are limited. The programmatic API
 * works either way.
 * @param store Where calls are counted.
 * @param keyPrefix What every key in Redis begins with.
 * @param verification What a mistake in an annotation or a rule does that is found when
 * the application starts: fail or warn.
 * @param aop How annotated methods are intercepted.
 * @param defaults What holds for rules that do not say.
 * @param rules Rules by name. What is set here overrides the attributes of annotations of
 * the same name, one by one.
 * @param adaptive How the load is measured that adaptive limits follow.
 * @param web How requests are looked at and answered.
 * @param redis How Redis is asked.
 * @param local How calls are counted inside this process.
 * @since 0.1.0
 */
@ConfigurationProperties(prefix = "ratelimit", ignoreUnknownFields = false)
public record RateLimitProperties(@DefaultValue("true") boolean enabled, @DefaultValue("auto") StoreType store,
		@DefaultValue("ratelimit") String keyPrefix, @DefaultValue("fail") Verification verification,
		@DefaultValue Aop aop, @DefaultValue Defaults defaults, @DefaultValue Map<String, Rule> rules,
		@DefaultValue Sampling adaptive, @DefaultValue Web web, @DefaultValue Redis redis,
		@DefaultValue Local local) implements InitializingBean {

	@Override
	public void afterPropertiesSet() {
		PropertyChecks.check(this);
	}

	/**
	 * Place where calls are counted.
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
	 * Effect of a mistake in an annotation or a rule that is found at startup.
	 */
	public enum Verification {

		/**
		 * It ends the start.
		 */
		FAIL,

		/**
		 * It is logged as a warning. Calls of a method whose annotation is invalid fail.
		 */
		WARN

	}

	/**
	 * Interception of annotated methods.
	 *
	 * @param order Order of the limiting advisor. The default comes after method security
	 * and before caching, transactions and retries.
	 */
	public record Aop(@DefaultValue("" + DEFAULT_ORDER) int order) {

		static final int DEFAULT_ORDER = 1000;

	}

	/**
	 * Defaults of rules.
	 *
	 * @param algorithm How calls are counted.
	 * @param onStoreFailure What happens to a call when the store cannot answer.
	 * @param mode What decisions do: enforce, shadow to count and report but never deny,
	 * or off.
	 */
	public record Defaults(@DefaultValue("sliding-log") Algorithm algorithm,
			@DefaultValue("local") OnStoreFailure onStoreFailure, @DefaultValue("enforce") Mode mode) {

	}

	/**
	 * Rule.
	 *
	 * @param key Who or what is counted, as a SpEL expression. Overrides the key of the
	 * annotation.
	 * @param max How many units are admitted per period, from 1 to 1000000000.
	 * @param period The time in which max units are admitted, from 1ms to 366d. If a
	 * duration suffix is not specified, seconds will be used.
	 * @param burst How many units may pass at once, the capacity of a token-bucket, by
	 * default max, or of a leaky-bucket, by default 1.
	 * @param segments Into how many sub-windows a sliding-window cuts the period, from 2
	 * to 100. By default 10.
	 * @param align Where the windows of a fixed-window begin. By default clock.
	 * @param warmUpPeriod How long warm-up takes from cold to warm, up to 30d. By default
	 * 10s, or the period if that is longer. If a duration suffix is not specified,
	 * seconds will be used.
	 * @param coldFactor How many times slower warm-up is when cold, from 2 to 10. By
	 * default 3.
	 * @param minInterval How far apart two admitted calls of a key are at least. By
	 * default they may follow at once. If a duration suffix is not specified, seconds
	 * will be used.
	 * @param countDenied Whether denied calls count too, for sliding-log and
	 * fixed-window. By default false.
	 * @param adaptive How max follows the load of this node. By default it does not.
	 * @param maxWait How long a call may wait instead of being denied. By default it is
	 * denied at once. If a duration suffix is not specified, seconds will be used.
	 * @param algorithm How calls are counted. By default ratelimit.defaults.algorithm.
	 * @param onStoreFailure What happens to a call when the store cannot answer. By
	 * default ratelimit.defaults.on-store-failure.
	 * @param mode What decisions do: enforce, shadow to count and report but never deny,
	 * or off. By default ratelimit.defaults.mode.
	 * @param limits Several limits instead of max and period. All of them hold, decided
	 * together.
	 */
	public record Rule(@Nullable String key, @Nullable Long max,
			@DurationUnit(ChronoUnit.SECONDS) @Nullable Duration period, @Nullable Long burst,
			@Nullable Integer segments, @Nullable Align align,
			@DurationUnit(ChronoUnit.SECONDS) @Nullable Duration warmUpPeriod, @Nullable Integer coldFactor,
			@DurationUnit(ChronoUnit.SECONDS) @Nullable Duration minInterval, @Nullable Boolean countDenied,
			@Nullable AdaptiveProperties adaptive, @DurationUnit(ChronoUnit.SECONDS) @Nullable Duration maxWait,
			@Nullable Algorithm algorithm, @Nullable OnStoreFailure onStoreFailure, @Nullable Mode mode,
			@DefaultValue List<LimitProperties> limits) implements SharedLimitProperties {

	}

	/**
	 * Sampling of the load for adaptive limits.
	 *
	 * @param interval How often signals are read, in the background. If a duration suffix
	 * is not specified, seconds will be used.
	 */
	public record Sampling(@DefaultValue("1s") @DurationUnit(ChronoUnit.SECONDS) Duration interval) {

	}

	/**
	 * Requests and their responses.
	 *
	 * @param headers Which response headers tell the client where it stands.
	 * @param ipv6Prefix How many leading bits of an IPv6 address are counted as one
	 * client, from 1 to 128.
	 * @param order Order of the filter that limits requests by their URL. The default
	 * comes after Spring Security, so that the principal is known.
	 * @param requests Rules that hold for requests by their URL, without an annotation.
	 * All that match a request are decided together.
	 */
	public record Web(@DefaultValue("ietf") HeaderFormat headers, @DefaultValue("64") int ipv6Prefix,
			@DefaultValue("" + DEFAULT_ORDER) int order, @DefaultValue List<Request> requests) {

		static final int DEFAULT_ORDER = -50;

	}

	/**
	 * Rule for requests by their URL.
	 *
	 * @param path Which paths, as a Spring path pattern, behind the context path.
	 * @param methods Which HTTP methods. By default all. GET includes HEAD.
	 * @param rule Name of a rule.
	 * @param key Who or what is counted, as a SpEL expression over the request. By
	 * default the key of the rule, or one counter if it has none.
	 */
	public record Request(@Nullable String path, @DefaultValue Set<HttpMethod> methods, @Nullable String rule,
			@Nullable String key) {

	}

	/**
	 * HTTP method.
	 */
	public enum HttpMethod {

		/** Read. */
		GET,

		/** Read the headers. */
		HEAD,

		/** Add or do something. */
		POST,

		/** Replace. */
		PUT,

		/** Change. */
		PATCH,

		/** Remove. */
		DELETE,

		/** Ask what is possible. */
		OPTIONS,

		/** Send back what was received. */
		TRACE

	}

	/**
	 * Calls of Redis.
	 *
	 * @param timeout How long Redis may take to answer, at most 60s. After that,
	 * on-store-failure decides.
	 * @param fallbackShare The part of each limit that one instance admits by itself
	 * while Redis cannot answer and on-store-failure is local, above 0 and up to 1. With
	 * 4 instances, 0.25 keeps all of them together within the limits.
	 * @param batching Whether calls that come while others are on their way to Redis
	 * follow together, as one script call. Nobody waits for others to come, and each call
	 * gets the answer that it would get alone.
	 * @param maxPending How many calls of this instance wait for an answer of Redis at
	 * most. Beyond that, on-store-failure decides at once.
	 * @param denyCache How denials are remembered, so that Redis need not be asked.
	 */
	public record Redis(@DefaultValue("100ms") Duration timeout, @DefaultValue("1") double fallbackShare,
			@DefaultValue("true") boolean batching, @DefaultValue("10000") int maxPending,
			@DefaultValue DenyCache denyCache) {

	}

	/**
	 * Cache of denials, which saves calls of Redis.
	 *
	 * @param enabled Whether a call that was denied is denied inside this process until
	 * it may be admitted.
	 * @param maxSize How many denials are remembered. Beyond that, others are not, until
	 * some of these hold no more.
	 * @param maxTtl How long a denial is remembered at most. What other instances reset
	 * or give back is seen after that time. If a duration suffix is not specified,
	 * seconds will be used.
	 */
	public record DenyCache(@DefaultValue("true") boolean enabled, @DefaultValue("10000") long maxSize,
			@DefaultValue("1s") @DurationUnit(ChronoUnit.SECONDS) Duration maxTtl) {

	}

	/**
	 * Counters inside this process.
	 *
	 * @param maxKeys How many keys are counted at once. Beyond that, the least used ones
	 * of the rule with the most keys are forgotten.
	 */
	public record Local(@DefaultValue("100000") long maxKeys) {

	}

}
