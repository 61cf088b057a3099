package io.github.ratelimit;

import java.time.Duration;
import java.util.List;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A decision made of numbers equals one made of durations.
 */
class DecisionTests {

	private static final LimitStatus FULL = status("sms-minute", Duration.ofSeconds(7));

	private static final LimitStatus FREE = status("sms-day", Duration.ZERO);

	@Test
	void durationsAreMadeOfNumbers() {
		Decision decision = new Decision(false, "sms", 5, 0, 7_000_001_000L, 60_000_000_000L, 0, List.of(FULL, FREE),
				Decision.Origin.REDIS);
		assertThat(decision.retryAfter()).isEqualTo(Duration.ofSeconds(7, 1_000));
		assertThat(decision.resetAfter()).isEqualTo(Duration.ofMinutes(1));
		assertThat(decision.delay()).isZero();
	}

	@Test
	void violatedAreTheLimitsThatDeny() {
		assertThat(decision(false).violated()).containsExactly("sms-minute");
		assertThat(decision(true).violated()).isEmpty();
	}

	@Test
	void equalsOneOfDurations() {
		Decision other = new Decision(false, "sms", 5, 0, Duration.ofSeconds(7), Duration.ofMinutes(1), Duration.ZERO,
				List.of("sms-minute"), List.of(FULL, FREE), Decision.Origin.REDIS);
		assertThat(decision(false)).isEqualTo(other).hasSameHashCodeAs(other).hasToString(other.toString());
		assertThat(decision(true)).isNotEqualTo(other);
		assertThat(other).hasToString("Decision[allowed=false, rule=sms, limit=5, remaining=0, retryAfter=PT7S, "
				+ "resetAfter=PT1M, delay=PT0S, violated=[sms-minute], limits=" + List.of(FULL, FREE)
				+ ", origin=REDIS]");
	}

	@Test
	void neverIsKept() {
		Decision numbers = new Decision(false, "sms", 5, 5, Long.MAX_VALUE, 0, 0, List.of(), Decision.Origin.LOCAL);
		Decision durations = new Decision(false, "sms", 5, 5, Decision.NEVER, Duration.ZERO, Duration.ZERO, List.of(),
				List.of(), Decision.Origin.LOCAL);
		assertThat(numbers.retryAfter()).isEqualTo(Decision.NEVER);
		assertThat(durations.retryAfter()).isEqualTo(Decision.NEVER);
		assertThat(numbers).isEqualTo(durations);
	}

	private static Decision decision(boolean allowed) {
		return new Decision(allowed, "sms", 5, 0, 7_000_000_000L, 60_000_000_000L, 0, List.of(FULL, FREE),
				Decision.Origin.REDIS);
	}

	private static LimitStatus status(String name, Duration retryAfter) {
		return new LimitStatus(name, 5, 5, Duration.ofMinutes(1), 0, retryAfter, Duration.ofMinutes(1));
	}

}
