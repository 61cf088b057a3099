package io.github.ratelimit.benchmarks.measure;

import java.io.IOException;
import java.util.Arrays;
import java.util.stream.Collectors;

/**
 * Process that started this application as its {@link Child}.
 */
public final class Parent {

	/**
	 * Start of the line that an application prints when it is ready.
	 */
	static final String READY = "ready ";

	private Parent() {
	}

	/**
	 * Report that this application is ready, and wait until the parent stops it.
	 * @param numbers the port, the start time in milliseconds, and the retained bytes, as
	 * far as they are measured
	 * @see Child#port()
	 * @see Child#startMillis()
	 * @see Child#retainedBytes()
	 */
	public static void serve(long... numbers) throws IOException {
		System.out.println(READY + Arrays.stream(numbers).mapToObj(Long::toString).collect(Collectors.joining(" ")));
		while (System.in.read() != -1) {
			continue;
		}
	}

}
