package io.github.ratelimit.store.local;

import java.util.Collection;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Locks shared by hash: the same key always has the same lock. Several are taken in a
 * fixed order, so that calls over overlapping keys cannot wait for each other in a
 * circle.
 */
final class Stripes {

	private static final int COUNT = 256;

	private final ReentrantLock[] locks = new ReentrantLock[COUNT];

	Stripes() {
		for (int i = 0; i < COUNT; i++) {
			this.locks[i] = new ReentrantLock();
		}
	}

	/**
	 * Lock what belongs to some keys.
	 * @return what to {@linkplain #unlock give back}
	 */
	int[] lock(Collection<?> keys) {
		int[] stripes = keys.stream().mapToInt(Stripes::stripe).sorted().distinct().toArray();
		for (int stripe : stripes) {
			this.locks[stripe].lock();
		}
		return stripes;
	}

	void unlock(int[] stripes) {
		for (int stripe : stripes) {
			this.locks[stripe].unlock();
		}
	}

	private static int stripe(Object key) {
		int hash = key.hashCode();
		return (hash ^ (hash >>> 16)) & (COUNT - 1);
	}

}
