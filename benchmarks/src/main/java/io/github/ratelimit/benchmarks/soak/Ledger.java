package io.github.ratelimit.benchmarks.soak;

import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;

import io.github.ratelimit.Decision;

/**
 * Admissions of one key of one rule, whose period is longer than the run.
 */
final class Ledger {

	private final long max;

	private final long firstLoss;

	private final AtomicLong byRedis = new AtomicLong();

	private final AtomicIntegerArray byFallback;

	/**
	 * Create a ledger for a new key.
	 * @param losses the number of losses of counts so far
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
	 * Check the admissions. Redis admits one quota, and another one after each loss of
	 * counts. In each outage every instance admits at most one quota of its own.
	 * @param losses the number of losses of counts by now
	 * @param outages the number of outages while the key was used
	 * @return a description of the violation, empty if there is none
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
	 * Return the number of admissions beyond one quota.
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
