package io.github.ratelimit.interceptor;

import java.util.function.Function;

import io.github.ratelimit.InvalidAttributeException;
import io.github.ratelimit.engine.RuleLimiter;
import io.github.ratelimit.store.Demand;
import org.jspecify.annotations.Nullable;

import org.springframework.expression.ParseException;

/**
 * Rule on web requests, which creates their demands.
 *
 * @since 0.1.0
 */
public final class RequestOperation {

	private static final @Nullable Object[] NO_ARGUMENTS = new Object[0];

	private final RateLimitOperation operation;

	private RequestOperation(RateLimitOperation operation) {
		this.operation = operation;
	}

	/**
	 * Compile an operation.
	 * @param limiter the limiter of the rule
	 * @param location the place that defines it
	 * @param key the key expression, or {@code null} for the rule's own key
	 * @param cost the expression for the units of a request, or {@code null} for one
	 * @param unless the expression that refunds units, or {@code null} for the rule's own
	 * @param variables the path variables, or {@code null} for those of the handler
	 * @param beans resolves {@code @bean} in expressions
	 * @return the operation
	 * @throws InvalidAttributeException if an expression is invalid, or uses names that a
	 * request does not have
	 */
	public static RequestOperation of(RuleLimiter limiter, String location, @Nullable String key, @Nullable String cost,
			@Nullable String unless, @Nullable PathVariables variables, ExpressionBeans beans) {
		String own = limiter.rule().key();
		String text = (key != null) ? key : (own != null) ? own : "";
		String keyLocation = (key == null && own != null)
				? "ratelimit.rules." + limiter.rule().name() + ".key, used by " + location + "," : location + ".key";
		if (key != null) {
			refuseEmpty(key, own, location + ".key");
		}
		else if (own != null) {
			refuseEmpty(own, null, "ratelimit.rules." + limiter.rule().name() + ".key");
		}
		ExpressionCompiler compiler = new ExpressionCompiler(new RequestScope(variables), beans);
		String plan = limiter.rule().plan();
		String planLocation = "ratelimit.rules." + limiter.rule().name() + ".plan, used by " + location + ",";
		return new RequestOperation(new RateLimitOperation(limiter, location, text,
				text.isBlank() ? PlainKey.NONE : compile("key", text, keyLocation, location, compiler::compileKey),
				(plan != null) ? new PlanExpression(limiter, location, plan,
						compile("plan", plan, planLocation, location, compiler::compile)) : null,
				priority(limiter, location, compiler), zone(limiter, location, compiler),
				(cost != null) ? compile("cost", cost, location + ".cost", location,
						(expression) -> compiler.compileCost(expression, limiter.rule())) : null,
				null, new EndedRequestExpressions(limiter, location, variables, beans).compile(unless), null));
	}

	private static @Nullable PriorityExpression priority(RuleLimiter limiter, String location,
			ExpressionCompiler compiler) {
		String priority = limiter.rule().priority();
		String where = "ratelimit.rules." + limiter.rule().name() + ".priority, used by " + location + ",";
		return (priority == null) ? null
				: new PriorityExpression(compile("priority", priority, where, location, compiler::compile), priority,
						limiter.rule().name(), location);
	}

	private static @Nullable ZoneExpression zone(RuleLimiter limiter, String location, ExpressionCompiler compiler) {
		String zone = limiter.rule().zone();
		String where = "ratelimit.rules." + limiter.rule().name() + ".zone, used by " + location + ",";
		return (zone == null) ? null : new ZoneExpression(limiter, location, zone,
				compile("zone", zone, where, location, compiler::compile));
	}

	/**
	 * Return whether something happens when a request has ended.
	 * @return whether the rule settles its units then, or has slots
	 */
	public boolean hasEnd() {
		return this.operation.end() != null || this.operation.limiter().hasSlots();
	}

	/**
	 * Refuse an empty key: in YAML an unquoted expression that begins with # is a
	 * comment.
	 */
	private static void refuseEmpty(String key, @Nullable String replaced, String keyLocation) {
		if (key.isBlank()) {
			String reason = (replaced == null || replaced.isBlank()) ? "it is empty, so that"
					: "it is empty, and would replace the key \"" + replaced + "\" of the rule, so that";
			throw new InvalidAttributeException("key", '"' + key + '"', reason + " all clients share one counter.",
					"Remove it, or write an expression, `key: ip` for example; for one counter on purpose write a text, "
							+ "`key: \"'all'\"`.")
				.at(keyLocation);
		}
	}

	static CallExpression compile(String attribute, String text, String where, String location,
			Function<String, CallExpression> compiler) {
		try {
			return compiler.apply(text);
		}
		catch (RefusedExpressionException ex) {
			throw new InvalidAttributeException(attribute, '"' + text + '"', "it " + ex.getMessage() + ".",
					remedy(attribute, location, ex))
				.at(where);
		}
		catch (ConditionValue.NoBooleanException ex) {
			throw new InvalidAttributeException(attribute, '"' + text + '"', "it " + ex.getMessage() + ".",
					"Write an expression that is true or false, \"status < 400\" for example.")
				.at(where);
		}
		catch (ParseException ex) {
			throw new InvalidAttributeException(attribute, '"' + text + '"',
					"it is not a SpEL expression: " + ex.getSimpleMessage() + ".", example(attribute))
				.at(where);
		}
	}

	private static String remedy(String attribute, String location, RefusedExpressionException refusal) {
		if (attribute.equals("cost") && refusal instanceof CostValue.InvalidCostException) {
			return "Write how many units a request takes, `cost: 2` for example.";
		}
		return refusal.remedy().isEmpty()
				? "A request has no method and no parameters yet: " + remedy(attribute, location) : refusal.remedy();
	}

	private static String remedy(String attribute, String location) {
		return switch (attribute) {
			case "key" -> "write " + location + ".key over the request alone, ip for example.";
			case "cost" -> "write the cost over the request alone, \"path == '/export' ? 10 : 1\" for example.";
			case "plan" ->
				"write the plan over the request alone, \"@plans.of(principal)\" for example, or in the annotations.";
			case "priority" ->
				"write the priority over the request alone, \"header('X-Priority')\" for example, or in the "
						+ "annotations.";
			case "zone" -> "write the zone over the request alone, \"@customers.zoneOf(principal)\" for example.";
			default -> "write " + attribute + " over the request and its status, or in the annotations.";
		};
	}

	private static String example(String attribute) {
		return switch (attribute) {
			case "cost" -> "Write a number of units for example, \"path == '/export' ? 10 : 1\".";
			case "unless" -> "Write a condition on the status for example, \"status < 400\".";
			case "settle" -> "Write a number of units for example, \"status < 400 ? 1 : 5\".";
			default -> "Write ip, principal, path or header('X-Api-Key') for example.";
		};
	}

	/**
	 * Return the demand of a request.
	 * @param request the request
	 * @return the demand, or {@code null} if the rule is off
	 * @throws io.github.ratelimit.RateLimitKeyException if the request has no key
	 */
	public @Nullable Demand demand(CallContext request) {
		return this.operation.demand(call(request));
	}

	static Call call(CallContext request) {
		return new Call(null, NO_ARGUMENTS, request);
	}

	@Nullable EndPolicy end() {
		return this.operation.end();
	}

}
