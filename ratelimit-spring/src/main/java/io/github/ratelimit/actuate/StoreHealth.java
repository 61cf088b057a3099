package io.github.ratelimit.actuate;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

import io.github.ratelimit.RateLimitListener;
import org.jspecify.annotations.Nullable;

/**
 * Health of the store as observed by calls. It does not call the store, so it never
 * blocks.
 *
 * @since 0.1.0
 */
public final class StoreHealth implements RateLimitListener {

	private static final Duration MISTAKE_SHOWN = Duration.ofMinutes(1);

	private final Clock clock;

	/**
	 * Number of failure domains that are lost, which does not depend on the order of
	 * events.
	 */
	private int lostDomains;

	private @Nullable Trouble outage;

	private @Nullable Trouble mistake;

	private Instant lastMistake = Instant.MIN;

	public StoreHealth() {
		this(Clock.systemUTC());
	}

	public StoreHealth(Clock clock) {
		this.clock = clock;
	}

	public synchronized State state() {
		if (this.mistake != null && isShown(this.clock.instant())) {
			return State.REFUSING;
		}
		return (this.lostDomains > 0) ? State.FALLBACK : State.COUNTING;
	}

	/**
	 * Return the details of the state.
	 * @return {@code state}, and if it is not {@link State#COUNTING} {@code reason},
	 * {@code remedy} if there is one, and {@code since}
	 */
	public synchronized Map<String, Object> details() {
		State state = state();
		Map<String, Object> details = new LinkedHashMap<>();
		details.put("state", state.name().toLowerCase(Locale.ROOT));
		Trouble trouble = switch (state) {
			case COUNTING -> null;
			case FALLBACK -> this.outage;
			case REFUSING -> this.mistake;
		};
		if (trouble != null) {
			details.put("reason", trouble.reason());
			if (trouble.remedy() != null) {
				details.put("remedy", trouble.remedy());
			}
			details.put("since", trouble.since().toString());
		}
		return details;
	}

	@Override
	public synchronized void storeFailed(String reason, @Nullable String remedy) {
		if (remedy != null) {
			Instant now = this.clock.instant();
			boolean goesOn = this.mistake != null && isShown(now);
			this.mistake = new Trouble(reason, remedy, goesOn ? this.mistake.since() : now);
			this.lastMistake = now;
		}
	}

	@Override
	public synchronized void storeUnavailable(String reason) {
		if (this.lostDomains++ == 0) {
			this.outage = new Trouble(reason, null, this.clock.instant());
		}
	}

	@Override
	public synchronized void storeRecovered() {
		this.lostDomains--;
	}

	private boolean isShown(Instant now) {
		return now.isBefore(this.lastMistake.plus(MISTAKE_SHOWN));
	}

	public enum State {

		COUNTING,

		/**
		 * At least one failure domain of the store is unavailable, and the fallback
		 * counts.
		 */
		FALLBACK,

		/**
		 * The store refuses calls, or did so within the last minute, until an operator
		 * fixes the cause.
		 */
		REFUSING

	}

	private record Trouble(String reason, @Nullable String remedy, Instant since) {

	}

}
