package io.github.ratelimit.store.tck;

import java.util.List;

import io.github.ratelimit.store.RateLimitStore;
import io.github.ratelimit.store.local.LocalRateLimitStore;

/**
 * Local store under test. Its clock is sometimes set back, unlike a real one, so unused
 * states are kept longer: the test must still find them.
 *
 * @since 0.1.0
 */
public final class LocalStoreUnderTest implements StoreUnderTest {

	private static final long MANY = 1_000_000;

	private long now;

	private final LocalRateLimitStore store = LocalRateLimitStore.withSettableClock(MANY, () -> this.now);

	/**
	 * Create an empty store.
	 */
	public LocalStoreUnderTest() {
	}

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
		return List.of(new LocalRateLimitStore(MANY));
	}

	@Override
	public String toString() {
		return "local";
	}

}
