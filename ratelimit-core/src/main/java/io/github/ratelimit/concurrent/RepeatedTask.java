package io.github.ratelimit.concurrent;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * Task that a thread of its own repeats after each pause, as long as it is needed. No
 * failure ends it: after one that throws, even for lack of memory, it is repeated.
 * Executors of the JDK drop a periodic task that throws, a delayed one for which there is
 * no thread, and their own thread if there is no memory to wait.
 *
 * @since 0.1.0
 */
public class RepeatedTask implements AutoCloseable {

	private static final Logger logger = System.getLogger(RepeatedTask.class.getName());

	private final String name;

	private final long pause;

	private final BooleanSupplier task;

	private volatile boolean needed;

	private boolean running;

	private boolean hurried;

	private boolean closed;

	/**
	 * Create a task that is not needed yet.
	 * @param name the name of its thread
	 * @param pause the pause before each repetition
	 * @param task returns whether it is needed again
	 */
	public RepeatedTask(String name, Duration pause, BooleanSupplier task) {
		this.name = name;
		this.pause = TimeUnit.NANOSECONDS.convert(pause);
		this.task = task;
	}

	/** Repeat the task from now on, unless it is repeated already. */
	public void wake() {
		if (!this.needed) {
			this.needed = true;
			start();
		}
	}

	/** Repeat the task from now on, the first time without a pause. */
	public void wakeNow() {
		hurry();
		wake();
	}

	private synchronized void hurry() {
		this.hurried = true;
		notifyAll();
	}

	private synchronized void start() {
		if (this.running || this.closed) {
			return;
		}
		this.running = true;
		try {
			thread().start();
		}
		catch (Throwable ex) { // no thread
			this.running = false;
			this.needed = false;
			wakeLater();
		}
	}

	/** Create a thread that inherits nothing from the call that needs it first. */
	Thread thread() {
		Thread thread = new Thread(null, this::run, this.name, 0, false);
		thread.setContextClassLoader(RepeatedTask.class.getClassLoader());
		thread.setDaemon(true);
		return thread;
	}

	private void wakeLater() {
		try {
			CompletableFuture.delayedExecutor(this.pause, TimeUnit.NANOSECONDS, Runnable::run).execute(this::wake);
		}
		catch (Throwable ex) { // no timer either, so the next call wakes it
			this.needed = false;
		}
	}

	private void run() {
		while (isNeeded()) {
			try {
				if (sleep()) {
					repeat();
				}
			}
			catch (Throwable ex) { // not even memory to log it
				this.needed = true;
			}
		}
	}

	private synchronized boolean isNeeded() {
		this.running = this.needed && !this.closed;
		return this.running;
	}

	/** Sleep, unless there is a hurry, and return whether this task is still open. */
	private synchronized boolean sleep() throws InterruptedException {
		if (!this.closed && !this.hurried) {
			TimeUnit.NANOSECONDS.timedWait(this, this.pause);
		}
		this.hurried = false;
		return !this.closed;
	}

	private void repeat() {
		this.needed = false;
		try {
			if (this.task.getAsBoolean()) {
				this.needed = true;
			}
		}
		catch (Throwable ex) {
			this.needed = true;
			logger.log(Level.DEBUG, "A task of " + this.name + " is repeated", ex);
		}
	}

	@Override
	public synchronized void close() {
		this.closed = true;
		notifyAll();
	}

}
