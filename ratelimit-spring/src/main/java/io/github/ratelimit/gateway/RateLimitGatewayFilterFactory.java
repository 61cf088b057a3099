package io.github.ratelimit.gateway;

import java.util.AbstractMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;

import org.springframework.cloud.gateway.filter.GatewayFilter;
import org.springframework.cloud.gateway.filter.factory.AbstractGatewayFilterFactory;
import org.springframework.cloud.gateway.support.HasRouteId;

/**
 * Filter {@code RateLimit} of Spring Cloud Gateway, which limits the requests of a route
 * by a rule. In properties, the rule and its key are enough:
 *
 * <pre>
 * filters:
 *   - RateLimit=api, header('X-Api-Key')
 * </pre>
 *
 * In Java, {@code f.filter(rateLimit.apply(c -> c.setRule("api").setKey("ip")))}.
 *
 * @since 0.1.0
 */
public final class RateLimitGatewayFilterFactory
		extends AbstractGatewayFilterFactory<RateLimitGatewayFilterFactory.Config> {

	/**
	 * Name of the filter in properties.
	 */
	public static final String NAME = "RateLimit";

	private final Function<Config, GatewayFilter> filters;

	/**
	 * Create a new factory.
	 * @param filters creates a filter by its arguments
	 */
	public RateLimitGatewayFilterFactory(Function<Config, GatewayFilter> filters) {
		super(Config.class);
		this.filters = filters;
	}

	@Override
	public String name() {
		return NAME;
	}

	@Override
	public List<String> shortcutFieldOrder() {
		return List.of("rule", "key");
	}

	/**
	 * Create a filter.
	 * @param config its arguments
	 * @return the filter
	 * @throws io.github.ratelimit.RateLimitConfigurationException if an argument is
	 * invalid; mistakes of filters created during startup are reported at its end
	 */
	@Override
	public GatewayFilter apply(Config config) {
		return this.filters.apply(config);
	}

	/**
	 * Arguments of a filter. As a map it receives every argument written in properties,
	 * so that unknown names are noticed.
	 *
	 * @since 0.1.0
	 */
	public static final class Config extends AbstractMap<String, String> implements HasRouteId {

		private final Map<String, String> arguments = new LinkedHashMap<>();

		private @Nullable String routeId;

		/**
		 * Create an instance without arguments.
		 */
		public Config() {
		}

		/**
		 * Set the rule that decides the requests.
		 * @param rule its name
		 * @return these arguments
		 */
		public Config setRule(String rule) {
			put("rule", rule);
			return this;
		}

		/**
		 * Set the key of a call. By default it is the key of the rule, and without that
		 * one counter for all requests.
		 * @param key a SpEL expression over the request, {@code header('X-Api-Key')} for
		 * example
		 * @return these arguments
		 */
		public Config setKey(String key) {
			put("key", key);
			return this;
		}

		/**
		 * Set how many units a request takes, one by default.
		 * @param cost a number, or a SpEL expression over the request
		 * @return these arguments
		 */
		public Config setCost(String cost) {
			put("cost", cost);
			return this;
		}

		/**
		 * Set when the units of a request are refunded. By default the rule decides.
		 * @param unless a SpEL expression that is evaluated when the response is
		 * complete, {@code status < 400} for example
		 * @return these arguments
		 */
		public Config setUnless(String unless) {
			put("unless", unless);
			return this;
		}

		@Override
		public String put(String name, String value) {
			return this.arguments.put(name, value);
		}

		@Override
		public Set<Entry<String, String>> entrySet() {
			return this.arguments.entrySet();
		}

		@Override
		public void setRouteId(String routeId) {
			this.routeId = routeId;
		}

		@Override
		public @Nullable String getRouteId() {
			return this.routeId;
		}

	}

}
