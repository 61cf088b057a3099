package io.github.ratelimit.test;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.Limit;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.StoreAnswer;
import io.github.ratelimit.store.local.LocalRateLimitStore;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

@Timeout(120)
class TurnsTests {

	private static final long STEP = 200_000;

	private static final RateLimitRule QUEUE = RateLimitRule.named("queue")
		.limit(Limit.of(5, Duration.ofSeconds(1)).withAlgorithm(Algorithm.LEAKY_BUCKET))
		.maxWait(Duration.ofHours(1))
		.build();

	private final RateLimitClock clock = new RateLimitClock();

	private final long start = this.clock.micros();

	private Turns turns = new Turns(this.clock);

	private TestRateLimitStore store = store();

	private TestRateLimitStore store() {
		return new TestRateLimitStore(LocalRateLimitStore.withSettableClock(100, this.clock::micros), this.turns);
	}

	private StoreAnswer call() {
		return this.store.acquire(new Demand(QUEUE, "", 1));
	}

	private void await(StoreAnswer answer) {
		try {
			this.turns.await(answer);
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	@Test
	void turnsMoveTheClockOn() throws InterruptedException {
		call();
		this.turns.await(call());
		assertThat(this.clock.micros()).isEqualTo(this.start + STEP);
		this.turns.await(call());
		assertThat(this.clock.micros()).isEqualTo(this.start + 2 * STEP);
	}

	@Test
	void laterTurnComesAfterAnEarlierOneOfAnotherThread() throws Exception {
		SettablePauses pauses = new SettablePauses();
		this.turns = new Turns(this.clock, pauses);
		this.store = store();
		List<String> order = Collections.synchronizedList(new ArrayList<>());
		call();
		CountDownLatch isDecided = new CountDownLatch(1);
		CountDownLatch laterWaits = new CountDownLatch(1);
		CompletableFuture<Void> earlier = CompletableFuture.runAsync(() -> {
			StoreAnswer answer = call();
			isDecided.countDown();
			join(laterWaits);
			await(answer);
			order.add("earlier at " + this.clock.micros());
		});
		join(isDecided);
		CompletableFuture<Void> later = this.turns.awaitAsync(call())
			.thenRun(() -> order.add("later at " + this.clock.micros()));
		assertThat(this.clock.micros()).isEqualTo(this.start);
		laterWaits.countDown();
		earlier.get();
		pauses.pass(Turns.HEAD_START);
		later.get();
		assertThat(order).containsExactly("earlier at " + (this.start + STEP), "later at " + (this.start + 2 * STEP));
	}

	@Test
	void threadsKeepTheirOrderAndGoOnOneAfterTheOther() {
		SettablePauses pauses = new SettablePauses();
		this.turns = new Turns(this.clock, pauses);
		this.store = store();
		List<Long> turns = Collections.synchronizedList(new ArrayList<>());
		List<Long> times = Collections.synchronizedList(new ArrayList<>());
		call();
		List<Thread> threads = IntStream.range(0, 4).mapToObj((number) -> new Thread(() -> {
			StoreAnswer answer = call();
			await(answer);
			turns.add(answer.get(0).time() + answer.delay());
			times.add(this.clock.micros());
		})).toList();
		threads.forEach(Thread::start);
		for (int gone = 1; gone <= 4; gone++) {
			int waiting = 4 - gone;
			Awaitility.await()
				.until(() -> numberOf(threads, Thread.State.WAITING) == waiting
						&& numberOf(threads, Thread.State.TERMINATED) == 4 - waiting);
			pauses.pass(Turns.HEAD_START);
		}
		assertThat(turns).containsExactlyElementsOf(
				LongStream.rangeClosed(1, 4).mapToObj((number) -> this.start + number * STEP).toList());
		assertThat(times).isEqualTo(turns);
	}

	private static long numberOf(List<Thread> threads, Thread.State state) {
		return threads.stream().filter((thread) -> thread.getState() == state).count();
	}

	@Test
	void programThatIgnoresItsDelayHoldsNobodyUp() throws Exception {
		call();
		CountDownLatch isOver = new CountDownLatch(1);
		CountDownLatch isDecided = new CountDownLatch(1);
		CompletableFuture.runAsync(() -> {
			call();
			isDecided.countDown();
			join(isOver);
		});
		join(isDecided);
		this.turns.await(call());
		assertThat(this.clock.micros()).isEqualTo(this.start + 2 * STEP);
		isOver.countDown();
	}

	@Test
	void threadThatHasEndedHoldsNobodyUp() throws InterruptedException {
		call();
		Thread ended = new Thread(this::call);
		ended.start();
		ended.join();
		assertThat(this.turns.awaitAsync(call())).isCompleted();
		assertThat(this.clock.micros()).isEqualTo(this.start + 2 * STEP);
	}

	@Test
	void ownEarlierCallHoldsNobodyUp() {
		call();
		call();
		assertThat(this.turns.awaitAsync(call())).isCompleted();
		assertThat(this.clock.micros()).isEqualTo(this.start + 2 * STEP);
	}

	@Test
	void turnsOfAnEarlierTestHoldNobodyUpAndLeaveTheClock() throws InterruptedException {
		this.turns = new Turns(this.clock, new SettablePauses());
		this.store = store();
		call();
		CountDownLatch isOver = new CountDownLatch(1);
		CountDownLatch isDecided = new CountDownLatch(1);
		CompletableFuture<Void> patient = CompletableFuture.runAsync(() -> {
			call();
			isDecided.countDown();
			join(isOver);
		});
		join(isDecided);
		CompletableFuture<Void> left = this.turns.awaitAsync(call());
		assertThat(left).isNotDone();
		this.turns.beginAnew();
		assertThat(left).isCompleted();
		assertThat(this.clock.micros()).isEqualTo(this.start);
		this.store.clear();
		call();
		assertThat(this.turns.awaitAsync(call())).isCompleted();
		assertThat(this.clock.micros()).isEqualTo(this.start + STEP);
		isOver.countDown();
		patient.join();
	}

	@Test
	void interruptedThreadDoesNotWait() {
		call();
		StoreAnswer answer = call();
		Thread.currentThread().interrupt();
		assertThatExceptionOfType(InterruptedException.class).isThrownBy(() -> this.turns.await(answer));
		assertThat(this.clock.micros()).isEqualTo(this.start);
	}

	private static void join(CountDownLatch latch) {
		try {
			assertThat(latch.await(60, TimeUnit.SECONDS)).isTrue();
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	/**
	 * Pauses that the test ends.
	 */
	private static final class SettablePauses implements Pauses {

		private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();

		private volatile long nanos;

		@Override
		public long nanos() {
			return this.nanos;
		}

		@Override
		public void after(Duration pause, Runnable task) {
			this.tasks.add(task);
		}

		/**
		 * Let a time pass, and run all tasks that waited for it.
		 */
		void pass(Duration time) {
			this.nanos += time.toNanos();
			List<Runnable> due = new ArrayList<>(this.tasks);
			this.tasks.removeAll(due);
			due.forEach(Runnable::run);
		}

	}

}
