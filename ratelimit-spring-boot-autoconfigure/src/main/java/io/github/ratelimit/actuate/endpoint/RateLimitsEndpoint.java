package io.github.ratelimit.actuate.endpoint;

import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.github.ratelimit.InvalidAttributeException;
import io.github.ratelimit.KeyOverride;
import io.github.ratelimit.Limit;
import io.github.ratelimit.RateLimitConfigurationException;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.RateLimiterUnavailableException;
import io.github.ratelimit.TooManyOverridesException;
import io.github.ratelimit.engine.KeyMaintenance;
import io.github.ratelimit.engine.KeyMaintenance.KeyExemption;
import io.github.ratelimit.engine.RateLimitEngine;
import io.github.ratelimit.engine.RuleLimiter;
import io.github.ratelimit.engine.RuleRegistry;
import io.github.ratelimit.engine.StoreFailurePolicy;
import io.github.ratelimit.notation.KebabCase;
import io.github.ratelimit.override.ConflictingChangeException;
import io.github.ratelimit.override.KeyOverrideRegistry;
import io.github.ratelimit.override.RuleOverrideRegistry;
import io.github.ratelimit.store.BannedKey;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.RateLimitStore;
import io.github.ratelimit.store.RuleCounts;
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

	private final RuleRegistry registry;

	private final RateLimitEngine engine;

	private final RateLimitStore store;

	private final RuleOverrideRegistry overrides;

	private final KeyOverrideRegistry keyOverrides;

	private final StoreFailurePolicy failurePolicy;

	private final KeyExpressions keys;

	private final Clock clock;

	private final ChangeHistory history;

	private final RequestDescription requests;

	private final CandidateOperations candidates;

	public RateLimitsEndpoint(RuleRegistry registry, RateLimitEngine engine, RateLimitStore store,
			RuleOverrideRegistry overrides, KeyOverrideRegistry keyOverrides, StoreFailurePolicy failurePolicy,
			KeyExpressions keys, Clock clock, Supplier<RequestExplainer> explainer) {
		this.registry = registry;
		this.engine = engine;
		this.store = store;
		this.overrides = overrides;
		this.keyOverrides = keyOverrides;
		this.failurePolicy = failurePolicy;
		this.keys = keys;
		this.clock = clock;
		this.history = new ChangeHistory(registry, overrides);
		this.requests = new RequestDescription(explainer, engine, failurePolicy);
		this.candidates = new CandidateOperations(registry, overrides);
	}

	@ReadOperation
	public WebEndpointResponse<Map<String, Object>> rules(@Nullable String changes) {
		return answer(() -> Change.isTrue("changes", changes) ? this.history.describe() : describeAll());
	}

	/**
	 * Return a rule or its candidates, or with a key its state, or the banned keys of a
	 * rule, or those with most denials. A key is only peeked, under a plan and for a
	 * class of calls if they are named.
	 */
	@ReadOperation
	public WebEndpointResponse<Map<String, Object>> rule(@Selector(match = Match.ALL_REMAINING) String[] path,
			@Nullable String key, @Nullable String explain, @Nullable String banned, @Nullable String plan,
			@Nullable String priority, @Nullable String top, @Nullable String candidates) {
		return answer(() -> {
			RulePath rule = RulePath.of(path, key);
			if (rule.key() == null) {
				Change.refuse(rule.name(), "it is for a single key.", "Name the key, ?key=acme for example.", "explain",
						explain, "plan", plan, "priority", priority);
			}
			Map<String, Object> lists = new LinkedHashMap<>();
			if (Change.isTrue("candidates", candidates)) {
				lists.putAll(this.candidates.figures(rule.ruleAlone("candidates", "true")));
			}
			if (Change.isTrue("top", top)) {
				find(rule.name());
				lists.putAll(new TopDescription(rule.name(), this.engine.keys().topTalkers(), this.clock.instant())
					.describe(rule.key()));
			}
			if (Change.isTrue("banned", banned)) {
				lists.putAll(banned(rule.name(), rule.key()));
			}
			return !lists.isEmpty() ? lists : (rule.key() != null)
					? state(rule.name(), rule.key(), explain, plan, priority) : describe(rule.name());
		});
	}

	/** Explain a request that nobody has sent. Nothing is counted. */
	@WriteOperation
	public WebEndpointResponse<Map<String, Object>> request(@Nullable String method, @Nullable String path,
			@Nullable String headers, @Nullable String remoteAddress, @Nullable String principal) {
		return answer(() -> this.requests.explain(method, path, headers, remoteAddress, principal));
	}

	@WriteOperation
	public WebEndpointResponse<Map<String, Object>> change(SecurityContext security,
			@Selector(match = Match.ALL_REMAINING) String[] path, @Nullable String key, @Nullable String max,
			@Nullable String period, @Nullable String mode, @Nullable String limit, @Nullable String blocked,
			@Nullable String unlimited, @Nullable String lasting, @Nullable String candidate,
			@Nullable String algorithm, @Nullable String burst, @Nullable String adopt) {
		return answerChange(() -> {
			String rule = RulePath.of(path).name();
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
				KeyChange ofKey = KeyChange.of(find(rule).rule(), max, limit, blocked, unlimited, lasting);
				this.keyOverrides.change(rule, key, ofKey::after, ChangeHistory.nameOf(security));
				Map<String, Object> answer = state(rule, key, null, null, null);
				answer.put("overrideHolds", this.overrides.isShared() ? "in every instance" : "in this process only");
				return answer;
			}
			Change.refuse(rule, "it is for a single key.", "Name the key, ?key=acme for example.", "blocked", blocked,
					"unlimited", unlimited, "lasting", lasting);
			find(rule);
			Change change = Change.of(rule, max, period, mode, limit);
			this.overrides.change(rule, change.mode(), change.limit(), change.attributes(),
					ChangeHistory.nameOf(security));
			Map<String, Object> answer = describe(rule);
			answer.put("overrideHolds", whereOverridesHold());
			return answer;
		});
	}

	@DeleteOperation
	public WebEndpointResponse<Map<String, Object>> restore(SecurityContext security,
			@Selector(match = Match.ALL_REMAINING) String[] path, @Nullable String key, @Nullable String override,
			@Nullable String candidate) {
		return answerChange(() -> {
			RulePath rule = RulePath.of(path, key);
			if (candidate != null) {
				return this.candidates.remove(rule.ruleAlone("candidate", '"' + candidate + '"'), candidate,
						ChangeHistory.nameOf(security));
			}
			if (Change.isTrue("override", override)) {
				return removeOverride(rule.name(), rule.overriddenKey(), ChangeHistory.nameOf(security));
			}
			if (rule.key() == null) {
				return restore(rule.name(), ChangeHistory.nameOf(security));
			}
			find(rule.name()).reset(rule.key());
			return state(rule.name(), rule.key(), null, null, null);
		});
	}

	private Map<String, Object> describeAll() {
		Map<String, Object> overridden = new LinkedHashMap<>();
		this.overrides.inForce()
			.forEach((override) -> overridden.put(override.rule(), OverrideDescription.of(override, null)));
		List<Map<String, Object>> rules = this.registry.rules().stream().map((rule) -> {
			Map<String, Object> answer = describeAlone(rule.name());
			answer.computeIfPresent("keyOverrides", (name, overrides) -> ((List<?>) overrides).size());
			return answer;
		}).toList();
		this.history.nameAuthors(overridden, rules);
		return Fields.of("rules", rules)
			.with("overrides", overridden)
			.with("overridesHold", whereOverridesHold())
			.toMap();
	}

	private String whereOverridesHold() {
		return this.overrides.isShared() ? "in every instance, until they are removed"
				: "in this process only, until they are removed or it ends";
	}

	private Map<String, Object> banned(String rule, @Nullable String key) {
		RateLimitRule registered = find(rule).rule();
		if (key != null) {
			throw new InvalidAttributeException("banned", "true", "it lists the banned keys of the whole rule.",
					"Leave the key out, or read its state with ?explain.");
		}
		Instant now = this.engine.keys().timeOfStore();
		List<BannedKey> banned = (registered.ban() != null) ? this.store.bans(RuleCounts.of(registered)) : List.of();
		return Fields.of("rule", rule)
			.with("banned",
					banned.stream()
						.map((each) -> Fields.of("key", each.key())
							.with("until", EndpointFormat.instant(now, each.endsAfter()))
							.with("endsAfterMs", EndpointFormat.millis(each.endsAfter()))
							.toMap())
						.toList())
			.toMap();
	}

	private Map<String, Object> removeOverride(String rule, String key, String changedBy) {
		if (!this.keyOverrides.remove(rule, key, changedBy)) {
			find(rule);
			throw new Problem.NothingFound("The key is not overridden under the rate limit rule \"" + rule + "\".");
		}
		return isKnown(rule) ? state(rule, key, null, null, null) : Map.of("rule", rule, "key", key);
	}

	private Map<String, Object> restore(String rule, String changedBy) {
		if (!this.overrides.remove(rule, changedBy)) {
			find(rule);
			throw new Problem.NothingFound("The rate limit rule \"" + rule + "\" is not changed at run time.");
		}
		return isKnown(rule) ? describe(rule) : Map.of("name", rule);
	}

	private boolean isKnown(String rule) {
		return this.registry.rules().stream().map(RateLimitRule::name).anyMatch(rule::equals);
	}

	private RuleLimiter find(String rule) {
		return RulePath.find(rule, this.registry);
	}

	private Map<String, Object> describe(String name) {
		return this.history.nameAuthors(describeAlone(name), name, null);
	}

	private Map<String, Object> describeAlone(String name) {
		RateLimitRule rule = this.engine.now(find(name).rule());
		Map<String, Object> answer = new RuleDescription(rule, this.registry.sources(name), null).describe(policy(rule),
				this.keys);
		Map<String, KeyOverride> overrides = this.keyOverrides.of(name);
		if (!overrides.isEmpty()) {
			answer.put("keyOverrides", OverrideDescription.of(overrides));
		}
		return answer;
	}

	private Map<String, Object> state(String name, String key, @Nullable String explain, @Nullable String plan,
			@Nullable String priority) {
		boolean inSentences = Change.isTrue("explain", explain);
		RateLimiter limiter = find(name);
		RateLimitRule registered = limiter.withPlan(plan).rule();
		RateLimitRule rule = this.engine.now(registered);
		KeyMaintenance keys = this.engine.keys();
		Instant now = keys.timeOfStore();
		KeyExemption exemption = keys.exemption(registered, key);
		KeyDescription state = new KeyDescription(rule, key,
				keys.state(new Demand(registered, key, 1).withPriority(priority)), policy(rule), exemption, now);
		Map<String, Object> answer = state.describe();
		PlanDescription ofPlan = new PlanDescription(this.engine.now(limiter.rule()), plan,
				exemption.hasPlans() ? keys.scheduled(limiter.rule()) : null, planExpressions(limiter.rule()),
				(other) -> keys.numbersOf(limiter.withPlan(other).rule(), key).limits());
		ofPlan.addTo(answer);
		this.history.nameAuthors(answer, name, key);
		PriorityDescription ofClass = new PriorityDescription(rule, priority);
		ofClass.addTo(answer);
		if (inSentences) {
			List<String> sentences = new ArrayList<>(state.explain());
			sentences.addAll(ofPlan.explain());
			if (rule.zone() != null) {
				sentences.add("A call may come in another time zone, by " + rule.zone()
						+ ", which is not evaluated here: these numbers are those of UTC.");
			}
			List<Limit> limits = keys.numbersOf(registered, key).limits();
			sentences.addAll(ofClass.explain(limits));
			sentences.addAll(new RuleDescription(rule, this.registry.sources(name), ofPlan.known()).explain(limits, key,
					exemption.hasPlans() ? null : exemption.override()));
			answer.put("explanation", sentences);
			return answer;
		}
		List<String> unknown = Stream.concat(ofPlan.explainUnknown().stream(), ofClass.explainUnknown().stream())
			.toList();
		if (!unknown.isEmpty()) {
			answer.put("explanation", unknown);
		}
		return answer;
	}

	private Set<String> planExpressions(RateLimitRule rule) {
		return Stream
			.concat(Stream.ofNullable(rule.plan()),
					this.keys.selections(rule.name())
						.values()
						.stream()
						.flatMap((selection) -> Stream.ofNullable(selection.get("plan"))))
			.collect(Collectors.toCollection(TreeSet::new));
	}

	private String policy(RateLimitRule rule) {
		return KebabCase.of(this.failurePolicy.of(rule));
	}

	private static WebEndpointResponse<Map<String, Object>> answer(Supplier<Map<String, Object>> request) {
		return answer(request, "");
	}

	private static WebEndpointResponse<Map<String, Object>> answerChange(Supplier<Map<String, Object>> request) {
		return answer(request, " Nothing was changed, as far as is known.");
	}

	private static WebEndpointResponse<Map<String, Object>> answer(Supplier<Map<String, Object>> request,
			String effect) {
		try {
			return new WebEndpointResponse<>(request.get());
		}
		catch (Problem.NothingFound ex) {
			return Problem.NOT_FOUND.because(ex.getMessage());
		}
		catch (RateLimitConfigurationException ex) {
			return Problem.BAD_REQUEST.because(ex.getMessage());
		}
		catch (ConflictingChangeException | TooManyOverridesException ex) {
			return Problem.CONFLICT.because(ex.getMessage());
		}
		catch (StoreException ex) {
			return Problem.UNAVAILABLE.because(unavailable(ex, effect));
		}
		catch (RateLimiterUnavailableException ex) {
			return Problem.UNAVAILABLE.because(
					(ex.getCause() instanceof StoreException cause) ? unavailable(cause, effect) : String.valueOf(ex));
		}
	}

	private static String unavailable(StoreException failure, String effect) {
		return failure.getMessage() + '.' + effect
				+ ((failure.remedy() != null) ? " " + failure.remedy() : " Try again when it answers.");
	}

}
