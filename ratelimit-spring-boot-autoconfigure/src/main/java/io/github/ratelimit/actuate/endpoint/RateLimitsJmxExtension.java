package io.github.ratelimit.actuate.endpoint;

import java.util.Map;

import org.springframework.boot.actuate.endpoint.annotation.DeleteOperation;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;
import org.springframework.boot.actuate.endpoint.jmx.annotation.EndpointJmxExtension;
import org.springframework.lang.Nullable;

/**
 * Endpoint {@code ratelimits} over JMX: the same operations with texts for parameters. A
 * parameter that is {@code null} is absent.
 *
 * @since 0.1.0
 */
@EndpointJmxExtension(endpoint = RateLimitsEndpoint.class)
public class RateLimitsJmxExtension {

	private final RuleOperations operations;

	/**
	 * Create a new extension.
	 * @param endpoint what is extended
	 */
	public RateLimitsJmxExtension(RateLimitsEndpoint endpoint) {
		this.operations = endpoint.operations();
	}

	/**
	 * Return all rules.
	 * @return the rules in force, and what is overridden at run time
	 */
	@ReadOperation
	public Map<String, Object> rules() {
		return this.operations.rules();
	}

	/**
	 * Return a rule, or with a key where that stands.
	 * @param rule the name of the rule
	 * @param key who or what is counted, {@code null} for the rule itself
	 * @param explain whether to say it in sentences, too
	 * @return the rule, or the state of the key
	 */
	@ReadOperation
	public Map<String, Object> rule(String rule, @Nullable String key, @Nullable String explain) {
		return this.operations.rule(rule, key, explain);
	}

	/**
	 * Return where a key stands.
	 * @param rule the name of the rule
	 * @param key who or what is counted
	 * @param explain whether to say it in sentences, too
	 * @return the state of the key
	 */
	@ReadOperation
	public Map<String, Object> key(String rule, String key, @Nullable String explain) {
		return this.operations.rule(rule, key, explain);
	}

	/**
	 * Change a rule at run time.
	 * @param rule the name of the rule
	 * @param max how many units per period
	 * @param period the time in which they are admitted
	 * @param mode enforce, shadow or off
	 * @param limit which of several limits to change
	 * @return the rule as it is in force now
	 */
	@WriteOperation
	public Map<String, Object> change(String rule, @Nullable String max, @Nullable String period, @Nullable String mode,
			@Nullable String limit) {
		return this.operations.change(rule, max, period, mode, limit);
	}

	/**
	 * Remove what was changed of a rule at run time; or with a key, forget what was
	 * counted for it.
	 * @param rule the name of the rule
	 * @param key who or what is counted, {@code null} for the rule itself
	 * @return the rule as it is in force now, or the state of the key
	 */
	@DeleteOperation
	public Map<String, Object> restore(String rule, @Nullable String key) {
		return this.operations.restore(rule, key);
	}

	/**
	 * Forget what was counted for a key.
	 * @param rule the name of the rule
	 * @param key who or what is counted
	 * @return the state of the key now
	 */
	@DeleteOperation
	public Map<String, Object> reset(String rule, String key) {
		return this.operations.reset(rule, key);
	}

}
