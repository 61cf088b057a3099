package io.github.ratelimit.adaptive;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;

import org.jspecify.annotations.Nullable;

/** Load signal and its last value. */
final class Load {

	private static final Logger logger = System.getLogger(Load.class.getName());

	/** Time that a reading may take before a warning. */
	private static final Duration PATIENCE = Duration.ofSeconds(5);

	/** Time between two warnings. */
	private static final Duration PAUSE = Duration.ofMinutes(1);

	private final String name;

	private final LoadSignal signal;

	private final LongSupplier clock;

	private volatile double value = Double.NaN;

	private boolean failing;

	private final AtomicBoolean beingRead = new AtomicBoolean();

	private volatile long begun;

	private volatile boolean silent;

	private volatile long lastWarned;

	Load(String name, LoadSignal signal) {
		this(name, signal, System::nanoTime);
	}

	/**
	 * Create a new load, not read yet.
	 * @param clock nanoseconds, as of {@link System#nanoTime()}
	 */
	Load(String name, LoadSignal signal, LongSupplier clock) {
		this.name = name;
		this.signal = signal;
		this.clock = clock;
		this.lastWarned = clock.getAsLong() - PAUSE.toNanos();
	}

	/** Return the last value, or {@link Double#NaN} if there was none yet. */
	double value() {
		return this.value;
	}

	boolean isKnown() {
		return !Double.isNaN(this.value);
	}

	/**
	 * Begin to read the signal, to be followed by {@link #read()} or {@link #notRead}.
	 * @return whether it is not being read already
	 */
	boolean begin() {
		if (this.beingRead.compareAndSet(false, true)) {
			this.begun = this.clock.getAsLong();
			return true;
		}
		return false;
	}

	/** Read the signal, which may hang, and return whether the value has changed. */
	boolean read() {
		try {
			return readNow();
		}
		finally {
			this.beingRead.set(false);
		}
	}

	/** Note that the signal was not read, because no thread could be started. */
	void notRead(OutOfMemoryError failure) {
		this.beingRead.set(false);
		failed("cannot be read", failure);
	}

	/** Note that the signal should be read again, but is still being read. */
	void stillBeingRead() {
		long now = this.clock.getAsLong();
		if (now - this.begun >= PATIENCE.toNanos() && now - this.lastWarned >= PAUSE.toNanos()) {
			warnOfSilence();
		}
	}

	void warnOfSilence() {
		this.lastWarned = this.clock.getAsLong();
		this.silent = true;
		logger.log(Level.WARNING, "The load signal \"" + this.name + "\" does not answer. " + meanwhile()
				+ " Let its value() return sooner.");
	}

	private void answered() {
		if (this.silent) {
			this.silent = false;
			logger.log(Level.INFO, "The load signal \"" + this.name + "\" answers again.");
		}
	}

	private boolean readNow() {
		double read;
		try {
			read = this.signal.value();
		}
		catch (Throwable ex) {
			failed("fails", ex);
			return false;
		}
		if (Double.isNaN(read)) {
			failed("returns NaN", null);
			return false;
		}
		answered();
		if (this.failing) {
			this.failing = false;
			logger.log(Level.INFO, "The load signal \"" + this.name + "\" gives values again.");
		}
		boolean changed = read != this.value;
		this.value = read;
		return changed;
	}

	private void failed(String how, @Nullable Throwable failure) {
		if (isInterruption(failure)) {
			return;
		}
		answered();
		if (this.failing) {
			return;
		}
		this.failing = true;
		logger.log(Level.WARNING, "The load signal \"" + this.name + "\" " + how + ". " + meanwhile(), failure);
	}

	private String meanwhile() {
		return isKnown() ? "Its last value, " + this.value + ", holds meanwhile."
				: "Limits that follow it keep their own max meanwhile.";
	}

	/** Return whether a reading was interrupted because the application is closed. */
	private static boolean isInterruption(@Nullable Throwable failure) {
		return failure != null
				&& (failure instanceof InterruptedException || failure.getCause() instanceof InterruptedException);
	}

	@Override
	public String toString() {
		return this.name;
	}

}
