package io.github.ratelimit.soak;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.random.RandomGenerator;

import org.jspecify.annotations.Nullable;

/**
 * Keys in use, one per scenario, and retired ones that wait to be judged.
 */
final class Keys {

	private final List<Place> places = new ArrayList<>();

	private final Queue<KeyHistory> retired = new ConcurrentLinkedQueue<>();

	private final AtomicInteger numbers = new AtomicInteger();

	Keys(List<Scenario> scenarios) {
		scenarios.forEach((scenario) -> this.places.add(new Place(scenario)));
	}

	/**
	 * Use some key, a new one if it has been used for long enough.
	 */
	void use(Caller caller) {
		Place place = this.places.get(caller.random().nextInt(this.places.size()));
		KeyHistory key = place.key.get();
		if (key != null && !key.isRetired()) {
			key.use(caller);
		}
		else if (place.renewed.compareAndSet(false, true)) {
			renew(place, caller);
			place.renewed.set(false);
		}
	}

	private void renew(Place place, Caller caller) {
		KeyHistory old = place.key.get();
		if (old != null && !old.isRetired()) {
			return;
		}
		KeyHistory key = new KeyHistory(place.scenario, this.numbers.getAndIncrement(),
				Duration.ofMillis(caller.random().nextInt(2_000, 4_000)));
		place.scenario.usage().prepare(caller, key);
		key.use(caller);
		place.key.set(key);
		if (old != null) {
			this.retired.add(old);
		}
	}

	/**
	 * Call rested keys once more, and judge those that have ended.
	 */
	void judge(Caller caller) {
		for (Iterator<KeyHistory> keys = this.retired.iterator(); keys.hasNext();) {
			KeyHistory key = keys.next();
			if (key.hasEnded()) {
				keys.remove();
				key.listed(caller.instance().listed(key));
				caller.record().judge(key);
			}
			else if (key.endRest()) {
				key.use(caller);
			}
		}
	}

	/**
	 * Retire all keys.
	 * @return whether some wait to be judged
	 */
	boolean retireAll() {
		for (Place place : this.places) {
			KeyHistory key = place.key.get();
			if (key != null && key.isRetired()) {
				this.retired.add(key);
				place.key.set(null);
			}
		}
		return !this.retired.isEmpty() || this.places.stream().anyMatch((place) -> place.key.get() != null);
	}

	/**
	 * Return the hash tag of some key in use.
	 */
	String anyHashTag(RandomGenerator random) {
		for (int i = random.nextInt(this.places.size());; i++) {
			KeyHistory key = this.places.get(i % this.places.size()).key.get();
			if (key != null) {
				return "{" + key.scenario().name() + ':' + key.key() + '}';
			}
		}
	}

	/**
	 * Place of a key in use.
	 */
	private static final class Place {

		private final Scenario scenario;

		private final AtomicReference<@Nullable KeyHistory> key = new AtomicReference<>();

		private final AtomicBoolean renewed = new AtomicBoolean();

		private Place(Scenario scenario) {
			this.scenario = scenario;
		}

	}

}
