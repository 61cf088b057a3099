package io.github.ratelimit.benchmarks.session;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * Processor time of the machine since its start, as {@code /proc/stat} counts it.
 *
 * @param total the time of all processors, idle time included
 * @param stolen the time in which another virtual machine had the processor
 */
record ProcessorTime(long total, long stolen) {

	private static final int STOLEN = 7;

	/**
	 * Guest time is part of user time.
	 */
	private static final int WITHOUT_GUESTS = 8;

	/**
	 * Read the time as of now. It stays 0 where there is no {@code /proc/stat}.
	 */
	static ProcessorTime now() {
		Path file = Path.of("/proc/stat");
		if (!Files.exists(file)) {
			return new ProcessorTime(0, 0);
		}
		try {
			return parse(Files.readAllLines(file).get(0));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	static ProcessorTime parse(String line) {
		long[] times = Arrays.stream(line.split("\\s+")).skip(1).mapToLong(Long::parseLong).toArray();
		return new ProcessorTime(Arrays.stream(times).limit(WITHOUT_GUESTS).sum(), times[STOLEN]);
	}

	/**
	 * Return the percentage of the time since then that was stolen.
	 */
	double percentStolenSince(ProcessorTime before) {
		return 100.0 * (this.stolen - before.stolen) / Math.max(1, this.total - before.total);
	}

}
