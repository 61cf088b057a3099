package io.github.ratelimit.test;

import java.util.function.Function;

import io.github.ratelimit.Decision;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.engine.RuleLimiter;
import org.assertj.core.api.AbstractAssert;
import org.jspecify.annotations.Nullable;

/**
 * Assertions on a limiter.
 *
 * @since 0.1.0
 */
public final class RateLimiterAssert extends AbstractAssert<RateLimiterAssert, RateLimiter> {

	private final Function<Decision, DecisionAssert> decisionAssert;

	RateLimiterAssert(@Nullable RateLimiter actual, Function<Decision, DecisionAssert> decisionAssert) {
		super(actual, RateLimiterAssert.class);
		this.decisionAssert = decisionAssert;
	}

	/**
	 * Begin assertions on a key: on the decision that a call of one unit would get now if
	 * it did not wait. Nothing is taken.
	 * @param key the key; {@code ""} for the one counter of a rule without keys
	 * @return the assertions
	 */
	public DecisionAssert forKey(String key) {
		isNotNull();
		if (key == null) {
			throw new IllegalArgumentException(
					"The key must not be null; \"\" is the one counter of a rule without keys");
		}
		Decision decision = (this.actual instanceof RuleLimiter limiter) ? limiter.peekUnit(key)
				: this.actual.peek(key);
		String given = descriptionText();
		return this.decisionAssert.apply(decision)
			.as((given.isEmpty() ? "" : given + ", ") + "rule \"" + this.actual.rule().name() + "\", key \"" + key
					+ '"');
	}

}
