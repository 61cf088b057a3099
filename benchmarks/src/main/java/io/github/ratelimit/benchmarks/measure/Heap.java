package io.github.ratelimit.benchmarks.measure;

/**
 * Memory in use after a garbage collection.
 *
 * @param bytes the size of all objects
 */
public record Heap(long bytes) {

	private static final long UNCHANGED = 10_000;

	/**
	 * Measure the memory in use, when a collection frees no more of it: each makes others
	 * unreachable.
	 */
	public static Heap now() {
		long before;
		long used = Long.MAX_VALUE;
		do {
			before = used;
			System.gc();
			Runtime runtime = Runtime.getRuntime();
			used = runtime.totalMemory() - runtime.freeMemory();
		}
		while (before - used > UNCHANGED);
		return new Heap(used);
	}

	/**
	 * Return how much memory has been added since then.
	 * @param units the number of things that use it
	 * @param unit the name of one of them
	 */
	public String perUnit(int units, String unit) {
		return "%,d bytes per %s".formatted(Math.max(0, now().bytes - this.bytes) / units, unit);
	}

}
