package io.github.ratelimit.top;

import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Calls that are only counted as repeats, and calls that wait for the windows.
 */
class RecentCallsTests {

	private static final int MOST_STRIPES = 32;

	private final ReentrantLock windows = new ReentrantLock();

	private final RecentCalls recent = new RecentCalls(this.windows, () -> 0);

	private final TalkerWindow window = new TalkerWindow(100);

	@Test
	void onlyTheLatestCallOfAThreadIsRepeated() {
		assertThat(add("ann")).isTrue();
		assertThat(add("ann")).isFalse();
		assertThat(this.recent.add(new TalkerWindow(100), "ann")).as("of another rule").isTrue();
		assertThat(add("bob")).isTrue();
		assertThat(add("ann")).isTrue();
		assertThat(add("ann")).isFalse();
		this.recent.empty();
		assertThat(add("ann")).as("after the stripes were emptied").isTrue();
		assertThat(add("ann")).isFalse();
		assertThat(total()).isEqualTo(7);
	}

	@Test
	void threadWhoseStripeHasTheRunOfAnotherOneNotesEachCall() throws InterruptedException {
		add("ann");
		onAThreadOfTheSameStripe(() -> {
			assertThat(add("ann")).isTrue();
			assertThat(add("ann")).isTrue();
		});
		assertThat(add("ann")).as("the run goes on").isFalse();
		this.recent.empty();
		onAThreadOfTheSameStripe(() -> {
			assertThat(add("ann")).isTrue();
			assertThat(add("ann")).as("its thread still lives").isTrue();
		});
		assertThat(total()).isEqualTo(6);
	}

	@Test
	void runOfAThreadThatHasEndedIsLeftToAnotherOne() throws InterruptedException {
		onAThreadOfTheSameStripe(() -> add("ann"));
		this.recent.empty();
		assertThat(add("ann")).isTrue();
		assertThat(add("ann")).isFalse();
	}

	@Test
	void onlyAFullStripeWaitsForTheWindows() throws InterruptedException {
		AtomicInteger noted = new AtomicInteger();
		Thread caller = new Thread(() -> IntStream.range(0, 100).forEach((i) -> {
			add("key-" + i);
			noted.incrementAndGet();
		}));
		this.windows.lock();
		try {
			caller.start();
			await().until(() -> this.windows.hasQueuedThread(caller));
			assertThat(noted).as("two less than there is room for").hasValue(62);
		}
		finally {
			this.windows.unlock();
		}
		caller.join();
		assertThat(total()).isEqualTo(100);
	}

	private boolean add(String key) {
		return this.recent.add(this.window, key);
	}

	private static void onAThreadOfTheSameStripe(Runnable calls) throws InterruptedException {
		AtomicInteger ended = new AtomicInteger();
		Thread thread = new Thread();
		while ((thread.getId() - Thread.currentThread().getId()) % MOST_STRIPES != 0) {
			thread = new Thread(() -> {
				calls.run();
				ended.incrementAndGet();
			});
		}
		thread.start();
		thread.join();
		assertThat(ended).as("its assertions hold").hasValue(1);
	}

	private long total() {
		this.recent.empty();
		TalkerMerge merged = new TalkerMerge();
		merged.add(ByteBuffer.wrap(this.window.encode(0)), 0);
		return merged.largest(100).total();
	}

}
