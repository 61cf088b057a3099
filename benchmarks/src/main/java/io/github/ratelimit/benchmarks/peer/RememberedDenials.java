package io.github.ratelimit.benchmarks.peer;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.TimeUnit;

import io.github.ratelimit.benchmarks.measure.Contender;

/**
 * Least that remembered denials cost: a denial is kept for a second in an unbounded map,
 * and other calls are decided by the minimal bucket.
 */
final class RememberedDenials {

	static final String NAME = Contenders.PLAIN + ", denials in a `ConcurrentHashMap`";

	private static final long KEPT_NANOS = TimeUnit.SECONDS.toNanos(1);

	private RememberedDenials() {
	}

	static Contender contender(Contender bucket) {
		ConcurrentMap<String, Long> ends = new ConcurrentHashMap<>();
		return new Contender(NAME, (key) -> {
			long now = System.nanoTime();
			Long end = ends.get(key);
			if (end != null && end - now > 0) {
				return false;
			}
			boolean allowed = bucket.tryAcquire(key);
			if (!allowed) {
				ends.put(key, now + KEPT_NANOS);
			}
			return allowed;
		}, bucket::tryAcquireAsync, bucket::close);
	}

}
