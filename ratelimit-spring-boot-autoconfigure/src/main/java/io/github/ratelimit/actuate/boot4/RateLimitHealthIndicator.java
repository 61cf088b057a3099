package io.github.ratelimit.actuate.boot4;

import io.github.ratelimit.actuate.StoreHealth;

import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;

/**
 * Tells Spring Boot 4 how the limiter is. It asks nobody, so it answers at once.
 *
 * @since 0.1.0
 */
public final class RateLimitHealthIndicator implements HealthIndicator {

	private final StoreHealth store;

	/**
	 * Create a new indicator.
	 * @param store how the store is
	 */
	public RateLimitHealthIndicator(StoreHealth store) {
		this.store = store;
	}

	@Override
	public Health health() {
		Health.Builder health = switch (this.store.state()) {
			case COUNTING -> Health.up();
			case FALLBACK -> Health.unknown();
			case REFUSING -> Health.down();
		};
		return health.withDetails(this.store.details()).build();
	}

}
