package io.github.ratelimit.concurrent;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A task is repeated as long as it is needed, whatever fails.
 */
class RepeatedTaskTests {

	private static final Duration SHORT = Duration.ofMillis(1);

	private static final Duration LONG = Duration.ofDays(1);

	private final AtomicInteger runs = new AtomicInteger();

	@Test
	void taskIsRepeatedUntilItIsNotNeeded() throws InterruptedException {
		try (Task task = new Task(SHORT, () -> this.runs.incrementAndGet() % 3 != 0)) {
			task.wake();
			task.awaitEnd();
			assertThat(this.runs).hasValue(3);
			task.wake();
			task.awaitEnd();
			assertThat(this.runs).hasValue(6);
			assertThat(task.threads).hasSize(2).allMatch(Thread::isDaemon);
		}
	}

	@Test
	void taskThatThrowsIsRepeated() throws InterruptedException {
		try (Task task = new Task(SHORT, () -> {
			switch (this.runs.incrementAndGet()) {
				case 1 -> throw new IllegalStateException("wrong");
				case 2 -> throw new OutOfMemoryError("Java heap space");
				default -> {
					return false;
				}
			}
		})) {
			task.wake();
			task.awaitEnd();
			assertThat(this.runs).hasValue(3);
			assertThat(task.threads).hasSize(1);
		}
	}

	@Test
	void taskThatGetsNoThreadIsRepeatedWhenThereIsOne() {
		try (Task task = new Task(SHORT, () -> this.runs.incrementAndGet() < 3)) {
			task.missing.set(5);
			task.wake();
			Awaitility.await().untilAsserted(() -> assertThat(this.runs).hasValue(3));
			assertThat(task.missing).hasValue(0);
		}
	}

	@Test
	void taskThatIsNeededAgainWhileItRunsIsRepeated() throws InterruptedException {
		CountDownLatch begun = new CountDownLatch(1);
		CountDownLatch woken = new CountDownLatch(1);
		try (Task task = new Task(SHORT, () -> {
			this.runs.incrementAndGet();
			begun.countDown();
			await(woken);
			return false;
		})) {
			task.wake();
			await(begun);
			task.wake();
			woken.countDown();
			task.awaitEnd();
			assertThat(this.runs).hasValue(2);
			assertThat(task.threads).hasSize(1);
		}
	}

	@Test
	void hurriedTaskDoesNotWait() {
		try (Task task = new Task(LONG, () -> this.runs.incrementAndGet() > 0)) {
			task.wakeNow();
			Awaitility.await().untilAsserted(() -> assertThat(this.runs).hasValue(1));
			task.wakeNow();
			Awaitility.await().untilAsserted(() -> assertThat(this.runs).hasValue(2));
		}
	}

	@Test
	void closedTaskEndsAtOnceAndBeginsNoMore() throws InterruptedException {
		Task task = new Task(LONG, () -> this.runs.incrementAndGet() > 0);
		task.wake();
		Awaitility.await().until(() -> task.threads.get(0).getState() == Thread.State.TIMED_WAITING);
		task.close();
		task.awaitEnd();
		task.wakeNow();
		task.wake();
		assertThat(task.threads).hasSize(1);
		assertThat(this.runs).hasValue(0);
	}

	private static void await(CountDownLatch latch) {
		try {
			assertThat(latch.await(60, TimeUnit.SECONDS)).isTrue();
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	/**
	 * A task that records its threads.
	 */
	private static final class Task extends RepeatedTask {

		private final List<Thread> threads = new ArrayList<>();

		/**
		 * How many threads cannot be started.
		 */
		private final AtomicInteger missing = new AtomicInteger();

		Task(Duration pause, BooleanSupplier task) {
			super("task", pause, task);
		}

		@Override
		Thread thread() {
			if (this.missing.get() > 0) {
				this.missing.decrementAndGet();
				throw new OutOfMemoryError("unable to create native thread");
			}
			Thread thread = super.thread();
			this.threads.add(thread);
			return thread;
		}

		void awaitEnd() throws InterruptedException {
			Thread latest = this.threads.get(this.threads.size() - 1);
			latest.join(60_000);
			assertThat(latest.isAlive()).isFalse();
		}

	}

}
