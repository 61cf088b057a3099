package io.github.ratelimit.store.local;

import java.util.List;

import io.github.ratelimit.store.PlainCallsStore;
import io.github.ratelimit.store.RateLimitStore;
import io.github.ratelimit.store.tck.StoreUnderTest;

/**
 * Local store that decides all calls that can be as plain ones.
 */
public final class PlainCallsUnderTest implements StoreUnderTest {

	private static final long MANY = 1_000_000;

	private long now;

	private final RateLimitStore store = new PlainCallsStore(
			LocalRateLimitStore.withSettableClock(MANY, () -> this.now), () -> this.now);

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
		LocalClock clock = LocalClock.monotonic();
		ThreadLocal<Long> latest = new ThreadLocal<>();
		return List.of(new PlainCallsStore(new LocalRateLimitStore(MANY, () -> {
			latest.set(clock.getAsLong());
			return latest.get();
		}), latest::get, clock::getAsLong));
	}

	@Override
	public String toString() {
		return "local, by plain calls";
	}

}
