package io.github.ratelimit.benchmarks.measure;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;

import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * Callers that do not block: when one call is decided, the next one follows.
 *
 * @param count the number of calls in flight
 */
record InFlight(int count) implements Load {

	@Override
	public Measurement run(Contender contender, Keys keys, Duration duration) {
		Histogram latencies = Latencies.shared();
		LongAdder failed = new LongAdder();
		CountDownLatch callers = new CountDownLatch(this.count);
		long start = System.nanoTime();
		for (int i = 0; i < this.count; i++) {
			new Caller(contender, keys.forCaller(), start + duration.toNanos(), latencies, failed, callers).call();
		}
		try {
			callers.await();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException("Interrupted while measuring", ex);
		}
		Duration took = Duration.ofNanos(System.nanoTime() - start);
		return new Measurement(latencies.getTotalCount(), latencies.getTotalCount() - failed.sum(), failed.sum(), took,
				latencies, Duration.ZERO);
	}

	@Override
	public Load callers(int other) {
		return new InFlight(other);
	}

	private record Caller(Contender contender, Supplier<String> next, long end, Histogram latencies, LongAdder failed,
			CountDownLatch callers) {

		/**
		 * Make calls. Those that are decided at once follow each other in a loop, so that
		 * the stack does not grow.
		 */
		void call() {
			long before = System.nanoTime();
			while (before - this.end < 0) {
				long start = before;
				CompletableFuture<?> answer = this.contender.tryAcquireAsync(this.next.get()).toCompletableFuture();
				if (!answer.isDone()) {
					answer.whenComplete((decision, failure) -> {
						answered(start, failure);
						call();
					});
					return;
				}
				answered(start, answer.isCompletedExceptionally() ? new IllegalStateException() : null);
				before = System.nanoTime();
			}
			this.callers.countDown();
		}

		private void answered(long start, @Nullable Throwable failure) {
			this.latencies.recordValue(Latencies.recordable(System.nanoTime() - start));
			if (failure != null) {
				this.failed.increment();
			}
		}

	}

}
