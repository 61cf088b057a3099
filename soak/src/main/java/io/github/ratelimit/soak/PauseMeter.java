package io.github.ratelimit.soak;

import java.util.concurrent.locks.LockSupport;

/**
 * Thread that sleeps for a millisecond again and again, and notes by how much each sleep
 * was too long.
 */
final class PauseMeter implements AutoCloseable {

	private final Thread thread;

	private volatile boolean closed;

	private PauseMeter(RunRecord record) {
		this.thread = new Thread(() -> record.guard(() -> measure(record.pauses())), "pause-meter");
		this.thread.setDaemon(true);
		this.thread.setPriority(Thread.MAX_PRIORITY);
	}

	/**
	 * Measure pauses from now on.
	 */
	static PauseMeter start(RunRecord record) {
		PauseMeter meter = new PauseMeter(record);
		meter.thread.start();
		return meter;
	}

	private void measure(Pauses pauses) {
		while (!this.closed) {
			pauses.alive(System.nanoTime());
			LockSupport.parkNanos(Pauses.INTERVAL.toNanos());
		}
	}

	@Override
	public void close() {
		this.closed = true;
	}

}
