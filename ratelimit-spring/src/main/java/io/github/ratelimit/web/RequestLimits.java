package io.github.ratelimit.web;

import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.BinaryOperator;
import java.util.stream.Collectors;

import io.github.ratelimit.Decision;
import io.github.ratelimit.LimitStatus;

/**
 * Limits of one request, each as of its latest decision. Any thread may record decisions;
 * only the one that commits the response writes the headers. Names of limits are made of
 * {@code [a-z0-9-]} and numbers are not negative, so nothing needs escaping as a
 * structured field (RFC 9651).
 *
 * @since 0.1.0
 */
public final class RequestLimits {

	/**
	 * Order of a {@link Decision}: of limits that denied the one that holds longest, else
	 * the one with the fewest units left.
	 */
	private static final Comparator<LimitStatus> TIGHTEST_FIRST = Comparator.comparing(LimitStatus::admitted)
		.thenComparing(LimitStatus::retryAfter, Comparator.reverseOrder())
		.thenComparingLong(LimitStatus::remaining)
		.thenComparing(LimitStatus::resetAfter, Comparator.reverseOrder());

	private final List<Decided> limits = new ArrayList<>(2);

	private final LimitHeaders headers;

	private final Clock clock;

	private volatile boolean changed;

	public RequestLimits(WebRequests settings) {
		this.headers = settings.headers();
		this.clock = settings.clock();
	}

	public synchronized void add(Decision decision) {
		Map<String, Duration> closed = decision.denials()
			.stream()
			.filter((denial) -> denial.cause() != Decision.Cause.LIMIT)
			.collect(Collectors.toMap(Decision.Denial::rule, Decision.Denial::retryAfter,
					BinaryOperator.maxBy(Comparator.naturalOrder())));
		List<LimitStatus> decided = decision.limits()
			.stream()
			.filter((status) -> !this.headers.of(status.rule()).isEmpty())
			.map((status) -> closed.containsKey(status.rule()) ? ofClosedRule(status, closed.get(status.rule()))
					: status)
			.toList();
		if (decided.isEmpty()) {
			return;
		}
		long now = this.clock.millis();
		for (LimitStatus status : decided) {
			replace(new Decided(tightest(status, decided), now));
		}
		this.changed = true;
	}

	/**
	 * Return a limit as clients should see it while its rule denies all calls of the key:
	 * nothing is left, even if the limit itself would admit the call.
	 */
	private static LimitStatus ofClosedRule(LimitStatus limit, Duration retryAfter) {
		boolean isLonger = !retryAfter.equals(Decision.NEVER) && retryAfter.compareTo(limit.resetAfter()) > 0;
		return new LimitStatus(limit.rule(), limit.name(), limit.max(), limit.capacity(), limit.period(), 0, retryAfter,
				isLonger ? retryAfter : limit.resetAfter(), limit.calendar(), limit.minInterval(), false);
	}

	public boolean isChanged() {
		return this.changed;
	}

	public synchronized void write(BiConsumer<String, String> header) {
		this.changed = false;
		List<Decided> ietf = shown(HeaderFormat.IETF);
		if (!ietf.isEmpty()) {
			header.accept("RateLimit-Policy", list(ietf, RequestLimits::policy));
			header.accept("RateLimit", list(ietf, RequestLimits::standing));
		}
		List<Decided> xRateLimit = shown(HeaderFormat.X_RATELIMIT);
		if (!xRateLimit.isEmpty()) {
			Decided decided = Collections.min(xRateLimit, Comparator.comparing(Decided::status, TIGHTEST_FIRST));
			LimitStatus tightest = decided.status();
			header.accept("X-RateLimit-Limit", Long.toString(tightest.capacity()));
			header.accept("X-RateLimit-Remaining", Long.toString(tightest.remaining()));
			header.accept("X-RateLimit-Reset",
					Long.toString(ceilSeconds(Duration.ofMillis(decided.at()).plus(tightest.resetAfter()))));
		}
	}

	private List<Decided> shown(HeaderFormat format) {
		return this.limits.stream()
			.filter((decided) -> this.headers.of(decided.status().rule()).contains(format))
			.toList();
	}

	/** Require all headers to be written again, after the response was reset. */
	public synchronized void rewrite() {
		this.changed = !this.limits.isEmpty();
	}

	/**
	 * Return the tightest status of a limit, since one request may be counted under two
	 * keys of a rule.
	 */
	private static LimitStatus tightest(LimitStatus status, List<LimitStatus> decided) {
		LimitStatus tightest = status;
		for (LimitStatus other : decided) {
			if (other != status && isSame(other, status) && TIGHTEST_FIRST.compare(other, tightest) < 0) {
				tightest = other;
			}
		}
		return tightest;
	}

	private void replace(Decided decided) {
		for (int i = 0; i < this.limits.size(); i++) {
			if (isSame(this.limits.get(i).status(), decided.status())) {
				this.limits.set(i, decided);
				return;
			}
		}
		this.limits.add(decided);
	}

	private static boolean isSame(LimitStatus one, LimitStatus other) {
		return one.name().equals(other.name()) && one.rule().equals(other.rule());
	}

	private static String list(List<Decided> limits, BiConsumer<StringBuilder, LimitStatus> member) {
		StringBuilder list = new StringBuilder(48);
		for (Decided decided : limits) {
			list.append(list.isEmpty() ? "\"" : ", \"").append(decided.status().name()).append('"');
			member.accept(list, decided.status());
		}
		return list.toString();
	}

	private static void policy(StringBuilder list, LimitStatus status) {
		list.append(";q=").append(status.max());
		if (status.calendar() == null && !status.period().isZero() && status.period().getNano() == 0) {
			list.append(";w=").append(status.period().toSeconds());
		}
	}

	private static void standing(StringBuilder list, LimitStatus status) {
		list.append(";r=").append(status.remaining());
		if (status.period().isZero()) {
			return;
		}
		Duration time = status.admitted() ? status.resetAfter() : status.retryAfter();
		if (!time.equals(Decision.NEVER)) {
			list.append(";t=").append(ceilSeconds(time));
		}
	}

	/** Return whole seconds, rounded up, so that clients do not retry too early. */
	static long ceilSeconds(Duration duration) {
		return duration.toSeconds() + ((duration.getNano() > 0) ? 1 : 0);
	}

	/**
	 * A limit as of a decision.
	 *
	 * @param at the time of the decision, in milliseconds since the epoch
	 */
	private record Decided(LimitStatus status, long at) {

	}

}
