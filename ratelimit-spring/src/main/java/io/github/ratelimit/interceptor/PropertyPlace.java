package io.github.ratelimit.interceptor;

import io.github.ratelimit.InvalidAttributeException;
import io.github.ratelimit.RateLimitRule;
import org.jspecify.annotations.Nullable;

import org.springframework.expression.ParseException;

/**
 * Property that applies a rule to requests. Its own expressions replace those of the
 * rule.
 */
abstract class PropertyPlace implements OperationPlace {

	private final RateLimitRule rule;

	private final String location;

	/**
	 * Create a new place.
	 * @param location the property
	 */
	PropertyPlace(RateLimitRule rule, String location) {
		this.rule = rule;
		this.location = location;
	}

	@Override
	public final String location() {
		return this.location;
	}

	@Override
	public final @Nullable Written written(String attribute, @Nullable String ofRule) {
		String own = own(attribute);
		if (attribute.equals("key")) {
			refuseEmpty(own, ofRule);
		}
		else if (own != null && own.isBlank()) {
			throw new InvalidAttributeException(attribute, '"' + own + '"', "it is empty.",
					example(attribute) + " Or remove it.")
				.at(this.location + '.' + attribute);
		}
		if (own != null) {
			return new Written(own, this.location + '.' + attribute, true);
		}
		return (ofRule != null) ? Written.ofRule(this.rule.name(), attribute, ofRule, this.location + ",") : null;
	}

	/**
	 * Refuse an empty key: in YAML an unquoted expression that begins with # is a
	 * comment.
	 */
	private void refuseEmpty(@Nullable String own, @Nullable String ofRule) {
		String key = (own != null) ? own : ofRule;
		if (key != null && key.isBlank()) {
			boolean replaces = own != null && ofRule != null && !ofRule.isBlank();
			throw new InvalidAttributeException("key", '"' + key + '"',
					"it is empty, " + (replaces ? "and would replace the key \"" + ofRule + "\" of the rule, " : "")
							+ "so that all " + callers() + " share one counter.",
					"Remove it, or write an expression, `key: " + exampleKey()
							+ "` for example; for one counter on purpose write a text, `key: \"'all'\"`.")
				.at((own != null) ? this.location + ".key" : "ratelimit.rules." + this.rule.name() + ".key");
		}
	}

	@Override
	public final void settles(@Nullable String unless, @Nullable String settle) {
		try {
			this.rule.withSettling(unless, settle);
		}
		catch (InvalidAttributeException ex) {
			throw ex.at(this.location + '.' + ex.attribute());
		}
	}

	@Override
	public final InvalidAttributeException mistake(String attribute, Written written, RuntimeException failure) {
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
		if (failure instanceof RefusedExpressionException refused) {
			return refused.remedy().isEmpty() ? unknownName(attribute) : refused.remedy();
		}
		return example(attribute);
	}

	/**
	 * Return an expression of this place.
	 * @return {@code null} if it has none
	 */
	abstract @Nullable String own(String attribute);

	/**
	 * Return who shares a counter without a key.
	 */
	abstract String callers();

	abstract String exampleKey();

	/**
	 * Return what to write instead of a name that the requests do not have.
	 */
	abstract String unknownName(String attribute);

	/**
	 * Return what an expression looks like.
	 */
	abstract String example(String attribute);

}
