package io.github.ratelimit;

import java.time.Duration;
import java.util.List;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class RateLimitExceptionTests {

	@Test
	void denialNamesTheLimitsAndTheWait() {
		RateLimitExceededException denial = new RateLimitExceededException(decision(Duration.ofMillis(13_988_500)));
		assertThat(denial).hasMessage("Rate limit \"sms-minute\", \"sms-day\" exceeded; retry after 3 h 54 min");
		assertThat(denial.rule()).isEqualTo("sms");
		assertThat(denial.decision().violated()).containsExactly("sms-minute", "sms-day");
	}

	@Test
	void denialForEverIsMarkedInTheMessage() {
		assertThat(new RateLimitExceededException(decision(Decision.NEVER)))
			.hasMessage("Rate limit \"sms-minute\", \"sms-day\" exceeded; the call costs more than the limit can hold");
	}

	@Test
	void denialHasNoStackTrace() {
		assertThat(new RateLimitExceededException(decision(Duration.ZERO)).getStackTrace()).isEmpty();
	}

	@Test
	void unavailableStoreNamesRuleAndPolicy() {
		Throwable cause = new IllegalStateException("gone");
		assertThat(new RateLimiterUnavailableException("sms", cause))
			.hasMessage("The store of rate limit \"sms\" could not answer, and its policy is to deny")
			.hasCause(cause);
	}

	@Test
	void changeThatTheStoreDidNotConfirmMayTakeEffect() {
		Throwable cause = new IllegalStateException("gone");
		RateLimiterUnavailableException unconfirmed = RateLimiterUnavailableException.unconfirmedChange("sms", cause);
		assertThat(unconfirmed)
			.hasMessage("The store did not confirm the change of rate limit \"sms\"; it may still take effect")
			.hasCause(cause);
		assertThat(unconfirmed.rule()).isEqualTo("sms");
	}

	@Test
	void changeThatTheStoreRefusedHasItsReasonAndRemedy() {
		Throwable cause = new IllegalStateException("Redis failed: NOPERM");
		RateLimiterUnavailableException refused = RateLimiterUnavailableException.refusedChange("sms", cause,
				"Allow it.");
		assertThat(refused)
			.hasMessage("The store refused the change of rate limit \"sms\": Redis failed: NOPERM. Allow it.")
			.hasCause(cause);
	}

	@Test
	void longValueIsShortened() {
		assertThat(new InvalidAttributeException("mode", '"' + "x".repeat(200_000) + '"', "there is no such mode.",
				"Write off."))
			.hasMessageStartingWith("mode = \"xxx")
			.hasMessageEndingWith("xxx… is invalid: there is no such mode. Write off.")
			.satisfies((mistake) -> assertThat(mistake.getMessage()).hasSizeLessThan(600));
	}

	@Test
	void neverIsSafeToConvert() {
		assertThat(Decision.NEVER.toMillis()).isEqualTo(Long.MAX_VALUE);
	}

	private static Decision decision(Duration retryAfter) {
		return new Decision(false, "sms", 1, 0, retryAfter, retryAfter, Duration.ZERO, List.of(), Decision.Origin.REDIS,
				List.of(new Decision.Denial("sms", "sms-minute", Decision.Cause.LIMIT),
						new Decision.Denial("sms", "sms-day", Decision.Cause.LIMIT)));
	}

}
