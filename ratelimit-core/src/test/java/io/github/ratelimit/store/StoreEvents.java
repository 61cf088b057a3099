package io.github.ratelimit.store;

import java.util.function.Consumer;

import io.github.ratelimit.RateLimitListener;

/**
 * Events of a store that a test waits for or counts.
 */
public final class StoreEvents {

	private StoreEvents() {
	}

	/**
	 * Return events that pass the rule of each call that has lost its slots.
	 */
	public static RemoteStore.Events ofLostSlots(Consumer<String> lost) {
		return new RemoteStore.Events() {

			@Override
			public RateLimitListener listener() {
				return new RateLimitListener() {

					@Override
					public void slotsLost(String rule) {
						lost.accept(rule);
					}

				};
			}

		};
	}

	public static RemoteStore.Events ofRefunds(Consumer<Demand> refunded) {
		return new RemoteStore.Events() {

			@Override
			public void refunded(Demand demand) {
				refunded.accept(demand);
			}

		};
	}

}
