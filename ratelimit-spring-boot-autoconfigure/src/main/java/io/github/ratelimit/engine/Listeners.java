package io.github.ratelimit.engine;

import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

import org.jspecify.annotations.Nullable;

import io.github.ratelimit.RateLimitListener;
import io.github.ratelimit.RuleDecision;

/**
 * All listeners there are, none at first.
 */
final class Listeners implements RateLimitListener {

	private static final long NOT_TIMED = 0;

	private final LongSupplier clock;

	private volatile List<SafeListener> all = List.of();

	Listeners() {
		this(System::nanoTime);
	}

	/**
	 * Create an instance.
	 * @param clock nanoseconds, as of {@link System#nanoTime()}
	 */
	Listeners(LongSupplier clock) {
		this.clock = clock;
	}

	void replaceBy(List<RateLimitListener> listeners) {
		this.all = listeners.stream().map(SafeListener::new).toList();
	}

	boolean isEmpty() {
		return this.all.isEmpty();
	}

	@Override
	public void decided(RuleDecision decision) {
		tell((listener) -> listener.decided(decision));
	}

	/**
	 * The time at which the store is asked, unless nobody wants to know.
	 */
	long start() {
		return isEmpty() ? NOT_TIMED : this.clock.getAsLong();
	}

	/**
	 * The store was asked.
	 * @param start what {@link #start()} said then
	 */
	void storeAsked(long start) {
		if (start != NOT_TIMED) {
			storeAsked(Duration.ofNanos(this.clock.getAsLong() - start));
		}
	}

	@Override
	public void storeAsked(Duration duration) {
		tell((listener) -> listener.storeAsked(duration));
	}

	@Override
	public void storeFailed(String reason, @Nullable String remedy) {
		tell((listener) -> listener.storeFailed(reason, remedy));
	}

	@Override
	public void storeLost(String reason) {
		tell((listener) -> listener.storeLost(reason));
	}

	@Override
	public void storeFound() {
		tell(RateLimitListener::storeFound);
	}

	private void tell(Consumer<RateLimitListener> event) {
		for (SafeListener listener : this.all) {
			listener.tell(event);
		}
	}

}
