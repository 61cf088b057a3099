package io.github.ratelimit.benchmarks.measure;

import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;

/**
 * Check of the number of calls admitted when many threads call with one key.
 */
public final class Exactness {

	private static final int THREADS = 64;

	private static final String KEY = "scarce-00000001";

	private Exactness() {
	}

	/**
	 * Make three times as many calls as the quota allows.
	 * @return a sentence with the admissions of each contender
	 */
	public static String check(Quota quota, List<Contender> contenders) {
		return contenders.stream()
			.map((contender) -> contender.name() + " " + admissions(quota, contender))
			.collect(Collectors.joining(", ", "Admitted of %,d, by %d threads that made %,d calls: "
				.formatted(quota.max(), THREADS, calls(quota) * THREADS), "."));
	}

	/**
	 * Return the number of calls of each thread.
	 */
	private static long calls(Quota quota) {
		return 3 * quota.max() / THREADS;
	}

	/**
	 * Return the number of admissions, or the failure of a contender that does not stand
	 * so many threads.
	 */
	private static String admissions(Quota quota, Contender contender) {
		try {
			return "%,d".formatted(admitted(quota, contender));
		}
		catch (ExecutionException ex) {
			return "failed (" + ex.getCause() + ")";
		}
	}

	private static long admitted(Quota quota, Contender contender) throws ExecutionException {
		ExecutorService threads = Executors.newFixedThreadPool(THREADS);
		Callable<Long> caller = () -> {
			long admitted = 0;
			for (long i = 0; i < calls(quota); i++) {
				admitted += contender.tryAcquire(KEY) ? 1 : 0;
			}
			return admitted;
		};
		try {
			long sum = 0;
			for (Future<Long> admitted : threads.invokeAll(Collections.nCopies(THREADS, caller))) {
				sum += admitted.get();
			}
			return sum;
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(contender.name(), ex);
		}
		finally {
			threads.shutdown();
		}
	}

}
