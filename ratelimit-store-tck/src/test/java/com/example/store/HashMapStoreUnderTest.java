package com.example.store;

import java.util.List;

import io.github.ratelimit.store.RateLimitStore;
import io.github.ratelimit.store.tck.StoreUnderTest;

/**
 * The example, by a clock that the tests set.
 */
public final class HashMapStoreUnderTest implements StoreUnderTest {

	private long now;

	private final HashMapStore store = new HashMapStore(() -> this.now);

	@Override
	public RateLimitStore store() {
		return this.store;
	}

	@Override
	public void setClock(long micros) {
		this.now = micros;
	}

	@Override
	public List<RateLimitStore> instancesOnTheRealClock() {
		return List.of(new HashMapStore(() -> System.currentTimeMillis() * 1000));
	}

	@Override
	public String toString() {
		return "hash map";
	}

}
