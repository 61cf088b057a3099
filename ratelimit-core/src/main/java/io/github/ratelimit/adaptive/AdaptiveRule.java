package io.github.ratelimit.adaptive;

import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

import io.github.ratelimit.Adaptive;
import io.github.ratelimit.Limit;
import io.github.ratelimit.RateLimitRule;

/**
 * Rule adjusted to the current load. The adjusted rule is replaced only when a
 * {@code max} changes.
 */
final class AdaptiveRule {

	private final RateLimitRule rule;

	private final LoadSignalRegistry signals;

	private volatile RateLimitRule now;

	AdaptiveRule(RateLimitRule rule, LoadSignalRegistry signals) {
		this.rule = rule;
		this.signals = signals;
		this.now = rule.withLimits(adjusted());
	}

	boolean isOf(RateLimitRule other) {
		return this.rule == other;
	}

	RateLimitRule now() {
		return this.now;
	}

	Stream<Load> loads() {
		return this.rule.limits().stream().map(Limit::adaptive).filter(Objects::nonNull).map(this.signals::find);
	}

	synchronized void adjust() {
		List<Limit> limits = adjusted();
		if (!limits.equals(this.now.limits())) {
			this.now = this.rule.withLimits(limits);
		}
	}

	private List<Limit> adjusted() {
		return this.rule.limits().stream().map(this::adjusted).toList();
	}

	private Limit adjusted(Limit limit) {
		Adaptive adaptive = limit.adaptive();
		if (adaptive == null) {
			return limit;
		}
		Load load = this.signals.find(adaptive);
		return load.isKnown() ? limit.withMax(adaptive.maxAt(load.value())) : limit;
	}

}
