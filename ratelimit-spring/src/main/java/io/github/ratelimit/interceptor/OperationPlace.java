package io.github.ratelimit.interceptor;

import io.github.ratelimit.RateLimitConfigurationException;
import org.jspecify.annotations.Nullable;

/**
 * Place that applies a rule to calls: an annotated method, or a property that lists
 * requests. It has expressions of its own, and words for their mistakes.
 */
interface OperationPlace {

	String location();

	/**
	 * Return the expression of an attribute: that of the place or that of the rule,
	 * whichever comes first here.
	 * @param ofRule the expression in the properties of the rule, if it has one
	 * @return {@code null} if there is none
	 * @throws RateLimitConfigurationException if it has no meaning here
	 */
	@Nullable Written written(String attribute, @Nullable String ofRule);

	ExpressionScope scope();

	void settles(@Nullable String unless, @Nullable String settle);

	RateLimitConfigurationException mistake(String attribute, Written written, RuntimeException failure);

	record Written(String text, String where, boolean isOwn) {

		static Written ofRule(String rule, String attribute, String text, String usedBy) {
			return new Written(text, "ratelimit.rules." + rule + '.' + attribute + ", used by " + usedBy, false);
		}

		@Nullable String own() {
			return this.isOwn ? this.text : null;
		}

	}

}
