package io.github.ratelimit.soak;

import java.time.Duration;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * An answer is late after a time, and late without stalls if it still is when they are
 * subtracted.
 */
class AnswerTimesTests {

	private static final long TIMEOUT = Duration.ofMillis(100).toNanos();

	private static final long PATIENCE = Duration.ofMillis(50).toNanos();

	private static final long SLOWEST = TIMEOUT + PATIENCE;

	private final AnswerTimes answers = new AnswerTimes(Duration.ofNanos(TIMEOUT), Duration.ofNanos(PATIENCE),
			() -> this.warmingUp);

	private boolean warmingUp;

	@Test
	void answerIsLateAfterTheTime() {
		add(SLOWEST, 0, 0);
		assertThat(this.answers.late()).isZero();
		add(SLOWEST + 1, 0, 0);
		assertThat(this.answers.count()).isEqualTo(2);
		assertThat(this.answers.late()).isOne();
		assertThat(this.answers.lateWithoutStalls()).isOne();
		assertThat(this.answers.descriptions()).singleElement().asString().contains("150 ms", "a call");
	}

	@Test
	void callThatAsksTheStoreTwiceMayTakeBothTimeouts() {
		this.answers.add(2 * TIMEOUT + PATIENCE, 2, () -> new Stalls(0, 0), () -> "a call");
		assertThat(this.answers.late()).isZero();
		this.answers.add(2 * TIMEOUT + PATIENCE + 1, 2, () -> new Stalls(0, 0), () -> "a call");
		assertThat(this.answers.late()).isOne();
	}

	@Test
	void pausesAndWaitsTogetherExplainALateAnswer() {
		add(SLOWEST + 50, 20, 29);
		assertThat(this.answers.lateWithoutStalls()).isOne();
		add(SLOWEST + 50, 20, 30);
		assertThat(this.answers.late()).isEqualTo(2);
		assertThat(this.answers.lateWithoutStalls()).isOne();
	}

	@Test
	void longestAnswerWithoutStallsMayBeOneThatWasNotLate() {
		add(SLOWEST - 5, 0, 0);
		add(SLOWEST + 100, 100, 10);
		assertThat(this.answers.longest()).isEqualTo(Duration.ofNanos(SLOWEST + 100));
		assertThat(this.answers.longestWithoutStalls()).isEqualTo(Duration.ofNanos(SLOWEST - 5));
	}

	@Test
	void stallsAreSubtractedFromAnswersThatWereNotLate() {
		add(SLOWEST - 5, 10, 0);
		assertThat(this.answers.longestWithoutStalls()).isEqualTo(Duration.ofNanos(SLOWEST - 15));
	}

	@Test
	void stallsOfShortAnswersAreNotRead() {
		add(1_000, 0, 0);
		this.answers.add(1_000, 1, () -> {
			throw new AssertionError();
		}, () -> "a call");
		assertThat(this.answers.count()).isEqualTo(2);
	}

	@Test
	void onlySomeLateAnswersAreDescribed() {
		for (int i = 0; i < 1_000; i++) {
			add(2 * SLOWEST, 0, 0);
		}
		assertThat(this.answers.lateWithoutStalls()).isEqualTo(1_000);
		assertThat(this.answers.descriptions()).hasSize(50);
	}

	@Test
	void ofTheWarmUpOnlyLateAnswersAreCounted() {
		this.warmingUp = true;
		add(SLOWEST, 0, 0);
		add(SLOWEST + 1, 0, 0);
		this.warmingUp = false;
		add(SLOWEST - 5, 0, 0);
		assertThat(this.answers.count()).isEqualTo(3);
		assertThat(this.answers.lateInWarmUp()).isOne();
		assertThat(this.answers.late()).isZero();
		assertThat(this.answers.lateWithoutStalls()).isZero();
		assertThat(this.answers.longest()).isEqualTo(Duration.ofNanos(SLOWEST - 5));
	}

	private void add(long nanos, long paused, long waited) {
		this.answers.add(nanos, 1, () -> new Stalls(paused, waited), () -> "a call");
	}

}
