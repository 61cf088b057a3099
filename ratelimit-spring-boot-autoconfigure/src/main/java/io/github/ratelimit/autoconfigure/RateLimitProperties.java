package io.github.ratelimit.autoconfigure;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.Mode;
import io.github.ratelimit.OnStoreFailure;
import io.github.ratelimit.store.redis.RedisSharding;
import io.github.ratelimit.web.HeaderFormat;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.InitializingBean;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.convert.DurationUnit;
import org.springframework.core.convert.ConversionException;
import org.springframework.core.env.Environment;

/**
 * Properties of rate limiting.
 *
 * @param enabled Whether to limit annotated methods and requests. Does not affect the
 * programmatic API.
 * @param store Store that counts calls.
 * @param keyPrefix Prefix of all keys in Redis or the database, without braces.
 * @param verification Effect of an invalid annotation or rule found at startup: fail or
 * warn.
 * @param aop Interception of annotated methods.
 * @param defaults Defaults for settings that a rule does not specify.
 * @param rules Rules by name. Properties set here override the attributes of annotations
 * with the same rule name, one by one.
 * @param adaptive Load measurement for adaptive limits.
 * @param web Limits of requests and headers of responses.
 * @param client Limits of outgoing requests.
 * @param grpc Limits of gRPC calls.
 * @param redis Access to Redis.
 * @param local Counters inside this process.
 * @param top Record of the keys with most denials, which the endpoint shows.
 * @since 0.1.0
 */
@ConfigurationProperties(prefix = "ratelimit", ignoreUnknownFields = false)
public record RateLimitProperties(@DefaultValue("true") boolean enabled, @DefaultValue("auto") StoreType store,
		@DefaultValue("ratelimit") String keyPrefix, @DefaultValue("fail") Verification verification,
		@DefaultValue Aop aop, @DefaultValue Defaults defaults, @DefaultValue Map<String, RuleProperties> rules,
		@DefaultValue Sampling adaptive, @DefaultValue Web web, @DefaultValue Client client, @DefaultValue Grpc grpc,
		@DefaultValue Redis redis, @DefaultValue Local local, @DefaultValue Top top) implements InitializingBean {

	@Override
	public void afterPropertiesSet() {
		PropertyChecks.check(this);
	}

	/**
	 * Read a property before all are bound. A value of another type is refused then, with
	 * its place and a remedy.
	 */
	static <T> T beforeBinding(Environment environment, String name, Class<T> type, T byDefault) {
		try {
			return environment.getProperty(name, type, byDefault);
		}
		catch (ConversionException ex) {
			return byDefault;
		}
	}

	/** Store that counts calls. */
	public enum StoreType {

		/**
		 * Redis if a RedisConnectionFactory exists, otherwise the memory of this process.
		 */
		AUTO,

		/** Redis, shared by all instances. */
		REDIS,

		/** A table of the application's database, shared by all instances. */
		JDBC,

		/** Memory of this process. */
		LOCAL

	}

	/** Effect of an invalid annotation or rule found at startup. */
	public enum Verification {

		/** Startup fails. */
		FAIL,

		/**
		 * A warning is logged. Calls of invalid methods, gateway routes and chat advisors
		 * fail; entries for requests with a mistake limit nothing.
		 */
		WARN;

		/** Return whether mistakes are only logged, before properties are bound. */
		static boolean onlyWarns(Environment environment) {
			return WARN.name().equalsIgnoreCase(environment.getProperty("ratelimit.verification"));
		}

	}

	/**
	 * Interception of annotated methods.
	 *
	 * @param order Order of the limiting advisor. The default places it after method
	 * security and before caching, transactions and retries.
	 */
	public record Aop(@DefaultValue("" + DEFAULT_ORDER) int order) {

		static final int DEFAULT_ORDER = 1000;

	}

	/**
	 * Defaults of rules.
	 *
	 * @param algorithm Counting algorithm.
	 * @param onStoreFailure Policy for calls while the store is unavailable.
	 * @param mode Effect of decisions: enforce, shadow to count and report but never
	 * deny, or off.
	 */
	public record Defaults(@DefaultValue("sliding-log") Algorithm algorithm,
			@DefaultValue("local") OnStoreFailure onStoreFailure, @DefaultValue("enforce") Mode mode) {

	}

	/**
	 * Sampling of the load for adaptive limits.
	 *
	 * @param interval Interval at which load signals are read in the background. If a
	 * duration suffix is not specified, seconds will be used.
	 */
	public record Sampling(@DefaultValue("1s") @DurationUnit(ChronoUnit.SECONDS) Duration interval) {

	}

	/**
	 * Limits of requests and headers of responses.
	 *
	 * @param headers Formats of the response headers that show the limits of a request.
	 * @param ipv6Prefix Number of leading bits of an IPv6 address that identify a client,
	 * from 1 to 128.
	 * @param order Order of the filter that limits requests by URL. The default places it
	 * after Spring Security, so that the principal is known.
	 * @param requests Rules for requests by URL, without annotations. All rules that
	 * match a request are decided together.
	 */
	public record Web(@DefaultValue("ietf") Set<HeaderFormat> headers, @DefaultValue("64") int ipv6Prefix,
			@DefaultValue("" + DEFAULT_ORDER) int order, @DefaultValue List<Request> requests) {

		static final int DEFAULT_ORDER = -50;

	}

	/** Entry of a list that applies a rule. */
	interface RuleEntry {

		@Nullable String rule();

		@Nullable String key();

		default @Nullable String unless() {
			return null;
		}

	}

	/**
	 * Rule for requests by their URL.
	 *
	 * @param path Spring path pattern of the requests, relative to the context path.
	 * @param methods HTTP methods of the requests. By default all. GET includes HEAD.
	 * @param rule Name of the rule.
	 * @param key SpEL expression over the request for the key of a call. By default the
	 * key of the rule, or a single counter if the rule has none.
	 * @param unless SpEL expression over the request and the status of its response,
	 * evaluated when the response is complete; if true, the units are refunded. By
	 * default unless of the rule.
	 */
	public record Request(@Nullable String path, @DefaultValue Set<HttpMethod> methods, @Nullable String rule,
			@Nullable String key, @Nullable String unless) implements RuleEntry {

	}

	/**
	 * Limits of requests that RestClient, RestTemplate and WebClient send.
	 *
	 * @param maxBlock Maximum time for which a response blocks a key, up to 366d. If a
	 * duration suffix is not specified, seconds will be used.
	 * @param requests Rules for outgoing requests by host. All rules that match a request
	 * are decided together.
	 */
	public record Client(@DefaultValue("5m") @DurationUnit(ChronoUnit.SECONDS) Duration maxBlock,
			@DefaultValue List<Outgoing> requests) {

	}

	/**
	 * Rule for outgoing requests by their host.
	 *
	 * @param host Host of the requests, all hosts below a domain as *.example.com, or
	 * either with a port.
	 * @param rule Name of the rule.
	 * @param key SpEL expression over the outgoing request for the key of a call. By
	 * default the key of the rule, or a single counter if the rule has none.
	 * @param obey Whether Retry-After, or an exhausted quota in the RateLimit field of a
	 * response, blocks the key for that time. By default true.
	 */
	public record Outgoing(@Nullable String host, @Nullable String rule, @Nullable String key,
			@DefaultValue("true") boolean obey) implements RuleEntry {

	}

	/**
	 * Limits of gRPC calls.
	 *
	 * @param calls Rules for gRPC calls by method. All rules that match a call are
	 * decided together.
	 */
	public record Grpc(@DefaultValue List<GrpcCalls> calls) {

	}

	/**
	 * Rule for gRPC calls by their method.
	 *
	 * @param method Method of the calls, as forum.Replies/Reply, forum.Replies/* for all
	 * of a service, or ** for all but those of health checks and reflection.
	 * @param rule Name of the rule.
	 * @param key SpEL expression over the call for the key. By default the key of the
	 * rule, or a single counter if the rule has none.
	 * @param unless SpEL expression over the call and its status, evaluated when the call
	 * has ended; if true, the units are refunded. By default unless of the rule.
	 */
	public record GrpcCalls(@Nullable String method, @Nullable String rule, @Nullable String key,
			@Nullable String unless) implements RuleEntry {

	}

	/** HTTP method. */
	public enum HttpMethod {

		/** GET and HEAD requests. */
		GET,
		/** HEAD requests. */
		HEAD,
		/** POST requests. */
		POST,
		/** PUT requests. */
		PUT,
		/** PATCH requests. */
		PATCH,
		/** DELETE requests. */
		DELETE,
		/** OPTIONS requests. */
		OPTIONS,
		/** TRACE requests. */
		TRACE

	}

	/**
	 * Access to Redis.
	 *
	 * @param timeout Maximum time to wait for a reply from Redis, up to 60s. After that,
	 * on-store-failure applies. If a duration suffix is not specified, milliseconds will
	 * be used.
	 * @param fallbackShare Share of each limit that one instance admits while Redis is
	 * unavailable and on-store-failure is local, above 0 and up to 1. With 4 instances,
	 * 0.25 keeps their total within the limits.
	 * @param batching Whether to send calls that arrive while others are on their way to
	 * Redis together, as one script call. No call waits for others to arrive, and each is
	 * decided as if sent alone.
	 * @param maxPending Maximum number of calls of this instance that wait for a reply
	 * from Redis. Beyond that, on-store-failure applies at once.
	 * @param sharding Distribution of keys over the servers behind the connection, which
	 * decides which calls can be sent together.
	 * @param connectionFactory Name of the RedisConnectionFactory bean. By default the
	 * only or primary one.
	 * @param denyCache Cache of denials, which saves calls to Redis.
	 */
	public record Redis(@DefaultValue("100ms") Duration timeout, @DefaultValue("1") double fallbackShare,
			@DefaultValue("true") boolean batching, @DefaultValue("10000") int maxPending,
			@DefaultValue("auto") RedisSharding sharding, @Nullable String connectionFactory,
			@DefaultValue DenyCache denyCache) {

	}

	/**
	 * Cache of denials, which saves calls to Redis.
	 *
	 * @param enabled Whether to deny repeated calls without calling Redis until they may
	 * be admitted.
	 * @param maxSize Maximum number of remembered denials. Beyond that, new denials are
	 * not remembered until older ones expire.
	 * @param maxTtl Maximum time a denial is remembered. Resets and refunds by other
	 * instances take effect after that time at the latest. If a duration suffix is not
	 * specified, seconds will be used.
	 */
	public record DenyCache(@DefaultValue("true") boolean enabled, @DefaultValue("10000") long maxSize,
			@DefaultValue("1s") @DurationUnit(ChronoUnit.SECONDS) Duration maxTtl) {

	}

	/**
	 * Counters inside this process.
	 *
	 * @param maxKeys Maximum number of keys counted at once, beside those whose calls
	 * hold slots. Beyond that, keys of the rule with the most keys are evicted,
	 * approximately the least recently used first; those that are banned, owe units or
	 * have waiting calls go last.
	 */
	public record Local(@DefaultValue("100000") long maxKeys) {

	}

	/**
	 * Record of the keys with most denials.
	 *
	 * @param size Maximum number of keys listed per rule, up to 1000. 0 records none.
	 * Each instance uses up to 0.8 KB of memory per rule and key.
	 * @param calls Whether to record the keys with most calls as well. Recording needs a
	 * little time of each call.
	 */
	public record Top(@DefaultValue("100") int size, @DefaultValue("false") boolean calls) {

	}

}
