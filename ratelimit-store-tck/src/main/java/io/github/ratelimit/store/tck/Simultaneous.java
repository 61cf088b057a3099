package io.github.ratelimit.store.tck;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

import io.github.ratelimit.store.RateLimitStore;

/**
 * Calls by many threads at once, of one instance after the other.
 */
final class Simultaneous {

	static final int THREADS = 50;

	private Simultaneous() {
	}

	/**
	 * Make calls that all begin when the threads do.
	 * @return the results, in the order of the calls
	 */
	static <T> List<T> calls(int count, List<RateLimitStore> instances, Call<T> call) throws Exception {
		ExecutorService threads = Executors.newFixedThreadPool(THREADS);
		try {
			CountDownLatch start = new CountDownLatch(1);
			List<Future<T>> calls = new ArrayList<>();
			for (int i = 0; i < count; i++) {
				int number = i;
				calls.add(threads.submit(() -> {
					start.await();
					return call.by(instances.get(number % instances.size()), number);
				}));
			}
			start.countDown();
			List<T> results = new ArrayList<>();
			for (Future<T> each : calls) {
				results.add(each.get());
			}
			return results;
		}
		finally {
			threads.shutdownNow();
		}
	}

	/**
	 * Call of an instance.
	 */
	interface Call<T> {

		T by(RateLimitStore store, int number);

	}

}
