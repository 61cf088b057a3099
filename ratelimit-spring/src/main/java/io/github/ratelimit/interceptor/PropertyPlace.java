package io.github.ratelimit.interceptor;

import java.util.Map;

import io.github.ratelimit.InvalidAttributeException;
import io.github.ratelimit.RateLimitRule;
import org.jspecify.annotations.Nullable;

import org.springframework.expression.ParseException;

/**
 * Property that applies a rule to requests. Its own expressions replace those of the
 * rule.
 */
record PropertyPlace(RateLimitRule rule, String location, RequestScope scope,
		Map<String, @Nullable String> own) implements OperationPlace {

	@Override
	public @Nullable Written written(String attribute, @Nullable String ofRule) {
		String written = this.own.get(attribute);
		if (attribute.equals("key")) {
			refuseEmpty(written, ofRule);
		}
		else if (written != null && written.isBlank()) {
			throw new InvalidAttributeException(attribute, '"' + written + '"', "it is empty.",
					this.scope.kind().example(attribute) + " Or remove it.")
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
							+ "so that all " + this.scope.kind().callers() + " share one counter.",
					"Remove it, or write an expression, `key: " + this.scope.kind().exampleKey()
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
			return this.scope.kind().example(attribute);
		}
		return !refused.remedy().isEmpty() ? refused.remedy() : this.scope.kind().alone(attribute, this.location);
	}

}
