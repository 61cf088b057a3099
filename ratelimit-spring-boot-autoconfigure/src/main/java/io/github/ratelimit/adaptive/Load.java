package io.github.ratelimit.adaptive;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;

import org.jspecify.annotations.Nullable;

/**
 * A signal and the last value it gave.
 */
final class Load {

	private static final Logger logger = System.getLogger(Load.class.getName());

	private final String name;

	private final LoadSignal signal;

	private volatile double value = Double.NaN;

	private boolean failing;

	Load(String name, LoadSignal signal) {
		this.name = name;
		this.signal = signal;
	}

	/**
	 * The last value.
	 * @return the value, or {@link Double#NaN} if there was none yet
	 */
	double value() {
		return this.value;
	}

	boolean isKnown() {
		return !Double.isNaN(this.value);
	}

	/**
	 * Read the signal.
	 * @return whether the value has changed
	 */
	synchronized boolean read() {
		double read;
		try {
			read = this.signal.value();
		}
		catch (Throwable ex) {
			failed("fails", ex);
			return false;
		}
		if (Double.isNaN(read)) {
			failed("gives no number", null);
			return false;
		}
		if (this.failing) {
			this.failing = false;
			logger.log(Level.INFO, "The load signal \"" + this.name + "\" gives values again.");
		}
		boolean changed = read != this.value;
		this.value = read;
		return changed;
	}

	private void failed(String how, @Nullable Throwable failure) {
		if (this.failing || isInterruption(failure)) {
			return;
		}
		this.failing = true;
		String meanwhile = isKnown() ? "Its last value, " + this.value + ", holds meanwhile."
				: "Limits that follow it keep their own max meanwhile.";
		logger.log(Level.WARNING, "The load signal \"" + this.name + "\" " + how + ". " + meanwhile, failure);
	}

	/**
	 * So ends a signal that is being read when the application is closed.
	 */
	private static boolean isInterruption(@Nullable Throwable failure) {
		return failure != null
				&& (failure instanceof InterruptedException || failure.getCause() instanceof InterruptedException);
	}

	@Override
	public String toString() {
		return this.name;
	}

}
