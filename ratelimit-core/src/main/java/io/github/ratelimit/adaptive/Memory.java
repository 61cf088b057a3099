package io.github.ratelimit.adaptive;

import java.nio.file.Path;
import java.util.function.LongSupplier;

/**
 * Signal {@code memory}, on two scales. The heap in use includes garbage that is not
 * collected yet.
 */
final class Memory {

	private final LongSupplier heapUsed;

	private final long maxHeap;

	private final ContainerMemory container;

	Memory(LongSupplier heapUsed, long maxHeap, ContainerMemory container) {
		this.heapUsed = heapUsed;
		this.maxHeap = maxHeap;
		this.container = container;
	}

	static Memory ofThisProcess() {
		Runtime runtime = Runtime.getRuntime();
		return new Memory(() -> runtime.totalMemory() - runtime.freeMemory(), runtime.maxMemory(),
				new ContainerMemory(Path.of("/sys/fs/cgroup"), Path.of("/proc/self/cgroup")));
	}

	/**
	 * Return the used fraction of the heap, or of the container if that has a limit and
	 * is fuller.
	 */
	double fraction() {
		double heap = (double) this.heapUsed.getAsLong() / this.maxHeap;
		ContainerMemory.Usage usage = this.container.read();
		return (usage != null) ? Math.max(heap, (double) usage.used() / usage.limit()) : heap;
	}

	/** Return the used bytes of the container if it has a limit, else of the heap. */
	double bytes() {
		ContainerMemory.Usage usage = this.container.read();
		return (usage != null) ? usage.used() : this.heapUsed.getAsLong();
	}

}
