package io.github.ratelimit.soak;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * Times until calls were answered. An answer that is late without its stalls fails a run,
 * but proves no fault: threads on which its call depended may have waited for a
 * processor. Of answers in the warm-up, while a new JVM loads and compiles what calls
 * need, only the late ones are counted.
 */
final class AnswerTimes {

	/**
	 * Number of late answers that are described at most.
	 */
	private static final int ENOUGH = 50;

	private final long timeout;

	private final long patience;

	private final BooleanSupplier warmingUp;

	private final LongAdder count = new LongAdder();

	private final LongAdder late = new LongAdder();

	private final LongAdder lateInWarmUp = new LongAdder();

	private final LongAdder lateWithoutStalls = new LongAdder();

	private final AtomicLong longest = new AtomicLong();

	private final AtomicLong longestWithoutStalls = new AtomicLong();

	private final List<String> descriptions = new CopyOnWriteArrayList<>();

	/**
	 * Create times of no answers.
	 * @param timeout the timeout of a call to the store
	 * @param patience the time beyond the timeouts of its calls to the store after which
	 * an answer is late
	 * @param warmingUp whether the warm-up is not over
	 */
	AnswerTimes(Duration timeout, Duration patience, BooleanSupplier warmingUp) {
		this.timeout = timeout.toNanos();
		this.patience = patience.toNanos();
		this.warmingUp = warmingUp;
	}

	/**
	 * Note an answer.
	 * @param nanos the time until it came
	 * @param storeCalls the number of calls to the store that it may have awaited
	 * @param stalls the stalls within that time
	 * @param description the description of the call
	 */
	void add(long nanos, int storeCalls, Supplier<Stalls> stalls, Supplier<String> description) {
		long slowest = storeCalls * this.timeout + this.patience;
		this.count.increment();
		if (this.warmingUp.getAsBoolean()) {
			if (nanos > slowest) {
				this.lateInWarmUp.increment();
			}
			return;
		}
		this.longest.accumulateAndGet(nanos, Math::max);
		if (nanos > Math.min(slowest, this.longestWithoutStalls.get())) {
			judge(nanos, slowest, stalls.get(), description);
		}
	}

	private void judge(long nanos, long slowest, Stalls stalls, Supplier<String> description) {
		long least = nanos - stalls.most();
		this.longestWithoutStalls.accumulateAndGet(least, Math::max);
		if (nanos <= slowest) {
			return;
		}
		this.late.increment();
		if (least > slowest) {
			this.lateWithoutStalls.increment();
			if (this.descriptions.size() < ENOUGH) {
				this.descriptions.add("%d ms, %d ms of pauses, %d ms of waiting for a processor, %s"
					.formatted(millis(nanos), millis(stalls.paused()), millis(stalls.waited()), description.get()));
			}
		}
	}

	private static long millis(long nanos) {
		return Duration.ofNanos(nanos).toMillis();
	}

	long count() {
		return this.count.sum();
	}

	long late() {
		return this.late.sum();
	}

	/**
	 * Return how many answers were late in the warm-up.
	 */
	long lateInWarmUp() {
		return this.lateInWarmUp.sum();
	}

	/**
	 * Return how many answers remain late when their stalls are subtracted.
	 */
	long lateWithoutStalls() {
		return this.lateWithoutStalls.sum();
	}

	Duration longest() {
		return Duration.ofNanos(this.longest.get());
	}

	/**
	 * Return the longest time that is left of an answer without its stalls.
	 */
	Duration longestWithoutStalls() {
		return Duration.ofNanos(this.longestWithoutStalls.get());
	}

	/**
	 * Return descriptions of answers that remain late when their stalls are subtracted.
	 */
	List<String> descriptions() {
		return this.descriptions;
	}

}
