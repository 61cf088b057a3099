package io.github.ratelimit.top;

import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.awaitility.Awaitility.await;

/**
 * Calls that are only counted as repeats, and calls that wait for the windows.
 */
class RecentCallsTests {

	private static final int MOST_STRIPES = 32;

	private final RecentCalls recent = new RecentCalls(() -> 0);

	private final TalkerWindow[] windows = windows();

	private static TalkerWindow[] windows() {
		return Stream.generate(() -> new TalkerWindow(100)).limit(RecentCalls.PARTS).toArray(TalkerWindow[]::new);
	}

	@Test
	void callIsOnlyCountedIfItRepeatsOneThatRepeatedAnother() {
		assertThat(add("ann")).isTrue();
		assertThat(add("ann")).isTrue();
		assertThat(add("ann")).isFalse();
		assertThat(this.recent.add(windows(), "ann")).as("of another rule").isTrue();
		assertThat(add("bob")).isTrue();
		assertThat(add("ann")).as("the run goes on").isFalse();
		assertThat(add("bob")).isTrue();
		assertThat(add("bob")).isFalse();
		assertThat(add("ann")).isTrue();
		this.recent.empty();
		assertThat(add("bob")).as("after the stripes were emptied").isTrue();
		assertThat(add("bob")).isTrue();
		assertThat(add("bob")).isFalse();
		assertThat(total()).isEqualTo(11);
	}

	@Test
	void threadWhoseStripeHasTheRunOfAnotherOneNotesEachCall() throws InterruptedException {
		add("ann");
		add("ann");
		onAThreadOfTheSameStripe(
				() -> IntStream.range(0, 3).forEach((call) -> assertThat(add("ann")).as("call %s", call).isTrue()));
		assertThat(add("ann")).as("the run goes on").isFalse();
		this.recent.empty();
		onAThreadOfTheSameStripe(() -> IntStream.range(0, 3)
			.forEach((call) -> assertThat(add("ann")).as("call %s, the thread of the run lives", call).isTrue()));
		assertThat(total()).isEqualTo(9);
	}

	@Test
	void runOfAThreadThatHasEndedIsLeftToAnotherOne() throws InterruptedException {
		onAThreadOfTheSameStripe(() -> IntStream.range(0, 2).forEach((call) -> add("ann")));
		this.recent.empty();
		assertThat(add("ann")).isTrue();
		assertThat(add("ann")).isTrue();
		assertThat(add("ann")).isFalse();
	}

	@Test
	void onlyAFullStripeWaitsForItsPartOfTheWindows() throws InterruptedException {
		AtomicInteger noted = new AtomicInteger();
		Thread caller = new Thread(() -> IntStream.range(0, 100).forEach((i) -> {
			add("key-" + i);
			noted.incrementAndGet();
		}));
		int itsPart = (int) caller.getId() % RecentCalls.PARTS;
		this.recent.useParts((part) -> {
			if (part == itsPart) {
				caller.start();
				await().until(() -> caller.getState() == Thread.State.WAITING);
				assertThat(noted).as("two less than there is room for").hasValue(62);
			}
		});
		caller.join();
		assertThat(total()).isEqualTo(100);
	}

	@Test
	void stripesOfDifferentPartsDoNotWaitForEachOther() throws InterruptedException {
		Thread caller = new Thread(() -> IntStream.range(0, 100).forEach((i) -> add("key-" + i)));
		int itsPart = (int) caller.getId() % RecentCalls.PARTS;
		this.recent.useParts((part) -> {
			if (part == (itsPart + 1) % RecentCalls.PARTS) {
				caller.start();
				await().until(() -> !caller.isAlive());
			}
		});
		assertThat(total()).isEqualTo(100);
	}

	@Test
	void errorWhileACallIsCountedLosesThatCallAlone() {
		add("ann");
		this.recent.add(new TalkerWindow[RecentCalls.PARTS], "nowhere");
		add("bob");
		assertThatNullPointerException().isThrownBy(this.recent::empty);
		assertThat(total()).isEqualTo(2);
	}

	private boolean add(String key) {
		return this.recent.add(this.windows, key);
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
		this.recent.useParts((part) -> merged.add(ByteBuffer.wrap(this.windows[part].encode(0)), 0));
		return merged.largest(100).total();
	}

}
