package io.github.ratelimit.actuate.endpoint;

import java.time.Clock;
import java.util.Map;
import java.util.function.Supplier;

import io.github.ratelimit.RateLimitConfigurationException;
import io.github.ratelimit.RateLimiterUnavailableException;
import io.github.ratelimit.TooManyOverridesException;
import io.github.ratelimit.engine.RateLimitEngine;
import io.github.ratelimit.engine.RuleRegistry;
import io.github.ratelimit.engine.StoreFailurePolicy;
import io.github.ratelimit.override.ConflictingChangeException;
import io.github.ratelimit.override.KeyOverrideRegistry;
import io.github.ratelimit.override.RuleOverrideRegistry;
import io.github.ratelimit.store.StoreException;
import io.github.ratelimit.web.RequestExplainer;

import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.actuate.endpoint.annotation.DeleteOperation;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.Selector.Match;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.boot.actuate.endpoint.web.annotation.WebEndpoint;
import org.springframework.lang.Nullable;

/**
 * Endpoint {@code ratelimits} over HTTP. It shows the rules in force and the state of
 * keys, resets keys, and changes rules at run time. Refused requests are answered with
 * problem details.
 *
 * <p>
 * Rule and key are the rest of the path, as an array. Spring Boot lets the query and the
 * JSON replace a part of the path that is a text, but neither can be an array of Java:
 * {@link StrictArguments} refuses everything else, so the path alone determines the rule.
 *
 * @since 0.1.0
 */
@WebEndpoint(id = "ratelimits")
public class RateLimitsEndpoint {

	private final RuleOperations operations;

	private final RequestDescription requests;

	private final CandidateOperations candidates;

	/**
	 * Create a new endpoint.
	 * @param registry the rules
	 * @param engine the engine that decides calls
	 * @param overrides the overrides of rules
	 * @param keyOverrides the overrides of keys
	 * @param failurePolicy the policy for calls that the store cannot answer
	 * @param keys the key expressions of rules
	 * @param clock the clock by which ends of bans are shown
	 * @param explainer returns the explainer of requests, {@code null} without rules for
	 * requests
	 */
	public RateLimitsEndpoint(RuleRegistry registry, RateLimitEngine engine, RuleOverrideRegistry overrides,
			KeyOverrideRegistry keyOverrides, StoreFailurePolicy failurePolicy, KeyExpressions keys, Clock clock,
			Supplier<RequestExplainer> explainer) {
		this.operations = new RuleOperations(registry, engine, overrides, keyOverrides, failurePolicy, keys, clock);
		this.requests = new RequestDescription(explainer, engine, failurePolicy, clock);
		this.candidates = new CandidateOperations(this.operations, overrides);
	}

	/**
	 * Return all rules, or the latest changes at run time.
	 * @param changes whether to list the latest changes
	 * @return the rules in force and their overrides, or the changes
	 */
	@ReadOperation
	public WebEndpointResponse<Map<String, Object>> rules(@Nullable String changes) {
		return answer(() -> Change.isTrue("changes", changes) ? this.operations.changes() : this.operations.rules());
	}

	/**
	 * Return a rule, or with a key its state, or the banned keys of a rule, or those with
	 * most denials. A key is only peeked.
	 * @param path the name of the rule, and perhaps a key
	 * @param key the key, any text
	 * @param explain whether to explain the state in sentences
	 * @param banned whether to list the banned keys
	 * @param plan the plan under which the key is peeked
	 * @param priority the class of calls for which the key is peeked
	 * @param top whether to list the keys with most denials
	 * @param candidates whether to show the candidates of the rule and their figures
	 * @return the rule, or the state of the key, or the keys, or the candidates
	 */
	@ReadOperation
	public WebEndpointResponse<Map<String, Object>> rule(@Selector(match = Match.ALL_REMAINING) String[] path,
			@Nullable String key, @Nullable String explain, @Nullable String banned, @Nullable String plan,
			@Nullable String priority, @Nullable String top, @Nullable String candidates) {
		return answer(() -> {
			RulePath rule = RulePath.of(path, key);
			if (Change.isTrue("candidates", candidates)) {
				return this.candidates.figures(rule.ruleAlone("candidates", "true"));
			}
			if (Change.isTrue("top", top)) {
				return this.operations.top(rule.name(), rule.key());
			}
			return Change.isTrue("banned", banned) ? this.operations.banned(rule.name(), rule.key())
					: this.operations.rule(rule.name(), rule.key(), explain, plan, priority);
		});
	}

	/**
	 * Explain a request that nobody has sent. Nothing is counted.
	 * @param method the HTTP method, GET by default
	 * @param path the path, without the context path, and perhaps a query
	 * @param headers the headers, one {@code Name: value} per line
	 * @param remoteAddress the address of the client
	 * @param principal the name of the user
	 * @return the rules that apply to it, and the answer that it would get
	 */
	@WriteOperation
	public WebEndpointResponse<Map<String, Object>> request(@Nullable String method, @Nullable String path,
			@Nullable String headers, @Nullable String remoteAddress, @Nullable String principal) {
		return answer(() -> this.requests.explain(method, path, headers, remoteAddress, principal));
	}

	/**
	 * Change a rule at run time, in addition to earlier changes, or override one key.
	 * @param security who makes the change
	 * @param path the name of the rule
	 * @param key the key to override, {@code null} for the whole rule
	 * @param max the number of units per period
	 * @param period the time in which they are admitted
	 * @param mode enforce, shadow or off
	 * @param limit the name of one of several limits
	 * @param blocked whether every call of the key is denied
	 * @param unlimited whether calls of the key pass and are not counted
	 * @param lasting how long the override of the key holds
	 * @param candidate the candidate to try beside the rule
	 * @param algorithm the algorithm of the candidate
	 * @param burst the burst of the candidate
	 * @param adopt the candidate whose numbers the rule gets
	 * @return the rule in force, or the state of the key, or the candidates
	 */
	@WriteOperation
	public WebEndpointResponse<Map<String, Object>> change(SecurityContext security,
			@Selector(match = Match.ALL_REMAINING) String[] path, @Nullable String key, @Nullable String max,
			@Nullable String period, @Nullable String mode, @Nullable String limit, @Nullable String blocked,
			@Nullable String unlimited, @Nullable String lasting, @Nullable String candidate,
			@Nullable String algorithm, @Nullable String burst, @Nullable String adopt) {
		return answer(() -> {
			String rule = RulePath.ofChange(path).name();
			if (candidate != null || adopt != null) {
				Change.refuse(rule, "a candidate is one of the whole rule, and denies nothing.", "Leave it out.", "key",
						key, "mode", mode, "blocked", blocked, "unlimited", unlimited, "lasting", lasting);
				return this.candidates.change(rule, candidate, adopt,
						new CandidateOperations.Numbers(max, period, algorithm, burst, limit),
						ChangeHistory.nameOf(security));
			}
			Change.refuse(rule, "at run time it is that of a candidate only.", "Leave it out.", "algorithm", algorithm,
					"burst", burst);
			if (key != null) {
				Change.refuse(rule, "a single key can only have another max.",
						"Leave %s out, or change the whole rule without key.", "period", period, "mode", mode);
				return this.operations.override(rule, key, max, limit, blocked, unlimited, lasting,
						ChangeHistory.nameOf(security));
			}
			Change.refuse(rule, "it is for a single key.", "Name the key, ?key=acme for example.", "blocked", blocked,
					"unlimited", unlimited, "lasting", lasting);
			return this.operations.change(rule, max, period, mode, limit, ChangeHistory.nameOf(security));
		});
	}

	/**
	 * Remove the override of a rule or of a key, or reset a key.
	 * @param security who removes the override
	 * @param path the name of the rule, and perhaps a key
	 * @param key the key, any text
	 * @param override whether to remove the override of the key instead of its counts
	 * @param candidate the candidate to remove
	 * @return the rule in force, or the state of the key, or the candidates
	 */
	@DeleteOperation
	public WebEndpointResponse<Map<String, Object>> restore(SecurityContext security,
			@Selector(match = Match.ALL_REMAINING) String[] path, @Nullable String key, @Nullable String override,
			@Nullable String candidate) {
		return answer(() -> {
			RulePath rule = RulePath.of(path, key);
			if (candidate != null) {
				return this.candidates.remove(rule.ruleAlone("candidate", '"' + candidate + '"'), candidate,
						ChangeHistory.nameOf(security));
			}
			return Change.isTrue("override", override)
					? this.operations.removeOverride(rule.name(), rule.overriddenKey(), ChangeHistory.nameOf(security))
					: this.operations.restore(rule.name(), rule.key(), ChangeHistory.nameOf(security));
		});
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
		catch (ConflictingChangeException | TooManyOverridesException ex) {
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
				+ ((failure.remedy() != null) ? " " + failure.remedy() : " Try again when it answers.");
	}

}
