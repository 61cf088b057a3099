package io.github.ratelimit.interceptor;

import java.util.Map;

import io.github.ratelimit.InvalidAttributeException;
import io.github.ratelimit.RateLimitRule;
import org.jspecify.annotations.Nullable;

import org.springframework.expression.ParseException;

/**
 * Property that applies a rule to requests. Its own expressions replace those of the
 * rule.
 *
 * @param rule the rule
 * @param location the property
 * @param requests the kind of the requests
 * @param scope the names that expressions may use when a request begins
 * @param own the expressions of the property by attribute, {@code null} for those that it
 * does not have
 */
record PropertyPlace(RateLimitRule rule, String location, Requests requests, ExpressionScope scope,
		Map<String, @Nullable String> own) implements OperationPlace {

	@Override
	public @Nullable Written written(String attribute, @Nullable String ofRule) {
		String written = this.own.get(attribute);
		if (attribute.equals("key")) {
			refuseEmpty(written, ofRule);
		}
		else if (written != null && written.isBlank()) {
			throw new InvalidAttributeException(attribute, '"' + written + '"', "it is empty.",
					this.requests.example(attribute) + " Or remove it.")
				.at(this.location + '.' + attribute);
		}
		if (written != null) {
			return new Written(written, this.location + '.' + attribute, true);
		}
		return (ofRule != null) ? Written.ofRule(this.rule.name(), attribute, ofRule, this.location + ",") : null;
	}

	/**
	 * Refuse an empty key: in YAML an unquoted expression that begins with # is a
	 * comment.
	 */
	private void refuseEmpty(@Nullable String written, @Nullable String ofRule) {
		String key = (written != null) ? written : ofRule;
		if (key != null && key.isBlank()) {
			boolean replaces = written != null && ofRule != null && !ofRule.isBlank();
			throw new InvalidAttributeException("key", '"' + key + '"',
					"it is empty, " + (replaces ? "and would replace the key \"" + ofRule + "\" of the rule, " : "")
							+ "so that all " + this.requests.callers + " share one counter.",
					"Remove it, or write an expression, `key: " + this.requests.exampleKey
							+ "` for example; for one counter on purpose write a text, `key: \"'all'\"`.")
				.at((written != null) ? this.location + ".key" : "ratelimit.rules." + this.rule.name() + ".key");
		}
	}

	@Override
	public void settles(@Nullable String unless, @Nullable String settle) {
		try {
			this.rule.withSettling(unless, settle);
		}
		catch (InvalidAttributeException ex) {
			throw ex.at(this.location + '.' + ex.attribute());
		}
	}

	@Override
	public InvalidAttributeException mistake(String attribute, Written written, RuntimeException failure) {
		String reason = (failure instanceof ParseException syntax)
				? "it is not a SpEL expression: " + syntax.getSimpleMessage() : "it " + failure.getMessage();
		return new InvalidAttributeException(attribute, '"' + written.text() + '"', reason + ".",
				remedy(attribute, failure))
			.at(written.where());
	}

	private String remedy(String attribute, RuntimeException failure) {
		if (failure instanceof CostValue.InvalidCostException && attribute.equals("cost")) {
			return "Write how many units a request takes, `cost: 2` for example.";
		}
		if (!(failure instanceof RefusedExpressionException refused)) {
			return this.requests.example(attribute);
		}
		return !refused.remedy().isEmpty() ? refused.remedy()
				: this.requests.unknownName + this.requests.alone(attribute, this.location);
	}

	/**
	 * Kind of requests, in the words of messages.
	 */
	enum Requests {

		/**
		 * Requests that a web server receives.
		 */
		WEB("clients", "ip", "A request has no method and no parameters yet: ") {

			@Override
			String alone(String attribute, String location) {
				return switch (attribute) {
					case "key" -> "write " + location + ".key over the request alone, ip for example.";
					case "cost" -> "write the cost over the request alone, \"path == '/export' ? 10 : 1\" for example.";
					case "plan" ->
						"write the plan over the request alone, \"@plans.of(principal)\" for example, or in the annotations.";
					case "priority" ->
						"write the priority over the request alone, \"header('X-Priority')\" for example, or in the "
								+ "annotations.";
					case "zone" ->
						"write the zone over the request alone, \"@customers.zoneOf(principal)\" for example.";
					default -> "write " + attribute + " over the request and its status, or in the annotations.";
				};
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

		},

		/**
		 * Remote procedure calls that a server receives.
		 */
		REMOTE_CALLS("clients", "peer", "A remote call has no parameters yet: ") {

			@Override
			String alone(String attribute, String location) {
				return switch (attribute) {
					case "key" -> "write " + location + ".key over the call alone, metadata('x-api-key') for example.";
					case "plan", "zone" -> "write the " + attribute + " over the call alone, \"@customers." + attribute
							+ "Of(principal)\" for example, or in the annotations.";
					case "priority" ->
						"write the priority over the call alone, \"metadata('x-priority')\" for example, or in the "
								+ "annotations.";
					default -> "write " + attribute + " over the call and its status, or in the annotations.";
				};
			}

			@Override
			String example(String attribute) {
				return switch (attribute) {
					case "unless" -> "Write a condition on the status for example, \"status == 'NOT_FOUND'\".";
					case "settle" -> "Write a number of units for example, \"status == 'OK' ? 1 : 5\".";
					default -> "Write metadata('x-api-key'), peer, principal, method or service for example.";
				};
			}

		},

		/**
		 * Requests that this application sends, whose end is not followed.
		 */
		OUTGOING("outgoing requests", "host", "An outgoing request has no parameters: ") {

			@Override
			String alone(String attribute, String location) {
				return switch (attribute) {
					case "key" -> "write " + location + ".key over the outgoing request alone, host for example.";
					case "priority" ->
						"write the priority over the outgoing request alone, \"header('X-Priority')\" for example.";
					default -> "write the " + attribute + " over the outgoing request alone, \"@" + attribute
							+ "s.of(host)\" for example.";
				};
			}

			@Override
			String example(String attribute) {
				return "Write host, path, method or header('X-Api-Key') for example.";
			}

		};

		private final String callers;

		private final String exampleKey;

		private final String unknownName;

		/**
		 * Create a kind.
		 * @param callers who shares a counter without a key
		 * @param exampleKey an expression that is a key
		 * @param unknownName why a name of the rule's other calls is unknown
		 */
		Requests(String callers, String exampleKey, String unknownName) {
			this.callers = callers;
			this.exampleKey = exampleKey;
			this.unknownName = unknownName;
		}

		/**
		 * Return what to write instead of a name that the requests do not have.
		 */
		abstract String alone(String attribute, String location);

		/**
		 * Return what an expression looks like.
		 */
		abstract String example(String attribute);

	}

}
