package io.github.ratelimit.benchmarks.measure;

/**
 * Memory in use after a garbage collection.
 *
 * @param bytes the size of all objects
 */
public record Heap(long bytes) {

	/**
	 * Measure the memory in use.
	 */
	public static Heap now() {
		System.gc();
		System.gc(); // what the first one made unreachable
		Runtime runtime = Runtime.getRuntime();
		return new Heap(runtime.totalMemory() - runtime.freeMemory());
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
