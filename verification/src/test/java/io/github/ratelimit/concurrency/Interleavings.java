package io.github.ratelimit.concurrency;

import org.jetbrains.kotlinx.lincheck.execution.ExecutionResult;
import org.jetbrains.kotlinx.lincheck.execution.ExecutionResultKt;
import org.jetbrains.kotlinx.lincheck.execution.ExecutionScenario;
import org.jetbrains.kotlinx.lincheck.util.ExceptionResult;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Options;
import org.jetbrains.lincheck.datastructures.StressOptions;
import org.jetbrains.lincheck.datastructures.verifier.Verifier;
import org.jspecify.annotations.Nullable;

/**
 * Checks of a class whose operations are called by several threads at once: random
 * scenarios, each in many interleavings, first those that Lincheck chooses at every
 * access to shared memory, then those of real threads. Every result has to be one of the
 * same operations one after the other.
 *
 * <p>
 * {@code ratelimit.test.scenarios} and {@code ratelimit.test.interleavings} set how many.
 * Real threads, which are faster, run {@value #TIMES_BY_THREADS} times as many.
 */
public final class Interleavings {

	private static final int SCENARIOS = Integer.getInteger("ratelimit.test.scenarios", 2);

	private static final int INTERLEAVINGS = Integer.getInteger("ratelimit.test.interleavings", 30);

	private static final int TIMES_BY_THREADS = 10;

	/**
	 * Iterations beyond which a loop is taken for one that never ends. Some tidy up.
	 */
	private static final int LONGEST_LOOP = 200;

	private Interleavings() {
	}

	/**
	 * Check a class by a plain model of it.
	 * @param type has operations, and perhaps a method that validates its state at the
	 * end
	 * @param model has the same operations, and is called by one thread
	 */
	public static void check(Class<?> type, Class<?> model) {
		check(type, model, 2);
	}

	/**
	 * Check a class whose operations have no results.
	 * @param type has operations, and a method that validates its state at the end
	 */
	public static void check(Class<?> type) {
		check(type, null, 2);
	}

	/**
	 * Check a class most of whose operations do something once only, and have no results:
	 * no operation comes before those of several threads.
	 * @param type has operations, and a method that validates its state at the end
	 */
	public static void checkFromTheStart(Class<?> type) {
		check(type, null, 0);
	}

	private static void check(Class<?> type, @Nullable Class<?> model, int before) {
		with(new ModelCheckingOptions().loopBound(LONGEST_LOOP), 2, model, before).check(type);
		with(new StressOptions(), 3, model, before).invocationsPerIteration(TIMES_BY_THREADS * INTERLEAVINGS)
			.check(type);
	}

	private static <T extends Options<T, ?>> T with(T options, int threads, @Nullable Class<?> model, int before) {
		T all = options.iterations(SCENARIOS)
			.invocationsPerIteration(INTERLEAVINGS)
			.threads(threads)
			.actorsBefore(before)
			.actorsPerThread(3)
			.actorsAfter(2);
		return (model != null) ? all.sequentialSpecification(model) : all.verifier(NoResults.class);
	}

	/**
	 * Verifies that operations, which have no results, do not fail.
	 */
	public static final class NoResults implements Verifier {

		/**
		 * Create a verifier, as Lincheck does.
		 * @param type the class that is checked
		 */
		public NoResults(Class<?> type) {
		}

		@Override
		public boolean verifyResults(ExecutionScenario scenario, ExecutionResult results) {
			return ExecutionResultKt.getAllResults(results)
				.stream()
				.noneMatch((result) -> result instanceof ExceptionResult);
		}

	}

}
