package io.github.ratelimit.benchmarks.measure;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;

import org.HdrHistogram.Histogram;

/**
 * Callers that block, each on a thread of its own. A call that follows one of less than a
 * microsecond is timed only once in 16 calls, because reading the clock would be most of
 * it.
 *
 * @param count the number of threads
 * @param factory the factory of the threads
 */
public record Threads(int count, ThreadFactory factory) implements Load {

	private static final long QUICK_NANOS = 1_000;

	private static final int QUICK_CALLS = 15;

	@Override
	public Measurement run(Contender contender, Keys keys, Duration duration) {
		LongAdder calls = new LongAdder();
		LongAdder allowed = new LongAdder();
		LongAdder failed = new LongAdder();
		List<Histogram> histograms = new ArrayList<>();
		List<Thread> threads = new ArrayList<>();
		long start = System.nanoTime();
		long end = start + duration.toNanos();
		for (int i = 0; i < this.count; i++) {
			Histogram latencies = Latencies.histogram();
			Supplier<String> next = keys.forCaller();
			histograms.add(latencies);
			threads.add(this.factory
				.newThread(() -> new Caller(contender, next, calls, allowed, failed).call(end, latencies)));
		}
		threads.forEach(Thread::start);
		join(threads);
		Duration took = Duration.ofNanos(System.nanoTime() - start);
		Histogram all = Latencies.histogram();
		histograms.forEach(all::add);
		return new Measurement(calls.sum(), allowed.sum(), failed.sum(), took, all, Duration.ZERO);
	}

	@Override
	public Load callers(int other) {
		return new Threads(other, this.factory);
	}

	/**
	 * Wait until threads have ended.
	 * @throws IllegalStateException if this thread is interrupted
	 */
	public static void join(List<Thread> threads) {
		try {
			for (Thread thread : threads) {
				thread.join();
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException("Interrupted while measuring", ex);
		}
	}

	private record Caller(Contender contender, Supplier<String> next, LongAdder calls, LongAdder allowed,
			LongAdder failed) {

		void call(long end, Histogram latencies) {
			long count = 0;
			long admitted = 0;
			long after = System.nanoTime();
			while (after - end < 0) {
				long before = after;
				admitted += admit();
				after = System.nanoTime();
				latencies.recordValue(Latencies.recordable(after - before));
				count++;
				if (after - before < QUICK_NANOS) {
					for (int i = 0; i < QUICK_CALLS; i++) {
						admitted += admit();
					}
					count += QUICK_CALLS;
					after = System.nanoTime();
				}
			}
			this.calls.add(count);
			this.allowed.add(admitted);
		}

		private int admit() {
			try {
				return this.contender.tryAcquire(this.next.get()) ? 1 : 0;
			}
			catch (RuntimeException ex) {
				this.failed.increment();
				return 0;
			}
		}

	}

}
