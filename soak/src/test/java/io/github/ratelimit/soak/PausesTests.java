package io.github.ratelimit.soak;

import java.time.Duration;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Pauses are the times without signs of life, and calls have those within them.
 */
class PausesTests {

	/**
	 * Time after which the clock overflows soon.
	 */
	private static final long BEGIN = Long.MAX_VALUE - Duration.ofMillis(20).toNanos();

	private final Pauses pauses = new Pauses(BEGIN);

	@Test
	void signOfLifeThatIsLateByLessThanAMillisecondEndsNoPause() {
		for (int i = 1; i <= 50; i++) {
			this.pauses.alive(BEGIN + i * 1_900_000L);
		}
		assertThat(within(0, 95)).isZero();
	}

	@Test
	void pauseBeginsWhenTheSignIsDueAndEndsWithIt() {
		this.pauses.alive(at(50));
		assertThat(within(0, 50)).isEqualTo(49);
	}

	@Test
	void pausesAreClippedToTheCall() {
		this.pauses.alive(at(1));
		this.pauses.alive(at(50));
		this.pauses.alive(at(51));
		this.pauses.alive(at(100));
		this.pauses.alive(at(101));
		assertThat(within(0, 101)).as("both").isEqualTo(48 + 48);
		assertThat(within(10, 20)).as("within a pause").isEqualTo(10);
		assertThat(within(40, 60)).as("end of one and begin of the next").isEqualTo(10 + 8);
		assertThat(within(0, 2)).as("before").isZero();
		assertThat(within(50, 52)).as("between").isZero();
		assertThat(within(100, 102)).as("after").isZero();
		assertThat(within(2, 50)).as("exactly a pause").isEqualTo(48);
		assertThat(within(20, 20)).as("no time").isZero();
	}

	@Test
	void callThatEndsBeforeTheEndOfAPauseIsNotedHasThePause() {
		this.pauses.alive(at(10));
		assertThat(within(5, 41)).isEqualTo(5 + 30);
		assertThat(within(20, 41)).isEqualTo(21);
		this.pauses.alive(at(60));
		assertThat(within(5, 41)).isEqualTo(5 + 30);
		assertThat(within(20, 41)).isEqualTo(21);
	}

	@Test
	void pausesOfTheLastMinuteAreKept() {
		int millis = 0;
		while (millis < 180_000) {
			millis += 3;
			this.pauses.alive(at(millis));
		}
		assertThat(within(millis - 30_000, millis)).isEqualTo(20_000);
		assertThat(within(0, millis)).isBetween(40_000L, 40_002L);
	}

	private long within(long from, long to) {
		return Duration.ofNanos(this.pauses.within(at(from), at(to))).toMillis();
	}

	private static long at(long millis) {
		return BEGIN + Duration.ofMillis(millis).toNanos();
	}

}
