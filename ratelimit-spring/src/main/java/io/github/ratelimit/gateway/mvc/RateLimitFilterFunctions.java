package io.github.ratelimit.gateway.mvc;

import java.lang.reflect.Method;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BiFunction;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

import org.springframework.cloud.gateway.server.mvc.common.Configurable;
import org.springframework.cloud.gateway.server.mvc.filter.FilterSupplier;
import org.springframework.util.ReflectionUtils;
import org.springframework.web.servlet.function.HandlerFilterFunction;
import org.springframework.web.servlet.function.ServerResponse;

/**
 * Filter {@code RateLimit} of Spring Cloud Gateway Server MVC, which limits the requests
 * of a route by a rule. In properties, the rule and its key are enough:
 *
 * <pre>
 * filters:
 *   - RateLimit=api, header('X-Api-Key')
 * </pre>
 *
 * In Java, {@code filter(rateLimit.apply(c -> c.setRule("api").setKey("ip")))}, where
 * {@code rateLimit} is the bean of this type.
 *
 * @since 0.1.0
 */
public final class RateLimitFilterFunctions implements FilterSupplier {

	/**
	 * Name of the filter in properties.
	 */
	public static final String NAME = "RateLimit";

	private final BiFunction<@Nullable String, Map<String, String>, HandlerFilterFunction<ServerResponse, ServerResponse>> filters;

	/**
	 * Create filters.
	 * @param filters creates a filter by the name of its route, which may be unknown, and
	 * its arguments
	 */
	public RateLimitFilterFunctions(
			BiFunction<@Nullable String, Map<String, String>, HandlerFilterFunction<ServerResponse, ServerResponse>> filters) {
		this.filters = filters;
	}

	/**
	 * Create a filter.
	 * @param arguments sets its arguments
	 * @return the filter
	 * @throws io.github.ratelimit.RateLimitConfigurationException if an argument is
	 * invalid; mistakes of filters created during startup are reported at its end
	 */
	public HandlerFilterFunction<ServerResponse, ServerResponse> apply(Consumer<Config> arguments) {
		return apply(null, arguments);
	}

	/**
	 * Create a filter.
	 * @param route the name of the route in messages, if any
	 * @param arguments sets its arguments
	 * @return the filter
	 * @throws io.github.ratelimit.RateLimitConfigurationException if an argument is
	 * invalid; mistakes of filters created during startup are reported at its end
	 */
	public HandlerFilterFunction<ServerResponse, ServerResponse> apply(@Nullable String route,
			Consumer<Config> arguments) {
		Config config = new Config();
		arguments.accept(config);
		return this.filters.apply(route, config.arguments);
	}

	/**
	 * Create a filter by its arguments in properties. Gateway calls this method; in Java,
	 * {@link #apply} verifies the arguments at startup.
	 * @param arguments the arguments; unnamed ones as Gateway numbers them
	 * @return the filter
	 */
	@Configurable
	public static HandlerFilterFunction<ServerResponse, ServerResponse> rateLimit(Map<String, String> arguments) {
		return RouteLimiter.ofProperties(arguments);
	}

	/**
	 * Create a filter in properties that has no arguments, for which Gateway calls this
	 * method. It lets startup reach the verification of the limiter, which refuses it.
	 * @return the filter
	 */
	public static HandlerFilterFunction<ServerResponse, ServerResponse> rateLimit() {
		return rateLimit(Map.of());
	}

	@Override
	public Collection<Method> get() {
		return List.of(method(), method(Map.class));
	}

	private static Method method(Class<?>... parameters) {
		return Objects
			.requireNonNull(ReflectionUtils.findMethod(RateLimitFilterFunctions.class, "rateLimit", parameters));
	}

	/**
	 * Arguments of a filter.
	 *
	 * @since 0.1.0
	 */
	public static final class Config {

		private final Map<String, String> arguments = new LinkedHashMap<>();

		private Config() {
		}

		/**
		 * Set the rule that decides the requests.
		 * @param rule its name
		 * @return these arguments
		 */
		public Config setRule(String rule) {
			return set("rule", rule);
		}

		/**
		 * Set the key of a call. By default it is the key of the rule, and without that
		 * one counter for all requests.
		 * @param key a SpEL expression over the request, {@code header('X-Api-Key')} for
		 * example
		 * @return these arguments
		 */
		public Config setKey(String key) {
			return set("key", key);
		}

		/**
		 * Set how many units a request takes, one by default.
		 * @param cost a number, or a SpEL expression over the request
		 * @return these arguments
		 */
		public Config setCost(String cost) {
			return set("cost", cost);
		}

		/**
		 * Set when the units of a request are refunded. By default the rule decides.
		 * @param unless a SpEL expression that is evaluated when the response is
		 * complete, {@code status < 400} for example
		 * @return these arguments
		 */
		public Config setUnless(String unless) {
			return set("unless", unless);
		}

		private Config set(String name, String value) {
			this.arguments.put(name, value);
			return this;
		}

	}

}
