package io.github.ratelimit.benchmarks.peer;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;

import io.github.ratelimit.benchmarks.measure.Contender;

/**
 * Least that remembered denials cost: a denial is kept for a second in an unbounded map,
 * and other calls are decided by the minimal bucket.
 */
final class RememberedDenials implements Contender {

	static final String NAME = Contenders.PLAIN + ", denials in a `ConcurrentHashMap`";

	private static final long KEPT_NANOS = TimeUnit.SECONDS.toNanos(1);

	private final ConcurrentMap<String, Long> ends = new ConcurrentHashMap<>();

	private final PlainLettuce bucket;

	RememberedDenials(PlainLettuce bucket) {
		this.bucket = bucket;
	}

	@Override
	public String name() {
		return NAME;
	}

	@Override
	public boolean tryAcquire(String key) {
		long now = System.nanoTime();
		Long end = this.ends.get(key);
		if (end != null && end - now > 0) {
			return false;
		}
		boolean allowed = this.bucket.tryAcquire(key);
		if (!allowed) {
			this.ends.put(key, now + KEPT_NANOS);
		}
		return allowed;
	}

	@Override
	public CompletionStage<?> tryAcquireAsync(String key) {
		return this.bucket.tryAcquireAsync(key);
	}

	@Override
	public void close() {
		this.bucket.close();
	}

}
