package io.github.ratelimit.store.local;

import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.function.Supplier;

/**
 * Lock that is held for a decision, a few dozen instructions that never block. A thread
 * that finds it held spins, and soon lets others run, because the holder may be one of
 * them. It costs one atomic instruction, half of a monitor, and is not reentrant.
 */
abstract class ShortLock {

	private static final AtomicIntegerFieldUpdater<ShortLock> HELD = AtomicIntegerFieldUpdater
		.newUpdater(ShortLock.class, "held");

	private static final int SPINS = 64;

	private volatile int held;

	final void lock() {
		for (int spins = 1; this.held != 0 || !HELD.compareAndSet(this, 0, 1); spins++) {
			if (spins % SPINS == 0) {
				Thread.yield();
			}
			else {
				Thread.onSpinWait();
			}
		}
	}

	final void unlock() {
		HELD.lazySet(this, 0);
	}

	/**
	 * Do something while holding the lock.
	 */
	final void locked(Runnable action) {
		lock();
		try {
			action.run();
		}
		finally {
			unlock();
		}
	}

	/**
	 * Do something while holding the lock.
	 * @return its result
	 */
	final <T> T locked(Supplier<T> action) {
		lock();
		try {
			return action.get();
		}
		finally {
			unlock();
		}
	}

}
