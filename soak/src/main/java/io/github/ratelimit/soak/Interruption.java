package io.github.ratelimit.soak;

/**
 * Interruption of the thread that creates it, unless it is closed before.
 */
final class Interruption implements Runnable, AutoCloseable {

	private final Thread thread = Thread.currentThread();

	private boolean closed;

	@Override
	public synchronized void run() {
		if (!this.closed) {
			this.thread.interrupt();
		}
	}

	/**
	 * Leave the thread uninterrupted, also later.
	 */
	@Override
	public synchronized void close() {
		this.closed = true;
		Thread.interrupted();
	}

}
