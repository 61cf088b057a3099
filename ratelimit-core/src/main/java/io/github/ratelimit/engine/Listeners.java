package io.github.ratelimit.engine;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import io.github.ratelimit.RateLimitListener;
import io.github.ratelimit.RuleDecision;

/** Listeners of the engine, none at first. */
final class Listeners implements RateLimitListener {

	private static final long NOT_TIMED = 0;

	private final LongSupplier clock;

	private volatile List<SafeListener> all;

	Listeners() {
		this(System::nanoTime);
	}

	/**
	 * Create an instance.
	 * @param clock nanoseconds, as of {@link System#nanoTime()}
	 */
	Listeners(LongSupplier clock) {
		this(clock, List.of());
	}

	private Listeners(LongSupplier clock, List<SafeListener> all) {
		this.clock = clock;
		this.all = all;
	}

	/** Return the listeners of this moment, without later ones. */
	Listeners current() {
		return new Listeners(this.clock, this.all);
	}

	Listeners add(List<RateLimitListener> listeners) {
		if (listeners.isEmpty()) {
			return new Listeners(this.clock);
		}
		List<SafeListener> added = listeners.stream().map(SafeListener::new).toList();
		this.all = Stream.concat(this.all.stream(), added.stream()).toList();
		return new Listeners(this.clock, added);
	}

	/**
	 * Return the listeners to the decision of a call of the current thread.
	 * @return these listeners, if none of them depends on the caller
	 */
	@Override
	public Listeners forCaller() {
		List<SafeListener> current = this.all;
		List<SafeListener> bound = null;
		for (int i = 0; i < current.size(); i++) {
			SafeListener each = current.get(i).forCaller();
			if (each != current.get(i)) {
				bound = (bound != null) ? bound : new ArrayList<>(current);
				bound.set(i, each);
			}
		}
		return (bound != null) ? new Listeners(this.clock, bound) : this;
	}

	boolean isEmpty() {
		return this.all.isEmpty();
	}

	@Override
	public void decided(RuleDecision decision) {
		publish((listener) -> listener.decided(decision));
	}

	@Override
	public void planUnknown(String rule) {
		publish((listener) -> listener.planUnknown(rule));
	}

	@Override
	public void zoneUnknown(String rule) {
		publish((listener) -> listener.zoneUnknown(rule));
	}

	@Override
	public void tried(String rule, String candidate, RuleDecision.Outcome outcome) {
		publish((listener) -> listener.tried(rule, candidate, outcome));
	}

	@Override
	public void slotsLost(String rule) {
		publish((listener) -> listener.slotsLost(rule));
	}

	/** Return the start time of a call to the store, if there are listeners. */
	long start() {
		return isEmpty() ? NOT_TIMED : this.clock.getAsLong();
	}

	/** Notify listeners that a call to the store has ended. */
	void storeCalled(long start) {
		if (start != NOT_TIMED) {
			storeCalled(Duration.ofNanos(this.clock.getAsLong() - start));
		}
	}

	@Override
	public void storeCalled(Duration duration) {
		publish((listener) -> listener.storeCalled(duration));
	}

	@Override
	public void storeFailed(String reason, @Nullable String remedy) {
		publish((listener) -> listener.storeFailed(reason, remedy));
	}

	@Override
	public void storeUnavailable(String reason) {
		publish((listener) -> listener.storeUnavailable(reason));
	}

	@Override
	public void storeRecovered() {
		publish(RateLimitListener::storeRecovered);
	}

	private void publish(Consumer<RateLimitListener> event) {
		for (SafeListener listener : this.all) {
			listener.publish(event);
		}
	}

}
