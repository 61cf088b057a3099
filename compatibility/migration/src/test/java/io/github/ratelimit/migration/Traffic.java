package io.github.ratelimit.migration;

import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;

/**
 * Calls made one after the other.
 */
public final class Traffic {

	private Traffic() {
	}

	/**
	 * Return the number of admitted calls.
	 * @param calls the number of calls
	 * @param call returns whether it was admitted
	 */
	public static long admitted(int calls, BooleanSupplier call) {
		return IntStream.range(0, calls).filter((number) -> call.getAsBoolean()).count();
	}

	/**
	 * Return the number of calls that did not throw.
	 * @param calls the number of calls
	 * @param call throws if it is denied
	 * @param denial the exception of a denied call
	 */
	public static long admitted(int calls, Runnable call, Class<? extends RuntimeException> denial) {
		return admitted(calls, () -> {
			try {
				call.run();
				return true;
			}
			catch (RuntimeException ex) {
				if (denial.isInstance(ex)) {
					return false;
				}
				throw ex;
			}
		});
	}

}
