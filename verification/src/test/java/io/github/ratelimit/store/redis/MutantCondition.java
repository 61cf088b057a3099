package io.github.ratelimit.store.redis;

import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Condition that disables further tests once a mutant has been noticed. Outside of
 * {@link LuaMutation} none is.
 */
public final class MutantCondition implements ExecutionCondition {

	private static volatile boolean noticed;

	static void begin() {
		noticed = false;
	}

	static void end() {
		noticed = true;
	}

	@Override
	public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
		return noticed ? ConditionEvaluationResult.disabled("noticed")
				: ConditionEvaluationResult.enabled("not noticed");
	}

}
