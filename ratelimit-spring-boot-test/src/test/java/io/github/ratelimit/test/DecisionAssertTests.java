package io.github.ratelimit.test;

import java.time.Duration;
import java.util.List;

import io.github.ratelimit.Decision;
import io.github.ratelimit.Decision.Origin;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

import static io.github.ratelimit.test.RateLimitAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class DecisionAssertTests {

	private static final Decision ALLOWED = new Decision(true, "reply", 5, 4, Duration.ZERO, Duration.ofMinutes(1),
			Duration.ofMillis(200), List.of(), List.of(), Origin.LOCAL);

	private static final Decision.Denial MINUTE = new Decision.Denial("sms", "sms-minute", Decision.Cause.LIMIT);

	private static final Decision DENIED = new Decision(false, "sms", 1, 0, Duration.ofMinutes(1),
			Duration.ofMinutes(1), Duration.ZERO, List.of(), Origin.LOCAL,
			List.of(MINUTE, new Decision.Denial("sms", "sms-day", Decision.Cause.LIMIT)));

	private static final Decision NEVER = new Decision(false, "sms", 1, 1, Decision.NEVER, Duration.ZERO, Duration.ZERO,
			List.of(), Origin.LOCAL, List.of(MINUTE));

	@Test
	void holdForDecisionsThatAreSo() {
		assertThat(ALLOWED).isAllowed().hasRemaining(4).hasRetryAfter(Duration.ZERO).hasDelay(Duration.ofMillis(200));
		assertThat(DENIED).isDenied()
			.hasRemaining(0)
			.hasRetryAfter(Duration.ofMinutes(1))
			.hasDelay(Duration.ZERO)
			.violates("sms-day")
			.violates("sms-day", "sms-minute")
			.isDeniedBy(Decision.Cause.LIMIT);
		assertThat(NEVER).hasRetryAfter(Decision.NEVER);
	}

	@Test
	void messagesShowTheWholeDecision() {
		fails(() -> assertThat(DENIED).isAllowed(), "to be allowed, but it is denied", DENIED);
		fails(() -> assertThat(ALLOWED).isDenied(), "to be denied, but it is allowed", ALLOWED);
		fails(() -> assertThat(ALLOWED).hasRemaining(3), "to have 3 remaining, but it has 4", ALLOWED);
		fails(() -> assertThat(DENIED).hasRetryAfter(Duration.ofSeconds(1)), "to have retryAfter PT1S, but it is PT1M",
				DENIED);
		fails(() -> assertThat(NEVER).hasRetryAfter(Duration.ZERO), "to have retryAfter PT0S, but it is NEVER", NEVER);
		fails(() -> assertThat(ALLOWED).hasDelay(Duration.ZERO), "to have delay PT0S, but it is PT0.2S", ALLOWED);
		fails(() -> assertThat(DENIED).violates("sms-hour"), "to violate sms-hour, but it violates sms-minute, sms-day",
				DENIED);
		fails(() -> assertThat(DENIED).isDeniedBy(Decision.Cause.BAN),
				"to be denied by BAN, but it is denied by [LIMIT]", DENIED);
		fails(() -> assertThat(ALLOWED).isDeniedBy(Decision.Cause.LIMIT), "to be denied by LIMIT, but it is allowed",
				ALLOWED);
		fails(() -> assertThat(ALLOWED).violates("reply"), "to violate reply, but it violates none", ALLOWED);
	}

	@Test
	void messagesBeginWithTheDescription() {
		assertThatExceptionOfType(AssertionError.class).isThrownBy(() -> assertThat(DENIED).as("a text").isAllowed())
			.withMessageStartingWith("[a text] ");
	}

	@Test
	void failForNoDecision() {
		Decision none = null;
		assertThatExceptionOfType(AssertionError.class).isThrownBy(() -> assertThat(none).isAllowed())
			.withMessageContaining("not to be null");
	}

	@Test
	void violatesNamesLimits() {
		assertThatIllegalArgumentException().isThrownBy(() -> assertThat(DENIED).violates())
			.withMessage("Name at least one limit, or assert isDenied()");
	}

	private static void fails(ThrowingCallable assertion, String message, Decision decision) {
		assertThatExceptionOfType(AssertionError.class).isThrownBy(assertion)
			.withMessageContaining("Expected the decision " + message + ":")
			.withMessageContaining(decision.toString());
	}

}
