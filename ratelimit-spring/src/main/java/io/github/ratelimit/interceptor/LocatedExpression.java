package io.github.ratelimit.interceptor;

import java.util.EnumSet;
import java.util.List;
import java.util.Set;

import io.github.ratelimit.MissingKeyPartException;
import io.github.ratelimit.RateLimitExpressionException;
import io.github.ratelimit.RateLimitKeyException;
import io.github.ratelimit.interceptor.KeyText.NoTextException;
import io.github.ratelimit.interceptor.KeyText.NoTextException.Reason;
import org.jspecify.annotations.Nullable;

import org.springframework.expression.EvaluationException;
import org.springframework.expression.ExpressionInvocationTargetException;
import org.springframework.expression.spel.SpelEvaluationException;
import org.springframework.expression.spel.SpelMessage;

/** Expression whose failures name the rule, the place and the expression. */
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

	long units(Call call) {
		Object value = null;
		try {
			value = evaluate(call);
			return CostValue.of(value);
		}
		catch (CostValue.InvalidCostException | RateLimitExpressionException ex) {
			boolean isOfMethod = ex.getCause() instanceof ExpressionInvocationTargetException;
			String part = isOfMethod ? null : lackedPart(value, call);
			if (part != null) {
				throw missing(part);
			}
			throw (ex instanceof CostValue.InvalidCostException) ? invalid(ex) : ex;
		}
	}

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

	record KeyFailure(LocatedExpression key, Call call) {

		private static final Set<SpelMessage> ON_NULL = EnumSet.of(SpelMessage.METHOD_CALL_ON_NULL_OBJECT_NOT_ALLOWED,
				SpelMessage.PROPERTY_OR_FIELD_NOT_READABLE_ON_NULL, SpelMessage.CANNOT_INDEX_INTO_NULL_VALUE);

		RuntimeException of(RuntimeException failure) {
			NoTextException noText = (failure instanceof NoTextException known) ? known : null;
			if (noText == null && !(failure instanceof EvaluationException || isNullIndex(failure)
					|| failure instanceof RequestExpressionRoot.RequestAccessException)) {
				return failure;
			}
			boolean isNull = (noText != null) ? noText.reason() == Reason.NULL || noText.reason() == Reason.NULL_ELEMENT
					: !(failure instanceof ExpressionInvocationTargetException);
			String missing = isNull ? this.key.expression().missingPart(this.call) : null;
			if (missing != null) {
				return this.key.missing(missing);
			}
			return (noText != null) ? exception(problem(noText), null) : unknown(failure);
		}

		private String problem(NoTextException noText) {
			String operand = noText.operand();
			return switch (noText.reason()) {
				case IDENTITY -> " has no text of its own: " + in(operand) + " is or contains a " + noText.typeName()
						+ ", whose text differs for every object, so no call would be limited. Write one of its "
						+ "properties, " + operand + ".id for example, or give the class a toString().";
				case LATER -> " has no value yet: " + in(operand) + " is a " + noText.typeName()
						+ ", which has its value later. Counters are chosen before a call begins: write an expression "
						+ "that returns the value itself.";
				case NULL_ELEMENT -> " has no value: " + in(operand) + " contains null. Make sure that each element "
						+ "has a value, or write a substitute for it: (#userId ?: 'nobody').";
				case NULL -> " has no value: "
						+ (operand.equals(this.key.text()) ? in(operand) + " is null"
								: operand + " is null in \"" + this.key.text() + '"')
						+ ". Make sure that it has a value, or write a substitute: " + substitute(operand) + '.';
			};
		}

		private RateLimitKeyException unknown(RuntimeException failure) {
			RequestExpressionRoot.RequestAccessException access = RequestExpressionRoot.RequestAccessException
				.in(failure);
			String reason = " has no value: \"" + this.key.text() + "\" cannot be evaluated: ";
			if (access == null) {
				return exception(reason + sentence(failure.getMessage()) + remedy(failure), failure);
			}
			String remedy = (this.call.context() == null)
					? ". For calls outside of one, write a substitute: " + substitute(this.key.text()) + '.' : ".";
			return exception(reason + access.getMessage() + remedy, failure);
		}

		static String sentence(@Nullable String message) {
			String text = String.valueOf(message).strip();
			return text.endsWith(".") || text.endsWith("?") ? text : text + '.';
		}

		/**
		 * Return whether an expression failed at a dot or bracket after null, or at null
		 * as an index.
		 */
		static boolean isOnNull(RuntimeException failure) {
			return isNullIndex(failure)
					|| (failure instanceof SpelEvaluationException ex && ON_NULL.contains(ex.getMessageCode()));
		}

		/** Return whether SpEL failed at null as an index. */
		private static boolean isNullIndex(RuntimeException failure) {
			return failure instanceof IllegalStateException && "No index".equals(failure.getMessage());
		}

		private static String remedy(RuntimeException failure) {
			return isOnNull(failure)
					? " After a value that may be null, write ?. instead of a dot, and a default for the whole "
							+ "expression: (#user?.name ?: 'nobody')."
					: " Names behind a dot and those of beans and types are looked up when the expression is evaluated: "
							+ "correct what it could not find.";
		}

		private String in(String operand) {
			return operand.equals(this.key.text()) ? '"' + this.key.text() + '"'
					: operand + " in \"" + this.key.text() + '"';
		}

		private static String substitute(String operand) {
			return '(' + operand + " ?: 'nobody')";
		}

		private RateLimitKeyException exception(String problem, @Nullable Exception cause) {
			return new RateLimitKeyException(this.key.rule(), this.key.subject() + problem, cause);
		}

	}

}
