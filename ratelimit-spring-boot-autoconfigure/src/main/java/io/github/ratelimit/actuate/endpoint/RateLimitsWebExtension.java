package io.github.ratelimit.actuate.endpoint;

import java.util.Map;
import java.util.function.Supplier;

import io.github.ratelimit.RateLimitConfigurationException;
import io.github.ratelimit.RateLimiterUnavailableException;
import io.github.ratelimit.override.ConflictingChangeException;
import io.github.ratelimit.store.StoreException;

import org.springframework.boot.actuate.endpoint.annotation.DeleteOperation;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.boot.actuate.endpoint.web.annotation.EndpointWebExtension;
import org.springframework.lang.Nullable;

/**
 * The endpoint over HTTP: what it refuses is told as problem details.
 *
 * @since 0.1.0
 */
@EndpointWebExtension(endpoint = RateLimitsEndpoint.class)
public class RateLimitsWebExtension {

	private final RateLimitsEndpoint endpoint;

	/**
	 * Create a new extension.
	 * @param endpoint what is extended
	 */
	public RateLimitsWebExtension(RateLimitsEndpoint endpoint) {
		this.endpoint = endpoint;
	}

	/**
	 * All rules.
	 * @return the rules
	 * @see RateLimitsEndpoint#rules
	 */
	@ReadOperation
	public WebEndpointResponse<Map<String, Object>> rules() {
		return answer(this.endpoint::rules);
	}

	/**
	 * One rule, or with a key where that stands.
	 * @param rule the name of the rule
	 * @param key who or what is counted
	 * @param explain whether to say it in sentences, too
	 * @return the rule, or the state of the key
	 * @see RateLimitsEndpoint#rule
	 */
	@ReadOperation
	public WebEndpointResponse<Map<String, Object>> rule(@Selector String rule, @Nullable String key,
			@Nullable String explain) {
		return answer(() -> this.endpoint.rule(rule, key, explain));
	}

	/**
	 * Where a key stands.
	 * @param rule the name of the rule
	 * @param key who or what is counted
	 * @param explain whether to say it in sentences, too
	 * @return the state of the key
	 * @see RateLimitsEndpoint#key
	 */
	@ReadOperation
	public WebEndpointResponse<Map<String, Object>> key(@Selector String rule, @Selector String key,
			@Nullable String explain) {
		return answer(() -> this.endpoint.key(rule, key, explain));
	}

	/**
	 * Change a rule at run time.
	 * @param rule the name of the rule
	 * @param max how many units per period
	 * @param period the time in which they are admitted
	 * @param mode enforce, shadow or off
	 * @param limit which of several limits to change
	 * @return the rule as it is in force now
	 * @see RateLimitsEndpoint#change
	 */
	@WriteOperation
	public WebEndpointResponse<Map<String, Object>> change(@Selector String rule, @Nullable String max,
			@Nullable String period, @Nullable String mode, @Nullable String limit) {
		return answer(() -> this.endpoint.change(rule, max, period, mode, limit));
	}

	/**
	 * Let a rule be again what is written; or with a key, forget what was counted for it.
	 * @param rule the name of the rule
	 * @param key who or what is counted
	 * @return the rule as it is in force now, or the state of the key
	 * @see RateLimitsEndpoint#restore
	 */
	@DeleteOperation
	public WebEndpointResponse<Map<String, Object>> restore(@Selector String rule, @Nullable String key) {
		return answer(() -> this.endpoint.restore(rule, key));
	}

	/**
	 * Forget what was counted for a key.
	 * @param rule the name of the rule
	 * @param key who or what is counted
	 * @return the state of the key now
	 * @see RateLimitsEndpoint#reset
	 */
	@DeleteOperation
	public WebEndpointResponse<Map<String, Object>> reset(@Selector String rule, @Selector String key) {
		return answer(() -> this.endpoint.reset(rule, key));
	}

	private static WebEndpointResponse<Map<String, Object>> answer(Supplier<Map<String, Object>> request) {
		try {
			return new WebEndpointResponse<>(request.get());
		}
		catch (NothingFoundException ex) {
			return Problem.NOT_FOUND.because(ex.getMessage());
		}
		catch (RateLimitConfigurationException ex) {
			return Problem.BAD_REQUEST.because(ex.getMessage());
		}
		catch (ConflictingChangeException ex) {
			return Problem.CONFLICT.because(ex.getMessage());
		}
		catch (StoreException ex) {
			return Problem.UNAVAILABLE.because(unavailable(ex));
		}
		catch (RateLimiterUnavailableException ex) {
			return Problem.UNAVAILABLE
				.because((ex.getCause() instanceof StoreException cause) ? unavailable(cause) : String.valueOf(ex));
		}
	}

	private static String unavailable(StoreException failure) {
		return failure.getMessage() + ". Nothing was changed, as far as is known."
				+ ((failure.remedy() != null) ? " " + failure.remedy() : " Try again when Redis answers.");
	}

}
