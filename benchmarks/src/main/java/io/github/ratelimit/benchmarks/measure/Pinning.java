package io.github.ratelimit.benchmarks.measure;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.ThreadFactory;

import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordingFile;

/**
 * Access to virtual threads by reflection, since this is compiled for a JDK without them,
 * and detection of pinned carrier threads.
 */
public final class Pinning {

	private Pinning() {
	}

	static ThreadFactory virtualThreads() {
		try {
			Object builder = Thread.class.getMethod("ofVirtual").invoke(null);
			return (ThreadFactory) Class.forName("java.lang.Thread$Builder").getMethod("factory").invoke(builder);
		}
		catch (ReflectiveOperationException ex) {
			throw new IllegalStateException("JDK " + System.getProperty("java.version")
					+ " has no virtual threads. Set LANE_JAVA to the java of JDK 25.", ex);
		}
	}

	/**
	 * Return how often an action pinned a carrier thread.
	 */
	public static long pinned(Runnable action) {
		try (Recording recording = new Recording()) {
			recording.enable("jdk.VirtualThreadPinned").withThreshold(Duration.ZERO);
			recording.start();
			action.run();
			recording.stop();
			Path file = Files.createTempFile("pinned", ".jfr");
			try {
				recording.dump(file);
				return RecordingFile.readAllEvents(file)
					.stream()
					.filter((event) -> event.getEventType().getName().equals("jdk.VirtualThreadPinned"))
					.count();
			}
			finally {
				Files.delete(file);
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
