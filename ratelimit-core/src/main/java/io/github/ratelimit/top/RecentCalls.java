package io.github.ratelimit.top;

import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

import io.github.ratelimit.store.StoredKey;

/**
 * Calls that are not in their windows yet. Each thread notes its calls in a stripe, which
 * is emptied into the windows when it is half full, unless another thread is doing that
 * with its own stripe. Only a full stripe waits for it. So no call is lost, and threads
 * that note calls at the same time do not wait for each other.
 */
final class RecentCalls {

	private static final int CAPACITY = 64;

	/**
	 * Integers between the fields of two stripes, so that they are in different cache
	 * lines.
	 */
	private static final int SPACING = 32;

	private final Object[][] noted;

	/**
	 * For each stripe, 1 while a thread uses it.
	 */
	private final AtomicIntegerArray inUse;

	private final int[] lengths;

	/**
	 * For each stripe, the time of its first call.
	 */
	private final long[] begun;

	private final ReentrantLock windows;

	private final LongSupplier clock;

	/**
	 * Create an instance.
	 * @param windows locks all windows
	 * @param clock the time in nanoseconds
	 */
	RecentCalls(ReentrantLock windows, LongSupplier clock) {
		int stripes = 2 * Integer.highestOneBit(Math.min(Runtime.getRuntime().availableProcessors(), 16));
		this.noted = new Object[stripes][2 * CAPACITY];
		this.inUse = new AtomicIntegerArray(stripes * SPACING);
		this.lengths = new int[stripes * SPACING];
		this.begun = new long[stripes * SPACING];
		this.windows = windows;
		this.clock = clock;
	}

	/**
	 * Note a call.
	 * @param window counts the call
	 */
	void add(TalkerWindow window, StoredKey key) {
		int stripe = acquire((int) Thread.currentThread().getId());
		try {
			Object[] calls = this.noted[stripe];
			int length = this.lengths[stripe * SPACING];
			if (length == 0) {
				this.begun[stripe * SPACING] = this.clock.getAsLong();
			}
			calls[length] = window;
			calls[length + 1] = key;
			this.lengths[stripe * SPACING] = length + 2;
			if (length + 2 >= CAPACITY) {
				empty(stripe, length + 2 == calls.length);
			}
		}
		finally {
			release(stripe);
		}
	}

	private int acquire(int preferred) {
		int stripes = this.noted.length;
		for (int i = 0;; i++) {
			int stripe = (preferred + i) & (stripes - 1);
			if (tryAcquire(stripe)) {
				return stripe;
			}
			if (i >= stripes) {
				Thread.yield();
			}
		}
	}

	private boolean tryAcquire(int stripe) {
		return this.inUse.get(stripe * SPACING) == 0 && this.inUse.compareAndSet(stripe * SPACING, 0, 1);
	}

	private void release(int stripe) {
		this.inUse.setRelease(stripe * SPACING, 0);
	}

	/**
	 * Count all noted calls.
	 * @return whether there were any
	 */
	boolean empty() {
		boolean any = false;
		for (int stripe = 0; stripe < this.noted.length; stripe++) {
			while (!tryAcquire(stripe)) {
				Thread.yield();
			}
			try {
				any |= empty(stripe, true);
			}
			finally {
				release(stripe);
			}
		}
		return any;
	}

	private boolean empty(int stripe, boolean waits) {
		if (waits) {
			this.windows.lock();
		}
		else if (!this.windows.tryLock()) {
			return false;
		}
		try {
			int length = this.lengths[stripe * SPACING];
			Object[] calls = this.noted[stripe];
			long now = this.clock.getAsLong();
			for (int i = 0; i < length; i += 2) {
				((TalkerWindow) calls[i]).add((StoredKey) calls[i + 1], this.begun[stripe * SPACING], now);
				calls[i] = null;
				calls[i + 1] = null;
			}
			this.lengths[stripe * SPACING] = 0;
			return length > 0;
		}
		finally {
			this.windows.unlock();
		}
	}

}
