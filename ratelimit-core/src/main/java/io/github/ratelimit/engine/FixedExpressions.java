package io.github.ratelimit.engine;

import java.util.Objects;

import io.github.ratelimit.InvalidAttributeException;
import io.github.ratelimit.RateLimitRule;
import org.jspecify.annotations.Nullable;

/**
 * Refusal of other expressions while the application runs: they are compiled once, for
 * the methods that use them.
 */
final class FixedExpressions {

	private FixedExpressions() {
	}

	/**
	 * Check that a changed rule keeps its expressions.
	 * @param definition the definition of the changed rule
	 * @param inForce the rule so far, {@code null} if there is none
	 */
	static void check(RuleDefinition definition, RateLimitRule changed, @Nullable RateLimitRule inForce) {
		if (inForce != null) {
			checkSame("key", inForce.key(), changed.key(), definition);
			checkSame("plan", inForce.plan(), changed.plan(), definition);
			checkSame("priority", inForce.priority(), changed.priority(), definition);
			checkSame("zone", inForce.zone(), changed.zone(), definition);
			checkSame("unless", inForce.unless(), changed.unless(), definition);
			checkSame("settle", inForce.settle(), changed.settle(), definition);
		}
	}

	private static void checkSame(String attribute, @Nullable String inForce, @Nullable String changed,
			RuleDefinition definition) {
		if (!Objects.equals(inForce, changed)) {
			throw new InvalidAttributeException(attribute, changed, "it cannot change while the application runs.",
					"Start the application anew.")
				.at(definition.source().at(attribute));
		}
	}

}
