package io.github.ratelimit.engine;

import java.util.concurrent.Executor;
import java.util.function.BiConsumer;
import java.util.function.Predicate;

import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.Demands;
import io.github.ratelimit.store.RemoteStore;
import io.github.ratelimit.store.FallbackStore;
import io.github.ratelimit.store.StoreException;

/**
 * Loop that charges the counts of the fallback to the store as soon as that answers,
 * after an outage and after a single failed call. One {@link ChargePass} runs at a time,
 * off the callers' path, and one with a failed charge is repeated after a pause. Open
 * circuits do not matter: one that never opens would grant a second quota as well.
 *
 * <p>
 * Counts are charged, and calls are not replayed: that would need the times of all calls,
 * and states that merge. A charge counts as of now, which is stricter by one period at
 * most. A charge whose reply is lost is repeated. It may count twice, but neither beyond
 * {@code max} nor for longer than a period; to prevent that, each key would need another
 * one for the identifiers of its charges.
 */
final class FallbackCharges {

	/**
	 * Largest number of pauses between two passes that fail.
	 */
	private static final int LONGEST_PAUSE = 10;

	private final FallbackStore fallback;

	private final RemoteStore store;

	private final Predicate<Object> isSilent;

	private final BiConsumer<Demand, StoreException> failures;

	private final Executor worker;

	private final Executor afterPause;

	private boolean running;

	private boolean again;

	private int pause = 1;

	private boolean pausing;

	private boolean closed;

	/**
	 * Create a new loop.
	 * @param fallback the fallback whose counts are charged
	 * @param store the store they are charged to
	 * @param isSilent whether a failure domain of the store does not answer
	 * @param failures gets failures of the store, each with a demand that it concerns
	 * @param worker runs passes
	 * @param afterPause runs passes after a pause
	 */
	FallbackCharges(FallbackStore fallback, RemoteStore store, Predicate<Object> isSilent,
			BiConsumer<Demand, StoreException> failures, Executor worker, Executor afterPause) {
		this.fallback = fallback;
		this.store = store;
		this.isSilent = isSilent;
		this.failures = failures;
		this.worker = worker;
		this.afterPause = afterPause;
	}

	/**
	 * Charge the counts of a call that the fallback has counted, unless the store is
	 * silent. After a charge that failed, the next pass after the pause does so: as long
	 * as charges are refused, passes without pauses would keep a processor busy.
	 */
	void counted(Demands demands) {
		for (Demand demand : demands.asList()) {
			if (demand.cost() > 0 && !this.isSilent.test(this.store.failureDomain(demand))) {
				chargeUnlessPausing();
				return;
			}
		}
	}

	private synchronized void chargeUnlessPausing() {
		if (!this.pausing) {
			charge();
		}
	}

	synchronized void charge() {
		if (this.running) {
			this.again = !this.closed;
		}
		else if (!this.closed) {
			start();
		}
	}

	private void start() {
		this.running = true;
		try {
			this.worker.execute(
					new ChargePass(this.fallback, this.store, this.isSilent, this.failures, this.worker, this::ended));
		}
		catch (RuntimeException | OutOfMemoryError ex) { // no thread
			ended(true);
		}
	}

	private void ended(boolean failed) {
		int pauses;
		boolean retry;
		synchronized (this) {
			this.running = false;
			retry = failed && !this.pausing;
			this.pausing |= failed;
			pauses = failed ? this.pause : 1;
			this.pause = retry ? Math.min(LONGEST_PAUSE, 2 * pauses) : pauses;
			boolean again = this.again;
			this.again = false;
			if (again) {
				start();
			}
		}
		if (retry) {
			chargeAfter(pauses);
		}
	}

	private void chargeAfter(int pauses) {
		this.afterPause.execute(() -> {
			if (pauses > 1) {
				chargeAfter(pauses - 1);
			}
			else {
				chargeAgain();
			}
		});
	}

	private synchronized void chargeAgain() {
		this.pausing = false;
		charge();
	}

	synchronized void close() {
		this.closed = true;
		this.again = false;
	}

}
