package io.github.ratelimit.soak;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

import org.jspecify.annotations.Nullable;

/**
 * Time for which a thread has been ready to run and waited for a processor, as Linux
 * counts it. On other systems it is 0.
 */
final class ProcessorWait {

	private static final ThreadLocal<ProcessorWait> OF_THREAD = ThreadLocal.withInitial(ProcessorWait::new);

	/**
	 * File of the thread that opens it: nanoseconds on a processor, nanoseconds of
	 * waiting, and a count. Unlike a channel it stays open when the thread is
	 * interrupted.
	 */
	private final @Nullable RandomAccessFile file = open();

	private final byte[] text = new byte[80];

	private ProcessorWait() {
	}

	/**
	 * Return the nanoseconds for which the current thread has waited since its start.
	 */
	static long ofThisThread() {
		return OF_THREAD.get().nanos();
	}

	private static @Nullable RandomAccessFile open() {
		try {
			return new RandomAccessFile("/proc/thread-self/schedstat", "r");
		}
		catch (FileNotFoundException ex) {
			return null;
		}
	}

	private long nanos() {
		if (this.file == null) {
			return 0;
		}
		try {
			this.file.seek(0);
			int length = this.file.read(this.text);
			return Long.parseLong(new String(this.text, 0, length, StandardCharsets.US_ASCII).split(" ")[1]);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
