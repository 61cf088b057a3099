package io.github.ratelimit.interceptor;

import java.util.List;

import io.github.ratelimit.MissingKeyPartException;
import io.github.ratelimit.RateLimitExpressionException;
import org.jspecify.annotations.Nullable;

import org.springframework.expression.EvaluationException;

/**
 * Expression whose failures name the rule, the place and the expression.
 *
 * @param expression the expression
 * @param attribute the attribute
 * @param text the expression as written
 * @param rule the name of the rule
 * @param location the annotated method or the property
 */
record LocatedExpression(CallExpression expression, String attribute, String text, String rule,
		String location) implements CallExpression {

	@Override
	public @Nullable Object evaluate(Call call) {
		try {
			return this.expression.evaluate(call);
		}
		catch (ConditionValue.NoBooleanException ex) {
			throw ex;
		}
		catch (EvaluationException | RequestExpressionRoot.RequestAccessException ex) {
			RequestExpressionRoot.RequestAccessException access = RequestExpressionRoot.RequestAccessException.in(ex);
			String reason = (access != null) ? access.getMessage() + '.'
					: KeyFailure.sentence(ex.getMessage()) + remedy(ex);
			throw new RateLimitExpressionException(this.rule,
					subject() + " cannot be evaluated: \"" + this.text + "\": " + reason, ex);
		}
	}

	boolean holds(Call call) {
		try {
			return Boolean.TRUE.equals(evaluate(call));
		}
		catch (ConditionValue.NoBooleanException ex) {
			throw invalid(ex);
		}
	}

	/**
	 * Return the units of a call by this cost.
	 * @throws MissingKeyPartException if the request lacks a part of it, or a part that
	 * is the cost is not a number of units
	 * @throws IllegalArgumentException if it is not a number of units for another reason
	 */
	long units(Call call) {
		Object value = null;
		try {
			value = evaluate(call);
			return CostValue.of(value);
		}
		catch (CostValue.InvalidCostException | RateLimitExpressionException ex) {
			String part = lackedPart(value, call);
			if (part != null) {
				throw missing(part);
			}
			throw (ex instanceof CostValue.InvalidCostException) ? invalid(ex) : ex;
		}
	}

	/**
	 * Return the failure of a part that the request of a call lacks.
	 */
	MissingKeyPartException missing(String part) {
		return new MissingKeyPartException(this.rule, part,
				subject() + " has no value: the request has no " + part + '.');
	}

	private @Nullable String lackedPart(@Nullable Object cost, Call call) {
		String missing = this.expression.missingPart(call);
		if (missing != null || cost == null) {
			return missing;
		}
		String part = this.expression.partWith(cost, call);
		return (part != null) ? "number of units in " + part : null;
	}

	@Override
	public List<String> needs() {
		return this.expression.needs();
	}

	private IllegalArgumentException invalid(RuntimeException failure) {
		return new IllegalArgumentException(subject() + ' ' + failure.getMessage() + '.', failure);
	}

	/**
	 * Return the failure of a value that has no meaning.
	 * @param problem what is wrong, as the predicate of a sentence
	 */
	RateLimitExpressionException failure(String problem, @Nullable Exception cause) {
		return new RateLimitExpressionException(this.rule, subject() + ", \"" + this.text + "\", " + problem, cause);
	}

	String subject() {
		return "The " + this.attribute + " of rule \"" + this.rule + "\" on " + this.location;
	}

	private String remedy(RuntimeException failure) {
		if (!KeyFailure.isOnNull(failure)) {
			return "";
		}
		boolean readsOutcome = reads(MethodScope.RESULT) || reads(MethodScope.ERROR);
		return " After a value that may be null, write ?. instead of a dot"
				+ ((readsOutcome && this.attribute.equals("unless"))
						? ", or first check how the call ended: \"#error == null and ...\"." : ".");
	}

	boolean reads(String variable) {
		return this.text.contains('#' + variable);
	}

}
