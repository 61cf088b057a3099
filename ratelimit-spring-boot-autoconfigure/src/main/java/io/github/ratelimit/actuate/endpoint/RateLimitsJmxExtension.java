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
	 * @param endpoint the endpoint
	 */
	public RateLimitsJmxExtension(RateLimitsEndpoint endpoint) {
		this.operations = endpoint.operations();
	}

	/**
	 * Return all rules.
	 * @return the rules in force and their overrides
	 */
	@ReadOperation
	public Map<String, Object> rules() {
		return this.operations.rules();
	}

	/**
	 * Return a rule, or with a key its state.
	 * @param rule the name of the rule
	 * @param key the key, or {@code null} for the rule itself
	 * @param explain whether to explain it in sentences as well
	 * @param plan the plan under which the key is peeked
	 * @return the rule, or the state of the key
	 */
	@ReadOperation
	public Map<String, Object> rule(String rule, @Nullable String key, @Nullable String explain,
			@Nullable String plan) {
		return this.operations.rule(rule, key, explain, plan);
	}

	/**
	 * Return the state of a key.
	 * @param rule the name of the rule
	 * @param key the key
	 * @param explain whether to explain the state in sentences
	 * @param plan the plan under which the key is peeked
	 * @return the state of the key
	 */
	@ReadOperation
	public Map<String, Object> key(String rule, String key, @Nullable String explain, @Nullable String plan) {
		return this.operations.rule(rule, key, explain, plan);
	}

	/**
	 * List the banned keys of a rule.
	 * @param rule the name of the rule
	 * @return the keys with the ends of their bans
	 */
	@ReadOperation
	public Map<String, Object> banned(String rule) {
		return this.operations.banned(rule, null);
	}

	/**
	 * Change a rule at run time.
	 * @param rule the name of the rule
	 * @param max the number of units per period
	 * @param period the time in which they are admitted
	 * @param mode enforce, shadow or off
	 * @param limit the name of one of several limits
	 * @return the rule in force
	 */
	@WriteOperation
	public Map<String, Object> change(String rule, @Nullable String max, @Nullable String period, @Nullable String mode,
			@Nullable String limit) {
		return this.operations.change(rule, max, period, mode, limit);
	}

	/**
	 * Override one key of a rule at run time.
	 * @param rule the name of the rule
	 * @param key the key
	 * @param max the number of units per period
	 * @param limit the name of one of several limits
	 * @param blocked whether every call is denied
	 * @param unlimited whether calls pass and are not counted
	 * @param lasting how long the override holds, {@code null} until it is removed
	 * @return the state of the key
	 */
	@WriteOperation
	public Map<String, Object> override(String rule, String key, @Nullable String max, @Nullable String limit,
			@Nullable String blocked, @Nullable String unlimited, @Nullable String lasting) {
		return this.operations.override(rule, key, max, limit, blocked, unlimited, lasting);
	}

	/**
	 * Remove the override of a key.
	 * @param rule the name of the rule
	 * @param key the key
	 * @return the state of the key
	 */
	@DeleteOperation
	public Map<String, Object> removeOverride(String rule, String key) {
		return this.operations.removeOverride(rule, key);
	}

	/**
	 * Remove the override of a rule, or reset a key.
	 * @param rule the name of the rule
	 * @param key the key, {@code null} for the rule itself
	 * @return the rule in force, or the state of the key
	 */
	@DeleteOperation
	public Map<String, Object> restore(String rule, @Nullable String key) {
		return this.operations.restore(rule, key);
	}

	/**
	 * Reset a key.
	 * @param rule the name of the rule
	 * @param key the key
	 * @return the state of the key now
	 */
	@DeleteOperation
	public Map<String, Object> reset(String rule, String key) {
		return this.operations.reset(rule, key);
	}

}
