package io.github.ratelimit.test;

import io.github.ratelimit.Decision;
import io.github.ratelimit.RateLimiter;
import org.assertj.core.api.SoftAssertions;
import org.jspecify.annotations.Nullable;

/**
 * Soft assertions on decisions and on the state of keys, beside all of AssertJ's:
 * failures are collected, and reported together by {@code assertAll()}.
 *
 * @since 0.1.0
 */
public class RateLimitSoftAssertions extends SoftAssertions {

	/**
	 * Begin assertions on a decision.
	 * @param actual the decision
	 * @return the assertions
	 */
	public DecisionAssert assertThat(@Nullable Decision actual) {
		return proxy(DecisionAssert.class, Decision.class, actual);
	}

	/**
	 * Begin assertions on a limiter, to be followed by {@code forKey(key)}.
	 * @param actual the limiter
	 * @return the assertions
	 */
	public RateLimiterAssert assertThat(@Nullable RateLimiter actual) {
		return new RateLimiterAssert(actual, this::assertThat);
	}

}
