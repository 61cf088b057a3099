package io.github.ratelimit.adaptive;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

import io.github.ratelimit.engine.RecordedLog;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class LoadTests {

	private static final double FAILURE = -1;

	private final Deque<Double> values = new ArrayDeque<>();

	private final Load load = new Load("queue", () -> {
		double value = this.values.removeFirst();
		if (value == FAILURE) {
			throw new IllegalStateException("down");
		}
		return value;
	});

	@AutoClose
	private final RecordedLog log = new RecordedLog(Load.class);

	@Test
	void reportsChanges() {
		assertThat(this.load.isKnown()).isFalse();
		assertThat(readings(0.5, 0.5, 0.6)).containsExactly(true, false, true);
		assertThat(this.load.value()).isEqualTo(0.6);
		assertThat(this.log.lines()).isEmpty();
	}

	@Test
	void failureKeepsTheLastValueAndIsLoggedOnce() {
		assertThat(readings(0.5, FAILURE, Double.NaN, FAILURE)).containsExactly(true, false, false, false);
		assertThat(this.load.value()).isEqualTo(0.5);
		assertThat(this.log.lines())
			.containsExactly("WARNING The load signal \"queue\" fails. Its last value, 0.5, holds meanwhile.");
	}

	@Test
	void signalForWhichThereWasNoThreadIsReadAgain() {
		readings(0.5);
		assertThat(this.load.begin()).isTrue();
		this.load.notRead(new OutOfMemoryError("unable to create native thread"));
		assertThat(this.log.lines())
			.containsExactly("WARNING The load signal \"queue\" cannot be read. Its last value, 0.5, holds meanwhile.");
		assertThat(this.load.begin()).isTrue();
		assertThat(readings(0.6)).containsExactly(true);
	}

	@Test
	void recoveryIsLoggedOnce() {
		readings(Double.NaN, 0.5, 0.6, Double.NaN);
		assertThat(this.log.lines()).containsExactly(
				"WARNING The load signal \"queue\" returns NaN. Limits that follow it keep their own max meanwhile.",
				"INFO The load signal \"queue\" gives values again.",
				"WARNING The load signal \"queue\" returns NaN. Its last value, 0.6, holds meanwhile.");
	}

	@Test
	void signalThatDoesNotAnswerIsWarnedAboutOnceAMinute() {
		AtomicLong clock = new AtomicLong(-42);
		Load hanging = new Load("queue", () -> 0.5, clock::get);
		assertThat(hanging.begin()).isTrue();
		assertThat(hanging.begin()).isFalse();
		for (int second = 1; second <= 125; second++) {
			clock.addAndGet(TimeUnit.SECONDS.toNanos(1));
			hanging.stillBeingRead();
			assertThat(this.log.lines()).as("after %d s", second)
				.hasSize((second < 5) ? 0 : (second < 65) ? 1 : (second < 125) ? 2 : 3);
		}
		assertThat(this.log.lines()).containsOnly(
				"WARNING The load signal \"queue\" does not answer. Limits that follow it keep their own max meanwhile. Let its value() return sooner.");
		assertThat(hanging.read()).isTrue();
		assertThat(hanging.begin()).isTrue();
		hanging.read();
		assertThat(this.log.lines()).hasSize(4).last().isEqualTo("INFO The load signal \"queue\" answers again.");
	}

	@Test
	void signalThatIsSlowForAWhileIsWarnedAboutOnceAMinuteAtMost() {
		AtomicLong clock = new AtomicLong();
		Load slow = new Load("queue", () -> 0.5, clock::get);
		for (int round = 0; round < 10; round++) {
			slow.begin();
			clock.addAndGet(TimeUnit.SECONDS.toNanos(6));
			slow.stillBeingRead();
			slow.read();
		}
		assertThat(this.log.lines()).containsExactly(
				"WARNING The load signal \"queue\" does not answer. Limits that follow it keep their own max meanwhile. Let its value() return sooner.",
				"INFO The load signal \"queue\" answers again.");
	}

	@Test
	void interruptionIsNoFailure() {
		Load interrupted = new Load("slow", () -> {
			throw new IllegalStateException(new InterruptedException());
		});
		assertThat(interrupted.read()).isFalse();
		assertThat(this.log.lines()).isEmpty();
	}

	private List<Boolean> readings(double... given) {
		for (double value : given) {
			this.values.add(value);
		}
		return this.values.stream().toList().stream().map((value) -> this.load.read()).toList();
	}

}
