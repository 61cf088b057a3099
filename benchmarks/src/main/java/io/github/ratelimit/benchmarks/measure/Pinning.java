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
 * Virtual threads, on a JDK that has them (this is compiled for one that has not), and
 * whether they stay on their carrier while they wait.
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
	 * How often something kept its carrier thread while it blocked.
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
