package io.github.ratelimit.test;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

import io.github.ratelimit.Decision;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.assertj.core.api.Assertions.within;

class RateLimitClockTests {

	private final RateLimitClock clock = new RateLimitClock();

	@Test
	void beginsAtTheRealTimeInWholeMilliseconds() {
		assertThat(this.clock.instant()).isCloseTo(Instant.now(), within(1, ChronoUnit.MINUTES));
		assertThat(this.clock.micros() % 1000).isZero();
	}

	@Test
	void standsStillUntilItAdvances() {
		Instant start = this.clock.instant();
		this.clock.advance(Duration.ZERO);
		assertThat(this.clock.instant()).isEqualTo(start);
		this.clock.advance(Duration.ofMillis(90).plusNanos(1000));
		assertThat(this.clock.instant()).isEqualTo(start.plusMillis(90).plusNanos(1000));
	}

	@Test
	void isSetOnAndBack() {
		Instant past = Instant.parse("1999-12-31T23:59:59.123456Z");
		Instant future = Instant.parse("2100-01-01T00:00:00Z");
		this.clock.set(future);
		assertThat(this.clock.instant()).isEqualTo(future);
		this.clock.set(past);
		assertThat(this.clock.instant()).isEqualTo(past);
	}

	@Test
	void doesNotMoveBackToATurnThatIsOver() {
		long now = this.clock.micros();
		this.clock.moveOnTo(now - 1);
		assertThat(this.clock.micros()).isEqualTo(now);
		this.clock.moveOnTo(now + 1);
		assertThat(this.clock.micros()).isEqualTo(now + 1);
	}

	@Test
	void refusesToAdvanceBackwards() {
		assertThatIllegalArgumentException().isThrownBy(() -> this.clock.advance(Duration.ofSeconds(-1)))
			.withMessage("The clock cannot advance by PT-1S, which is negative. To set it back, use "
					+ "set(clock.instant().minus(…)).");
	}

	@Test
	void refusesTimesThatNoAlgorithmCountsBy() {
		Instant start = this.clock.instant();
		assertThatIllegalArgumentException().isThrownBy(() -> this.clock.advance(Decision.NEVER))
			.withMessageContaining("A call that is never admitted has no such time.");
		assertThatIllegalArgumentException().isThrownBy(() -> this.clock.advance(Duration.ofDays(100_000)))
			.withMessageContaining("Set it to a time from 1970 to 2255.");
		assertThatIllegalArgumentException().isThrownBy(() -> this.clock.set(Instant.EPOCH.minusNanos(1)));
		assertThatIllegalArgumentException().isThrownBy(() -> this.clock.set(Instant.MAX));
		assertThat(this.clock.instant()).isEqualTo(start);
	}

	@Test
	void refusesNothing() {
		assertThatNullPointerException().isThrownBy(() -> this.clock.advance(null))
			.withMessage("The duration must not be null");
		assertThatNullPointerException().isThrownBy(() -> this.clock.set(null))
			.withMessage("The instant must not be null");
	}

}
