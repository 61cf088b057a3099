package io.github.ratelimit.test;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

import io.github.ratelimit.Decision;
import org.assertj.core.api.AbstractAssert;
import org.jspecify.annotations.Nullable;

/**
 * Assertions on a decision. Every message shows the whole decision.
 *
 * @since 0.1.0
 */
public class DecisionAssert extends AbstractAssert<DecisionAssert, Decision> {

	/**
	 * Create new assertions.
	 * @param actual the decision
	 */
	public DecisionAssert(@Nullable Decision actual) {
		super(actual, DecisionAssert.class);
	}

	/**
	 * Verify that the call is allowed, at once or after a delay. For assertions on a key:
	 * that one unit could be taken without waiting.
	 * @return these assertions
	 */
	public DecisionAssert isAllowed() {
		isNotNull();
		return verify(this.actual.allowed(), "to be allowed", "it is denied");
	}

	/**
	 * Verify that the call is denied.
	 * @return these assertions
	 */
	public DecisionAssert isDenied() {
		isNotNull();
		return verify(!this.actual.allowed(), "to be denied", "it is allowed");
	}

	/**
	 * Verify how many units the tightest limit has left.
	 * @param units the units left
	 * @return these assertions
	 */
	public DecisionAssert hasRemaining(long units) {
		isNotNull();
		return verify(this.actual.remaining() == units, "to have " + units + " remaining",
				"it has " + this.actual.remaining());
	}

	/**
	 * Verify the time after which the same call is admitted, exactly.
	 * @param retryAfter the time; {@link Duration#ZERO} when allowed,
	 * {@link Decision#NEVER} when it can never be
	 * @return these assertions
	 */
	public DecisionAssert hasRetryAfter(Duration retryAfter) {
		isNotNull();
		return verify(this.actual.retryAfter().equals(retryAfter), "to have retryAfter " + text(retryAfter),
				"it is " + text(this.actual.retryAfter()));
	}

	/**
	 * Verify how long an allowed call waits before it goes on, exactly.
	 * @param delay the wait, {@link Duration#ZERO} for none
	 * @return these assertions
	 */
	public DecisionAssert hasDelay(Duration delay) {
		isNotNull();
		return verify(this.actual.delay().equals(delay), "to have delay " + text(delay),
				"it is " + text(this.actual.delay()));
	}

	/**
	 * Verify that the call is denied by these limits, perhaps beside others.
	 * @param limits names of limits, as in {@link Decision#violated()}: {@code sms-day}
	 * for one of several limits, the name of the rule for its only one, {@code sms-ban}
	 * for a ban
	 * @return these assertions
	 */
	public DecisionAssert violates(String... limits) {
		isNotNull();
		if (limits.length == 0) {
			throw new IllegalArgumentException("Name at least one limit, or assert isDenied()");
		}
		List<String> violated = this.actual.violated();
		return verify(violated.containsAll(Arrays.asList(limits)), "to violate " + String.join(", ", limits),
				"it violates " + (violated.isEmpty() ? "none" : String.join(", ", violated)));
	}

	/**
	 * Verify that the call is denied for this cause, perhaps beside others.
	 * @param cause {@link Decision.Cause#BAN} for a banned key for example
	 * @return these assertions
	 */
	public DecisionAssert isDeniedBy(Decision.Cause cause) {
		isNotNull();
		Set<Decision.Cause> causes = this.actual.denials()
			.stream()
			.map(Decision.Denial::cause)
			.collect(Collectors.toCollection(TreeSet::new));
		return verify(causes.contains(cause), "to be denied by " + cause,
				this.actual.allowed() ? "it is allowed" : "it is denied by " + causes);
	}

	private DecisionAssert verify(boolean holds, String expected, String but) {
		if (!holds) {
			throw failure("%nExpected the decision %s, but %s:%n  %s", expected, but, this.actual);
		}
		return this;
	}

	private static String text(Duration duration) {
		return duration.equals(Decision.NEVER) ? "NEVER" : duration.toString();
	}

}
