package io.github.ratelimit.benchmarks.measure;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;

import org.HdrHistogram.Histogram;

/**
 * Callers that block, each on a thread of its own.
 *
 * @param count the number of threads
 * @param factory the factory of the threads
 */
public record Threads(int count, ThreadFactory factory) implements Load {

	@Override
	public Measurement run(Contender contender, Keys keys, Duration duration) {
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
			threads.add(this.factory.newThread(() -> call(contender, next, end, latencies, allowed, failed)));
		}
		threads.forEach(Thread::start);
		join(threads);
		Duration took = Duration.ofNanos(System.nanoTime() - start);
		Histogram all = Latencies.histogram();
		histograms.forEach(all::add);
		return new Measurement(all.getTotalCount(), allowed.sum(), failed.sum(), took, all, Duration.ZERO);
	}

	@Override
	public Load callers(int other) {
		return new Threads(other, this.factory);
	}

	private static void call(Contender contender, Supplier<String> next, long end, Histogram latencies,
			LongAdder allowed, LongAdder failed) {
		long admitted = 0;
		long before = System.nanoTime();
		while (before - end < 0) {
			try {
				admitted += contender.tryAcquire(next.get()) ? 1 : 0;
			}
			catch (RuntimeException ex) {
				failed.increment();
			}
			long after = System.nanoTime();
			latencies.recordValue(Latencies.recordable(after - before));
			before = after;
		}
		allowed.add(admitted);
	}

	private static void join(List<Thread> threads) {
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

}
