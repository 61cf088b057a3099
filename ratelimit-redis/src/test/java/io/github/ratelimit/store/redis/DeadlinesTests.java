package io.github.ratelimit.store.redis;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link Deadlines}, with a given clock and timer; times in milliseconds.
 */
class DeadlinesTests {

	private long now = 1_000;

	private final TreeSet<Long> pending = new TreeSet<>();

	private final List<Long> ended = new ArrayList<>();

	private final List<Runnable> reading = new ArrayList<>();

	private boolean readsAtOnce = true;

	private boolean movesBetweenQueues;

	private Long sentByAnEnd;

	private Error failure;

	private boolean outOfMemory;

	private Runnable task;

	private long due;

	private final Deadlines deadlines = new Deadlines(Duration.ofMillis(100), () -> nanos(this.now), this::schedule,
			this::afterReading, new PendingMillis());

	@Test
	void endsACallAtItsDeadline() {
		call();
		assertThat(this.due).isEqualTo(1_100);
		fire();
		assertThat(this.ended).containsExactly(1_100L);
	}

	@Test
	void oneTimerServesAllCalls() {
		call();
		this.now = 1_040;
		call();
		assertThat(this.due).isEqualTo(1_100);
		fire();
		assertThat(this.ended).containsExactly(1_100L);
		fire();
		fire();
		assertThat(this.now).isEqualTo(1_140);
		assertThat(this.ended).containsExactly(1_100L, 1_140L);
	}

	@Test
	void restsWhenNothingIsPendingAndWakesWithTheNextCall() {
		call();
		this.pending.clear();
		fire();
		assertThat(this.task).isNull();
		this.now = 5_000;
		call();
		assertThat(this.due).isEqualTo(5_100);
		fire();
		assertThat(this.ended).containsExactly(5_100L);
	}

	@Test
	void callsAreEndedAfterArrivedRepliesAreRead() {
		this.readsAtOnce = false;
		call();
		call(1_101);
		fire();
		assertThat(this.ended).isEmpty();
		this.pending.remove(1_100L);
		this.reading.get(0).run();
		assertThat(this.ended).isEmpty();
		fire();
		this.reading.get(1).run();
		assertThat(this.ended).containsExactly(1_101L);
	}

	@Test
	void clientThatDoesNotComeToReadingIsNotWaitedForLonger() {
		this.readsAtOnce = false;
		call();
		while (this.task != null) {
			fire();
		}
		assertThat(this.ended).containsExactly(1_100L);
		assertThat(this.now).isEqualTo(1_120);
	}

	@Test
	void callEndsInTimeAlsoIfNothingIsReadAndTheLastTimerIsLate() {
		this.readsAtOnce = false;
		call();
		call(1_106);
		fire();
		fire();
		fire();
		assertThat(this.due).isEqualTo(1_126);
		fireAt(this.due + 3);
		fireAt(this.due + 3);
		fire();
		assertThat(this.ended).containsExactly(1_100L, 1_106L);
		assertThat(this.now).isEqualTo(1_152).isLessThanOrEqualTo(1_106 + 50);
	}

	@Test
	void overdueCallThatIsSentByTheEndOfAnotherOneIsEndedAMomentLater() {
		this.readsAtOnce = false;
		call();
		call(1_150);
		this.sentByAnEnd = 1_101L;
		fire();
		fire();
		fire();
		assertThat(this.ended).containsExactly(1_100L);
		assertThat(this.due).isEqualTo(1_130);
		fire();
		assertThat(this.ended).containsExactly(1_100L, 1_101L);
	}

	@Test
	void timerThatComesLateLooksAgainAMomentLaterTwiceAtMost() {
		call();
		fireAt(1_400);
		assertThat(this.ended).isEmpty();
		assertThat(this.due).isEqualTo(1_410);
		fireAt(1_500);
		assertThat(this.ended).isEmpty();
		assertThat(this.due).isEqualTo(1_510);
		fireAt(1_600);
		assertThat(this.ended).containsExactly(1_100L);
	}

	@Test
	void callThatIsAnsweredBetweenTwoLooksIsNotEnded() {
		call();
		fireAt(1_400);
		this.pending.clear();
		fire();
		assertThat(this.ended).isEmpty();
		assertThat(this.task).isNull();
	}

	@Test
	void callThatIsInNoQueueAtItsDeadlineIsEndedAMomentLater() {
		call();
		this.movesBetweenQueues = true;
		fire();
		assertThat(this.ended).isEmpty();
		assertThat(this.due).isEqualTo(1_110);
		fire();
		assertThat(this.due).isEqualTo(1_120);
		this.movesBetweenQueues = false;
		fire();
		assertThat(this.ended).containsExactly(1_100L);
		while (this.task != null) {
			fire();
		}
		assertThat(this.now).isEqualTo(1_120);
	}

	@Test
	void timerThatCouldNotBeSetIsSetByTheNextCall() {
		this.outOfMemory = true;
		assertThatExceptionOfType(OutOfMemoryError.class).isThrownBy(this::call);
		this.outOfMemory = false;
		this.now = 1_040;
		call();
		assertThat(this.due).isEqualTo(1_140);
		this.outOfMemory = true;
		assertThatExceptionOfType(OutOfMemoryError.class).isThrownBy(this::fire);
		this.outOfMemory = false;
		call();
		fire();
		assertThat(this.ended).containsExactly(1_100L, 1_140L, 1_240L);
	}

	@Test
	void callsThatCouldNotBeEndedAreEndedAMomentLater() {
		call();
		this.failure = new OutOfMemoryError("Java heap space");
		assertThatExceptionOfType(OutOfMemoryError.class).isThrownBy(this::fire);
		assertThat(this.due).isEqualTo(1_110);
		this.failure = null;
		fire();
		assertThat(this.ended).containsExactly(1_100L);
	}

	private void call() {
		call(this.deadlines.next() / 1_000_000);
	}

	private void call(long deadline) {
		this.pending.add(deadline);
		this.deadlines.watch(nanos(deadline));
	}

	private void fire() {
		fireAt(this.due);
	}

	private void fireAt(long time) {
		this.now = time;
		Runnable look = this.task;
		this.task = null;
		look.run();
	}

	private void schedule(Runnable look, long nanoseconds) {
		if (this.outOfMemory) {
			throw new OutOfMemoryError("Java heap space");
		}
		assertThat(this.task).as("another timer").isNull();
		this.task = look;
		this.due = this.now + TimeUnit.NANOSECONDS.toMillis(nanoseconds);
	}

	private void afterReading(Runnable end) {
		if (this.readsAtOnce) {
			end.run();
		}
		else {
			this.reading.add(end);
		}
	}

	private static long nanos(long milliseconds) {
		return TimeUnit.MILLISECONDS.toNanos(milliseconds);
	}

	private final class PendingMillis implements Deadlines.Calls {

		@Override
		public void end(long time) {
			failIfConfigured();
			if (DeadlinesTests.this.movesBetweenQueues) {
				return;
			}
			var over = DeadlinesTests.this.pending.headSet(TimeUnit.NANOSECONDS.toMillis(time), true);
			boolean isAny = DeadlinesTests.this.ended.addAll(over);
			over.clear();
			if (isAny && DeadlinesTests.this.sentByAnEnd != null) {
				DeadlinesTests.this.pending.add(DeadlinesTests.this.sentByAnEnd);
				DeadlinesTests.this.sentByAnEnd = null;
			}
		}

		@Override
		public OptionalLong earliest(long time) {
			failIfConfigured();
			Long next = DeadlinesTests.this.pending.higher(TimeUnit.NANOSECONDS.toMillis(time));
			return (next != null && !DeadlinesTests.this.movesBetweenQueues) ? OptionalLong.of(nanos(next))
					: OptionalLong.empty();
		}

		@Override
		public boolean isEmpty() {
			return DeadlinesTests.this.pending.isEmpty();
		}

		private void failIfConfigured() {
			if (DeadlinesTests.this.failure != null) {
				throw DeadlinesTests.this.failure;
			}
		}

	}

}
