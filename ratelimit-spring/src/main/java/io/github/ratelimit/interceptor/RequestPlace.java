package io.github.ratelimit.interceptor;

import io.github.ratelimit.RateLimitRule;
import org.jspecify.annotations.Nullable;

/**
 * Property that applies a rule to web requests.
 */
final class RequestPlace extends PropertyPlace {

	private final @Nullable String key;

	private final @Nullable String cost;

	private final @Nullable String unless;

	private final @Nullable PathVariables variables;

	RequestPlace(RateLimitRule rule, String location, @Nullable String key, @Nullable String cost,
			@Nullable String unless, @Nullable PathVariables variables) {
		super(rule, location);
		this.key = key;
		this.cost = cost;
		this.unless = unless;
		this.variables = variables;
	}

	@Override
	@Nullable String own(String attribute) {
		return switch (attribute) {
			case "key" -> this.key;
			case "cost" -> this.cost;
			case "unless" -> this.unless;
			default -> null;
		};
	}

	@Override
	public ExpressionScope scope() {
		return new RequestScope(this.variables);
	}

	@Override
	public ExpressionScope scopeAtEnd() {
		return new EndedRequestScope(this.variables);
	}

	@Override
	String callers() {
		return "clients";
	}

	@Override
	String exampleKey() {
		return "ip";
	}

	@Override
	String unknownName(String attribute) {
		String alone = switch (attribute) {
			case "key" -> "write " + location() + ".key over the request alone, ip for example.";
			case "cost" -> "write the cost over the request alone, \"path == '/export' ? 10 : 1\" for example.";
			case "plan" ->
				"write the plan over the request alone, \"@plans.of(principal)\" for example, or in the annotations.";
			case "priority" ->
				"write the priority over the request alone, \"header('X-Priority')\" for example, or in the "
						+ "annotations.";
			case "zone" -> "write the zone over the request alone, \"@customers.zoneOf(principal)\" for example.";
			default -> "write " + attribute + " over the request and its status, or in the annotations.";
		};
		return "A request has no method and no parameters yet: " + alone;
	}

	@Override
	String example(String attribute) {
		return switch (attribute) {
			case "cost" -> "Write a number of units for example, \"path == '/export' ? 10 : 1\".";
			case "unless" -> "Write a condition on the status for example, \"status < 400\".";
			case "settle" -> "Write a number of units for example, \"status < 400 ? 1 : 5\".";
			default -> "Write ip, principal, path or header('X-Api-Key') for example.";
		};
	}

}
