package io.github.ratelimit.actuate.endpoint;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.Supplier;

import io.github.ratelimit.Mode;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.ScheduledPlan;
import io.github.ratelimit.engine.KeyMaintenance;
import io.github.ratelimit.engine.KeyMaintenance.KeyExemption;
import io.github.ratelimit.engine.RateLimitEngine;
import io.github.ratelimit.engine.StoreFailurePolicy;
import io.github.ratelimit.interceptor.RateLimitOperation;
import io.github.ratelimit.notation.KebabCase;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.RuleVariants;
import io.github.ratelimit.web.RequestExplainer;
import io.github.ratelimit.web.RequestExplainer.Answer;
import io.github.ratelimit.web.RequestExplainer.Met;
import io.github.ratelimit.web.RequestExplainer.Unmet;
import io.github.ratelimit.web.RequestRule;

import org.springframework.http.ProblemDetail;
import org.springframework.lang.Nullable;

/**
 * Description of what the rules for requests would do with a request that nobody has
 * sent.
 */
record RequestDescription(Supplier<RequestExplainer> explainer, RateLimitEngine engine,
		StoreFailurePolicy failurePolicy) {

	Map<String, Object> explain(@Nullable String method, @Nullable String path, @Nullable String headers,
			@Nullable String remoteAddress, @Nullable String principal) {
		RequestExplainer found = this.explainer.get();
		if (found == null) {
			throw new Problem.NothingFound("There are no rules for requests, so no request is limited by its URL. "
					+ "To explain a key of an annotated method, write GET /actuator/ratelimits/login/ann?explain for example.");
		}
		return describe(found.explain(method, path, headers, remoteAddress, principal));
	}

	private Map<String, Object> describe(RequestExplainer.Explanation explanation) {
		return Fields.of("answer", describe(explanation.answer()))
			.with("rules", explanation.met().stream().map(this::describe).toList())
			.with("otherRules", explanation.unmet().stream().map(RequestDescription::describe).toList())
			.with("unknown", "Nobody has sent this request. Annotated methods, routes of gateways, other filters and "
					+ "exception handlers of the application may answer it otherwise; claims, session and attributes of a "
					+ "request are not part of a description.")
			.toMap();
	}

	private static Map<String, Object> describe(Answer answer) {
		return Fields.of("passes", answer.status() == 200)
			.with("status", answer.status())
			.with("headers", answer.headers())
			.with("delayMs", answer.delay().isZero() ? null : (Long) EndpointFormat.millis(answer.delay()))
			.with("error", (answer.failure() != null) ? String.valueOf(answer.failure().getMessage()) : null)
			.with("problem", (answer.problem() != null) ? describe(answer.problem()) : null)
			.toMap();
	}

	private static Map<String, Object> describe(ProblemDetail problem) {
		Map<String, Object> described = Fields
			.of("type", (problem.getType() != null) ? problem.getType().toString() : null)
			.with("title", problem.getTitle())
			.with("status", problem.getStatus())
			.with("detail", problem.getDetail())
			.with("instance", String.valueOf(problem.getInstance()))
			.toMap();
		if (problem.getProperties() != null) {
			described.putAll(problem.getProperties());
		}
		return described;
	}

	private static Map<String, Object> describe(Unmet unmet) {
		Map<String, Object> described = describe(unmet.rule());
		described.put("because", unmet.because());
		return described;
	}

	private static Map<String, Object> describe(RequestRule rule) {
		return Fields.of("rule", rule.operation().rule().name())
			.with("at", rule.operation().location())
			.with("path", rule.path().getPatternString())
			.with("methods", rule.methods().isEmpty() ? null : new TreeSet<>(rule.methods()))
			.toMap();
	}

	private Map<String, Object> describe(Met met) {
		Map<String, Object> described = describe(met.rule());
		described.put("keyExpression", met.rule().operation().keyText());
		RateLimitRule rule = met.rule().operation().rule();
		RuntimeException failure = met.failure();
		if (met.demand() != null) {
			describe(rule, met.demand(), described);
			return described;
		}
		if (failure != null) {
			described.put("error", String.valueOf(failure.getMessage()));
		}
		if (failure == null || rule.mode() == Mode.SHADOW) {
			described.put("mode", EndpointFormat.mode(rule.mode()));
			described.put("explanation", List.of("The rule is " + ((failure != null) ? "in shadow mode" : "off")
					+ ", so it neither counts nor denies the request."));
		}
		return described;
	}

	private void describe(RateLimitRule rule, RateLimitOperation.KeyedDemand keyed, Map<String, Object> described) {
		KeyMaintenance keys = this.engine.keys();
		Demand demand = keyed.demand();
		Instant now = keys.timeOfStore();
		KeyExemption exemption = keys.exemption(rule, keyed.key());
		KeyDescription state = new KeyDescription(this.engine.now(demand.rule()), keyed.key(), keys.state(demand),
				KebabCase.of(this.failurePolicy.of(rule)), exemption, now);
		described.putAll(state.describe());
		List<String> sentences = new ArrayList<>(state.explain());
		if (exemption.hasPlans()) {
			describePlan(rule, demand, described, sentences);
		}
		String ofClass = rule.classOf(demand.priority());
		if (ofClass != null) {
			described.put("priority", ofClass);
			sentences.add("It is of class " + ofClass + ", by "
					+ ((rule.priority() != null) ? rule.priority() + " = " + demand.priority() : "default")
					+ "; the numbers above are what such calls may take.");
		}
		described.put("explanation", sentences);
	}

	private void describePlan(RateLimitRule rule, Demand demand, Map<String, Object> described,
			List<String> sentences) {
		boolean isSelected = RuleVariants.of(demand.counts()).isPlanned();
		ScheduledPlan scheduled = isSelected ? null : this.engine.keys().scheduled(rule);
		String plan = (scheduled != null) ? scheduled.plan() : demand.counts().plan();
		if (plan != null) {
			described.put("plan", plan);
		}
		if (scheduled != null) {
			sentences.add("It comes under plan " + plan + ", because entry " + rule.schedule().indexOf(scheduled)
					+ " of the schedule holds: " + PlanDescription.text(scheduled) + '.');
		}
		else if (isSelected) {
			sentences.add("It comes under " + ((plan != null) ? "plan " + plan : "numbers of its own") + ", by "
					+ rule.plan() + '.');
		}
	}

}
