package io.github.ratelimit.test;

import io.github.ratelimit.Decision;
import io.github.ratelimit.RateLimiter;
import org.jspecify.annotations.Nullable;

/**
 * Entry point of assertions on decisions and on the state of keys, to be imported
 * statically beside that of AssertJ.
 *
 * @since 0.1.0
 * @see RateLimitSoftAssertions
 */
public final class RateLimitAssertions {

	private RateLimitAssertions() {
	}

	/**
	 * Begin assertions on a decision.
	 * @param actual the decision
	 * @return the assertions
	 */
	public static DecisionAssert assertThat(@Nullable Decision actual) {
		return new DecisionAssert(actual);
	}

	/**
	 * Begin assertions on a limiter, to be followed by {@code forKey(key)}.
	 * @param actual the limiter
	 * @return the assertions
	 */
	public static RateLimiterAssert assertThat(@Nullable RateLimiter actual) {
		return new RateLimiterAssert(actual, DecisionAssert::new);
	}

}
