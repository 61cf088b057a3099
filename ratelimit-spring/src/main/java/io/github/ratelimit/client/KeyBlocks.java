package io.github.ratelimit.client;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Clock;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.function.Supplier;

import io.github.ratelimit.override.KeyOverrideRegistry;
import org.jspecify.annotations.Nullable;

import org.springframework.util.function.SingletonSupplier;

/**
 * Blocks of keys, each for as long as the answer of an API admits no requests. A block
 * holds in this instance at once, and in all instances as soon as it is stored as an
 * override of the key: an event loop must not wait for that.
 *
 * @since 0.1.0
 */
public record KeyBlocks(Supplier<KeyOverrideRegistry> overrides, Duration longest, Clock clock,
		Map<String, Long> lastLogged) {

	private static final Logger logger = System.getLogger(KeyBlocks.class.getName());

	private static final Duration LOG_PAUSE = Duration.ofMinutes(1);

	private static final int TOO_MANY_REQUESTS = 429;

	private static final int SERVICE_UNAVAILABLE = 503;

	private static final Duration SHORTEST = Duration.ofMillis(1);

	public KeyBlocks(Supplier<KeyOverrideRegistry> overrides, Duration longest, Clock clock) {
		this(SingletonSupplier.of(overrides), longest, clock, new ConcurrentHashMap<>());
	}

	/**
	 * Block a key if the answer requests it. Never fails.
	 * @param sharing runs the part that may block the thread
	 */
	void observe(String rule, String key, Answer answer, Executor sharing) {
		Duration pause = pause(answer);
		if (pause != null && pause.compareTo(SHORTEST) >= 0) {
			block(rule, key, (pause.compareTo(this.longest) < 0) ? pause : this.longest, sharing);
		}
	}

	/**
	 * Return how long the API admits no requests. {@code Retry-After} wins, since it is
	 * about this very request.
	 */
	@Nullable Duration pause(Answer answer) {
		boolean isDenied = answer.status() == TOO_MANY_REQUESTS || answer.status() == SERVICE_UNAVAILABLE;
		Duration retryAfter = isDenied ? retryAfter(answer.retryAfter()) : null;
		if (retryAfter != null) {
			return retryAfter;
		}
		return (answer.rateLimit() != null) ? Answer.RateLimitField.exhaustedFor(answer.rateLimit()) : null;
	}

	/** Return the longest time of all lines: a server and a proxy may each add one. */
	private @Nullable Duration retryAfter(List<String> lines) {
		return lines.stream()
			.map((line) -> Answer.RetryAfterField.time(line.strip(), this.clock))
			.filter(Objects::nonNull)
			.max(Comparator.naturalOrder())
			.orElse(null);
	}

	private void block(String rule, String key, Duration time, Executor sharing) {
		long end;
		try {
			end = this.overrides.get().here().block(rule, key, time);
		}
		catch (RuntimeException ex) {
			warn(rule, "is not kept", ex);
			return;
		}
		try {
			sharing.execute(() -> share(rule, key, time, end));
		}
		catch (RuntimeException ex) {
			warn(rule, "holds in this instance alone", ex);
		}
	}

	private void share(String rule, String key, Duration time, long end) {
		try {
			KeyOverrideRegistry shared = this.overrides.get();
			if (shared.block(rule, key, time) && shared.of(rule).containsKey(key)) {
				shared.here().forgetBlock(rule, key, end);
			}
		}
		catch (RuntimeException ex) {
			warn(rule, "holds in this instance alone", ex);
		}
	}

	private void warn(String rule, String effect, RuntimeException failure) {
		long now = this.clock.millis();
		Long last = this.lastLogged.get(rule);
		boolean isDue = last == null || now - last >= LOG_PAUSE.toMillis();
		if (isDue && ((last == null) ? this.lastLogged.putIfAbsent(rule, now) == null
				: this.lastLogged.replace(rule, last, now))) {
			logger.log(Level.WARNING, "An API requested a pause of the outgoing requests of a key of rule \"" + rule
					+ "\". The block " + effect + ": " + failure.getMessage());
		}
	}

}
