package io.github.ratelimit.benchmarks.soak;

import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;

import io.github.ratelimit.Decision;

/**
 * What was admitted of one key of one rule, whose period is longer than the run.
 */
final class Ledger {

	private final long max;

	private final long firstLoss;

	private final AtomicLong byRedis = new AtomicLong();

	private final AtomicIntegerArray byFallback;

	/**
	 * Create a ledger for a new key.
	 * @param losses how often counts were lost so far
	 */
	Ledger(long max, int instances, long losses) {
		this.max = max;
		this.firstLoss = losses;
		this.byFallback = new AtomicIntegerArray(instances);
	}

	void admitted(int instance, Decision.Origin origin) {
		if (origin == Decision.Origin.REDIS) {
			this.byRedis.incrementAndGet();
		}
		else {
			this.byFallback.incrementAndGet(instance);
		}
	}

	/**
	 * Redis admits a quota for each time it was emptied and one more, and each instance
	 * admits at most one of its own between two times at which Redis was there.
	 * @param losses how often counts were lost by now
	 * @param outages how often Redis was away while the key was used
	 * @return what is wrong, empty if nothing is
	 */
	String verdict(long losses, long outages) {
		long quotas = 1 + losses - this.firstLoss;
		if (this.byRedis.get() > quotas * this.max) {
			return this.byRedis + " admitted by Redis, which may admit " + quotas + " x " + this.max;
		}
		for (int i = 0; i < this.byFallback.length(); i++) {
			if (this.byFallback.get(i) > outages * this.max) {
				return this.byFallback.get(i) + " admitted by instance " + i + ", which may admit " + outages + " x "
						+ this.max;
			}
		}
		return "";
	}

	/**
	 * How many more than one quota were admitted in all.
	 */
	long beyond() {
		long all = this.byRedis.get();
		for (int i = 0; i < this.byFallback.length(); i++) {
			all += this.byFallback.get(i);
		}
		return Math.max(0, all - this.max);
	}

	long all() {
		return beyond() + this.max;
	}

}
