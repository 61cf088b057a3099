package io.github.ratelimit.concurrency;

import java.lang.reflect.Method;
import java.util.List;
import java.util.Objects;

import org.jetbrains.kotlinx.lincheck.Actor;
import org.jetbrains.kotlinx.lincheck.execution.ExecutionResult;
import org.jetbrains.kotlinx.lincheck.execution.ExecutionResultKt;
import org.jetbrains.kotlinx.lincheck.execution.ExecutionScenario;
import org.jetbrains.kotlinx.lincheck.util.ExceptionResult;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Options;
import org.jetbrains.lincheck.datastructures.StressOptions;
import org.jetbrains.lincheck.datastructures.verifier.Verifier;
import org.jspecify.annotations.Nullable;

import org.springframework.util.ReflectionUtils;

/**
 * Checks of a class whose operations are called by several threads at once: random
 * scenarios, each in many interleavings, first those that Lincheck chooses at every
 * access to shared memory, then those of real threads. Every result has to be one of the
 * same operations one after the other.
 *
 * <p>
 * {@code ratelimit.test.scenarios} and {@code ratelimit.test.interleavings} set how many.
 * Real threads, which are faster, run {@code ratelimit.test.times-by-threads} times as
 * many, 10 by default.
 */
public final class Interleavings {

	private static final int SCENARIOS = Integer.getInteger("ratelimit.test.scenarios", 2);

	private static final int INTERLEAVINGS = Integer.getInteger("ratelimit.test.interleavings", 30);

	private static final int TIMES_BY_THREADS = Integer.getInteger("ratelimit.test.times-by-threads", 10);

	private static final int OF_ONE_SCENARIO = 300;

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

	/**
	 * Check one scenario of a class whose operations have no results, which has failed
	 * before.
	 * @param type has operations, and a method that validates its state at the end
	 * @param first a call before those of several threads
	 * @param threads the calls of each thread
	 */
	public static void check(Class<?> type, Call first, List<List<Call>> threads) {
		List<List<Actor>> parallel = threads.stream()
			.map((calls) -> calls.stream().map((call) -> call.of(type)).toList())
			.toList();
		new ModelCheckingOptions().loopBound(LONGEST_LOOP)
			.iterations(0)
			.invocationsPerIteration(OF_ONE_SCENARIO)
			.verifier(NoResults.class)
			.addCustomScenario(new ExecutionScenario(List.of(first.of(type)), parallel, List.of(), null))
			.check(type);
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
	 * Call of an operation.
	 *
	 * @param operation the name of the method, of which there is one
	 */
	public record Call(String operation, Object... arguments) {

		private Actor of(Class<?> type) {
			Method method = Objects.requireNonNull(ReflectionUtils.findMethod(type, this.operation, (Class<?>[]) null));
			return new Actor(method, List.of(this.arguments), false, false, false, false, false);
		}

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
