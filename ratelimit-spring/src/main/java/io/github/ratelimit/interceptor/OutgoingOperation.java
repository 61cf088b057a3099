package io.github.ratelimit.interceptor;

import java.util.function.Function;

import io.github.ratelimit.InvalidAttributeException;
import io.github.ratelimit.Limit;
import io.github.ratelimit.Mode;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.engine.RuleLimiter;
import io.github.ratelimit.store.Demand;
import org.jspecify.annotations.Nullable;

import org.springframework.expression.ParseException;

/**
 * Rule on outgoing requests, which creates their demands.
 *
 * @since 0.1.0
 */
public final class OutgoingOperation {

	private static final @Nullable Object[] NO_ARGUMENTS = new Object[0];

	private final RateLimitOperation operation;

	private OutgoingOperation(RateLimitOperation operation) {
		this.operation = operation;
	}

	/**
	 * Compile an operation.
	 * @param limiter the limiter of the rule
	 * @param location the property that defines it
	 * @param key the key expression, or {@code null} for the rule's own key
	 * @param beans resolves {@code @bean} in expressions
	 * @return the operation
	 * @throws InvalidAttributeException if the key, the plan, the priority or the zone is
	 * not an expression, or uses names that an outgoing request does not have
	 */
	public static OutgoingOperation of(RuleLimiter limiter, String location, @Nullable String key,
			ExpressionBeans beans) {
		refuseEnds(limiter.rule(), location);
		String own = limiter.rule().key();
		String text = (key != null) ? key : (own != null) ? own : "";
		boolean isOwn = key == null && own != null;
		if (text.isBlank() && (isOwn || key != null)) {
			throw new InvalidAttributeException("key", '"' + text + '"',
					"it is empty, so that all outgoing requests share one counter.",
					"Remove it, or write an expression, `key: host` for example; for one counter on purpose write a "
							+ "text, `key: \"'all'\"`.")
				.at(isOwn ? "ratelimit.rules." + limiter.rule().name() + ".key" : location + ".key");
		}
		ExpressionCompiler compiler = new ExpressionCompiler(new OutgoingScope(), beans);
		CallExpression compiledKey = text.isBlank() ? (call) -> "" : compile("key", text,
				isOwn ? ofRule("key", limiter, location) : location + ".key", location, compiler::compileKey);
		String plan = limiter.rule().plan();
		PlanExpression compiledPlan = (plan == null) ? null : new PlanExpression(limiter, location, plan,
				compile("plan", plan, ofRule("plan", limiter, location), location, compiler::compile));
		String priority = limiter.rule().priority();
		PriorityExpression compiledPriority = (priority == null) ? null : new PriorityExpression(
				compile("priority", priority, ofRule("priority", limiter, location), location, compiler::compile),
				priority, limiter.rule().name(), location);
		String zone = limiter.rule().zone();
		ZoneExpression compiledZone = (zone == null) ? null : new ZoneExpression(limiter, location, zone,
				compile("zone", zone, ofRule("zone", limiter, location), location, compiler::compile));
		return new OutgoingOperation(new RateLimitOperation(limiter, location, text, compiledKey, compiledPlan,
				compiledPriority, compiledZone, null, null, null, null));
	}

	/**
	 * Refuse rules whose calls have to be followed to their end.
	 */
	private static void refuseEnds(RateLimitRule rule, String location) {
		boolean hasSlots = rule.limits().stream().anyMatch(Limit::hasSlots);
		if (hasSlots || rule.unless() != null || rule.settle() != null) {
			String what = hasSlots ? "algorithm: concurrency" : (rule.unless() != null) ? "unless" : "settle";
			throw new InvalidAttributeException("rule", rule.name(),
					"it has `" + what + "`, but the end of an outgoing request is not followed.", remedy(rule.name()))
				.at(location + ".rule");
		}
	}

	private static String ofRule(String attribute, RuleLimiter limiter, String location) {
		return "ratelimit.rules." + limiter.rule().name() + '.' + attribute + ", used by " + location + ",";
	}

	private static CallExpression compile(String attribute, String text, String where, String location,
			Function<String, CallExpression> compiler) {
		try {
			return compiler.apply(text);
		}
		catch (RefusedExpressionException ex) {
			throw new InvalidAttributeException(attribute, '"' + text + '"', "it " + ex.getMessage() + ".",
					ex.remedy().isEmpty() ? "An outgoing request has no parameters: " + remedy(attribute, location)
							: ex.remedy())
				.at(where);
		}
		catch (ParseException ex) {
			throw new InvalidAttributeException(attribute, '"' + text + '"',
					"it is not a SpEL expression: " + ex.getSimpleMessage() + ".",
					"Write host, path, method or header('X-Api-Key') for example.")
				.at(where);
		}
	}

	private static String remedy(String attribute, String location) {
		return switch (attribute) {
			case "key" -> "write " + location + ".key over the outgoing request alone, host for example.";
			case "priority" ->
				"write the priority over the outgoing request alone, \"header('X-Priority')\" for example.";
			default -> "write the " + attribute + " over the outgoing request alone, \"@" + attribute
					+ "s.of(host)\" for example.";
		};
	}

	/**
	 * Return the demand of a request.
	 * @param request the request
	 * @return the demand, or {@code null} if the rule is off
	 * @throws io.github.ratelimit.RateLimitKeyException if the request has no key
	 * @throws IllegalStateException if the rule counts running calls since a change at
	 * run time
	 */
	public @Nullable KeyedDemand demand(OutgoingRequest request) {
		RuleLimiter limiter = this.operation.limiter();
		if (limiter.rule().mode() == Mode.OFF) {
			return null;
		}
		Call call = new Call(request, NO_ARGUMENTS, null);
		String key = this.operation.key(call);
		Demand demand = this.operation.demand(call, key, 1);
		if (demand.holdsSlots()) {
			throw new IllegalStateException("Calls of rule \"" + demand.rule().name()
					+ "\" hold slots until they end, and the end of an outgoing request is not noticed. "
					+ remedy(demand.rule().name()));
		}
		return new KeyedDemand(demand, key);
	}

	private static String remedy(String rule) {
		return "Put @RateLimited(name = \"" + rule + "\") on the method that sends the request instead.";
	}

}
