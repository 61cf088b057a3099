package io.github.ratelimit.web;

import java.time.Clock;
import java.time.Duration;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.stream.Collectors;

import io.github.ratelimit.Decision;
import io.github.ratelimit.LimitStatus;

/**
 * Where the limits stand that one request has met, each as the latest decision left it,
 * written as response headers. Names of limits are made of {@code [a-z0-9-]} and numbers
 * are not negative, so nothing needs escaping as a structured field (RFC 9651).
 *
 * @since 0.1.0
 */
public final class RequestLimits {

	private static final Comparator<LimitStatus> TIGHTEST_FIRST = Comparator.comparing(LimitStatus::admitted)
		.thenComparingLong(LimitStatus::remaining)
		.thenComparing(LimitStatus::resetAfter, Comparator.reverseOrder());

	private final Map<String, LimitStatus> limits = new LinkedHashMap<>();

	private final Clock clock;

	/**
	 * Create an instance for a new request.
	 * @param clock the time {@code X-RateLimit-Reset} is told by
	 */
	public RequestLimits(Clock clock) {
		this.clock = clock;
	}

	/**
	 * Take note of a decision and write all headers anew.
	 * @param decision the decision
	 * @param format which headers
	 * @param header sets a header, replacing an earlier value
	 */
	public synchronized void add(Decision decision, HeaderFormat format, BiConsumer<String, String> header) {
		Map<String, LimitStatus> decided = new LinkedHashMap<>();
		decision.limits().forEach((status) -> decided.merge(status.name(), status, RequestLimits::tighter));
		this.limits.putAll(decided);
		if (this.limits.isEmpty()) {
			return;
		}
		switch (format) {
			case IETF -> {
				header.accept("RateLimit-Policy", list(RequestLimits::policy));
				header.accept("RateLimit", list(RequestLimits::standing));
			}
			case X_RATELIMIT -> {
				LimitStatus tightest = this.limits.values().stream().min(TIGHTEST_FIRST).orElseThrow();
				header.accept("X-RateLimit-Limit", Long.toString(tightest.capacity()));
				header.accept("X-RateLimit-Remaining", Long.toString(tightest.remaining()));
				header.accept("X-RateLimit-Reset", Long.toString(epochSecond(tightest.resetAfter())));
			}
			case NONE -> {
			}
		}
	}

	/**
	 * A rule may have been asked for two keys of the same request.
	 */
	private static LimitStatus tighter(LimitStatus one, LimitStatus other) {
		return (TIGHTEST_FIRST.compare(other, one) < 0) ? other : one;
	}

	private String list(Function<LimitStatus, String> member) {
		return this.limits.values().stream().map(member).collect(Collectors.joining(", "));
	}

	private static String policy(LimitStatus status) {
		Duration period = status.period();
		String window = (period.getNano() == 0) ? ";w=" + period.toSeconds() : "";
		return '"' + status.name() + "\";q=" + status.max() + window;
	}

	private static String standing(LimitStatus status) {
		Duration time = status.admitted() ? status.resetAfter() : status.retryAfter();
		String seconds = time.equals(Decision.NEVER) ? "" : ";t=" + ceilSeconds(time);
		return '"' + status.name() + "\";r=" + status.remaining() + seconds;
	}

	private long epochSecond(Duration fromNow) {
		return ceilSeconds(Duration.ofMillis(this.clock.millis()).plus(fromNow));
	}

	/**
	 * Whole seconds, rounded up: a client told less would come back too early.
	 */
	static long ceilSeconds(Duration duration) {
		return duration.toSeconds() + ((duration.getNano() > 0) ? 1 : 0);
	}

}
