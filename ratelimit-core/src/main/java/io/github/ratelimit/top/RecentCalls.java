package io.github.ratelimit.top;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.IntConsumer;
import java.util.function.LongSupplier;

import io.github.ratelimit.store.StoredKey;
import org.jspecify.annotations.Nullable;

/**
 * Calls that are not in their windows yet. Each thread notes its calls in a stripe, which
 * is emptied into its part of the windows when it is half full, unless another stripe is
 * being emptied into the same part. Only a full stripe waits for that. So no call is
 * lost, and threads that note calls at the same time do not wait for each other.
 *
 * <p>
 * Whoever is denied often makes the same call again and again. So one thread of each
 * stripe, as long as it lives, has a run, which begins with a call like the one noted
 * before: calls that repeat it are only counted, in a number that no other thread writes,
 * and without using the stripe. The run is over when the stripe is emptied, so that the
 * next call is noted with its time. A call that repeats at that very moment is counted
 * when the stripe is emptied next.
 */
final class RecentCalls {

	/**
	 * Windows of the same calls. Threads that empty stripes into different ones do not
	 * wait for each other.
	 */
	static final int PARTS = 2;

	private static final int CAPACITY = 64;

	/** Distance between the fields of two stripes, which are in different cache lines. */
	private static final int SPACING = 32;

	/** For each stripe, the windows and keys of its calls in turn. */
	private final Object[][] noted;

	/** For each stripe, how often its calls were made. */
	private final long[][] times;

	/** For each stripe, 1 while a thread uses it. */
	private final AtomicIntegerArray inUse;

	private final int[] lengths;

	/** For each stripe, the time of its first call. */
	private final long[] begun;

	/**
	 * For each stripe, its run. Only the thread of the run reads it without using the
	 * stripe.
	 */
	private final AtomicReferenceArray<@Nullable Run> runs;

	/**
	 * For each stripe, how many calls were repeated in all its runs, and how many of them
	 * are noted or counted.
	 */
	private final AtomicLongArray repeated;

	private final long[] known;

	/** For each part, the lock of all its windows. */
	private final ReentrantLock[] parts = new ReentrantLock[PARTS];

	private final LongSupplier clock;

	/** Create an instance with a clock of nanoseconds. */
	RecentCalls(LongSupplier clock) {
		int stripes = 2 * Integer.highestOneBit(Math.min(Runtime.getRuntime().availableProcessors(), 16));
		this.noted = new Object[stripes][2 * CAPACITY];
		this.times = new long[stripes][CAPACITY];
		this.inUse = new AtomicIntegerArray(stripes * SPACING);
		this.lengths = new int[stripes * SPACING];
		this.begun = new long[stripes * SPACING];
		this.runs = new AtomicReferenceArray<>(stripes * SPACING);
		this.repeated = new AtomicLongArray(stripes * SPACING);
		this.known = new long[stripes * SPACING];
		Arrays.setAll(this.parts, (part) -> new ReentrantLock());
		this.clock = clock;
	}

	/**
	 * Note a call.
	 * @param key the text of the stored key
	 * @return {@code false} if it only repeats one that was noted since the stripes were
	 * emptied
	 */
	boolean add(TalkerWindow[] windows, String key) {
		Thread caller = Thread.currentThread();
		int preferred = (int) caller.getId() & (this.noted.length - 1);
		Run run = this.runs.getAcquire(preferred * SPACING);
		if (run != null && run.thread == caller && run.windows == windows && !run.isOver && run.key.equals(key)) {
			int place = preferred * SPACING;
			this.repeated.setRelease(place, this.repeated.getPlain(place) + 1);
			return false;
		}
		int stripe = acquire(preferred);
		try {
			if (stripe == preferred && repeatsLast(stripe, windows, key)) {
				run(stripe, new Run(caller, windows, key, false));
			}
			note(stripe, windows, key, 1);
			int length = this.lengths[stripe * SPACING];
			if (length >= CAPACITY / 2) {
				empty(stripe, length >= CAPACITY - 1);
			}
		}
		finally {
			release(stripe);
		}
		return true;
	}

	private boolean repeatsLast(int stripe, TalkerWindow[] windows, String key) {
		int length = this.lengths[stripe * SPACING];
		Object[] calls = this.noted[stripe];
		return length > 0 && calls[2 * length - 2] == windows && key.equals(calls[2 * length - 1]);
	}

	/** Begin a run, unless another thread has one. */
	private void run(int stripe, Run next) {
		int place = stripe * SPACING;
		Run last = this.runs.getPlain(place);
		if (last == null || last.thread == next.thread) {
			long repeats = this.repeated.getPlain(place) - this.known[place];
			if (last != null && repeats > 0) {
				note(stripe, last.windows, last.key, repeats);
				this.known[place] += repeats;
			}
			this.runs.setRelease(place, next);
		}
	}

	private void note(int stripe, TalkerWindow[] windows, String key, long repeats) {
		int place = stripe * SPACING;
		int length = this.lengths[place];
		if (length == 0 && this.repeated.getPlain(place) == this.known[place]) {
			this.begun[place] = this.clock.getAsLong();
		}
		this.noted[stripe][2 * length] = windows;
		this.noted[stripe][2 * length + 1] = key;
		this.times[stripe][length] = repeats;
		this.lengths[place] = length + 1;
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

	void useParts(IntConsumer use) {
		for (int part = 0; part < this.parts.length; part++) {
			this.parts[part].lock();
			try {
				use.accept(part);
			}
			finally {
				this.parts[part].unlock();
			}
		}
	}

	void empty() {
		for (int stripe = 0; stripe < this.noted.length; stripe++) {
			while (!tryAcquire(stripe)) {
				Thread.yield();
			}
			try {
				empty(stripe, true);
			}
			finally {
				release(stripe);
			}
		}
	}

	private void empty(int stripe, boolean waits) {
		int part = stripe % this.parts.length;
		ReentrantLock lock = this.parts[part];
		if (waits) {
			lock.lock();
		}
		else if (!lock.tryLock()) {
			return;
		}
		try {
			int place = stripe * SPACING;
			Object[] calls = this.noted[stripe];
			long now = this.clock.getAsLong();
			while (this.lengths[place] > 0) {
				int i = --this.lengths[place];
				Object windows = calls[2 * i];
				Object key = calls[2 * i + 1];
				calls[2 * i] = null;
				calls[2 * i + 1] = null;
				count(part, windows, key, this.times[stripe][i], place, now);
			}
			endRun(part, place, now);
			this.begun[place] = now;
		}
		finally {
			lock.unlock();
		}
	}

	/** End a run, and forget its thread if that has ended as well. */
	private void endRun(int part, int place, long now) {
		Run run = this.runs.getPlain(place);
		if (run != null) {
			boolean isAlive = run.thread.isAlive();
			long total = this.repeated.getAcquire(place);
			if (total > this.known[place]) {
				count(part, run.windows, run.key, total - this.known[place], place, now);
				this.known[place] = total;
			}
			this.runs.setRelease(place, isAlive ? new Run(run.thread, run.windows, run.key, true) : null);
		}
	}

	private void count(int part, Object windows, Object key, long times, int place, long now) {
		((TalkerWindow[]) windows)[part].add(StoredKey.known((String) key), times, this.begun[place], now);
	}

	/**
	 * Calls of a thread that repeat its latest one.
	 *
	 * @param isOver whether further calls have to be noted
	 */
	private record Run(Thread thread, TalkerWindow[] windows, String key, boolean isOver) {

	}

}
