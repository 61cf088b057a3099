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

	private static final List<Decision.Denial> MINUTE = List
		.of(new Decision.Denial("sms", "sms-minute", Decision.Cause.LIMIT));

	private static final LimitStatus FREE = status("sms-day", Duration.ZERO);

	@Test
	void valuesAreReadOnDemand() {
		Decision decision = decision(false);
		assertThat(decision.retryAfter()).isEqualTo(Duration.ofSeconds(7));
		assertThat(decision.resetAfter()).isEqualTo(Duration.ofMinutes(1));
		assertThat(decision.delay()).isZero();
		assertThat(decision(true).delay()).isEqualTo(Duration.ofSeconds(7));
		assertThat(decision(true).retryAfter()).isZero();
	}

	@Test
	void violatedAreTheLimitsThatDeny() {
		assertThat(decision(false).denials()).isEqualTo(MINUTE);
		assertThat(decision(false).violated()).containsExactly("sms-minute");
		assertThat(decision(true).violated()).isEmpty();
	}

	@Test
	void equalsOneOfDurations() {
		Decision other = new Decision(false, "sms", 5, 0, Duration.ofSeconds(7), Duration.ofMinutes(1), Duration.ZERO,
				List.of(FULL, FREE), Decision.Origin.REDIS, MINUTE);
		assertThat(decision(false)).isEqualTo(other).hasSameHashCodeAs(other).hasToString(other.toString());
		assertThat(decision(true)).isNotEqualTo(other);
		assertThat(other).hasToString("Decision[allowed=false, rule=sms, limit=5, remaining=0, retryAfter=PT7S, "
				+ "resetAfter=PT1M, delay=PT0S, violated=[sms-minute], limits=" + List.of(FULL, FREE)
				+ ", origin=REDIS]");
	}

	@Test
	void namesOfViolatedLimitsAreDenialsByThem() {
		Decision named = new Decision(false, "sms", 5, 0, Duration.ofSeconds(7), Duration.ofMinutes(1), Duration.ZERO,
				List.of("sms-minute"), List.of(FULL, FREE), Decision.Origin.REDIS);
		assertThat(named).isEqualTo(decision(false));
	}

	@Test
	void neverIsKept() {
		Decision numbers = new Decision(new Numbers(false, Long.MAX_VALUE), Decision.Origin.REDIS);
		Decision durations = new Decision(false, "sms", 5, 0, Decision.NEVER, Duration.ofMinutes(1), Duration.ZERO,
				List.of(FULL, FREE), Decision.Origin.REDIS, MINUTE);
		assertThat(numbers.retryAfter()).isEqualTo(Decision.NEVER);
		assertThat(durations.retryAfter()).isEqualTo(Decision.NEVER);
		assertThat(numbers).isEqualTo(durations);
	}

	private static Decision decision(boolean allowed) {
		return new Decision(new Numbers(allowed, 7_000_000_000L), Decision.Origin.REDIS);
	}

	private static LimitStatus status(String name, Duration retryAfter) {
		return new LimitStatus("sms", name, 5, 5, Duration.ofMinutes(1), 0, retryAfter, Duration.ofMinutes(1), null,
				null, retryAfter.isZero());
	}

	private record Numbers(boolean allowed, long waitNanos) implements Decision.Values {

		@Override
		public String rule() {
			return "sms";
		}

		@Override
		public long limit() {
			return 5;
		}

		@Override
		public long remaining() {
			return 0;
		}

		@Override
		public long resetAfterNanos() {
			return 60_000_000_000L;
		}

		@Override
		public List<LimitStatus> limits() {
			return List.of(FULL, FREE);
		}

	}

}
