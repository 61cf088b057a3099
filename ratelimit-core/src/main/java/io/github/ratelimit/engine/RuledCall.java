package io.github.ratelimit.engine;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import io.github.ratelimit.Decision;
import io.github.ratelimit.Limit;
import io.github.ratelimit.Mode;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.Demands;
import org.jspecify.annotations.Nullable;

/**
 * Call with a key that is exempt from its rule, or blocked. The demands of exempt keys
 * are left out. A blocked key denies the whole call, and no rule counts it. If its rule
 * is in shadow mode, the call goes on, and no rule in shadow mode counts it.
 */
final class RuledCall {

	private final List<Denial> enforced = new ArrayList<>();

	private final List<Denial> shadow = new ArrayList<>();

	private final Demand first;

	private final Demands counted;

	private RuledCall(Demands demands, RuledKeys keys) {
		this.first = demands.get(0);
		List<Demand> rest = new ArrayList<>();
		for (Demand demand : demands.asList()) {
			KeyRuling ruling = keys.find(demand);
			if (ruling instanceof KeyRuling.Blocked blocked) {
				add(new Denial(demand, blocked.retryAfter(keys.overridden().now())));
			}
			else if (!(ruling instanceof KeyRuling.Exempt)) {
				rest.add(demand);
			}
		}
		this.counted = Demands.of(rest).filter((demand) -> this.shadow.isEmpty() || !isIn(Mode.SHADOW, demand));
	}

	/**
	 * Find the keys of a call that are exempt or blocked.
	 * @return the call, or {@code null} if all of its demands are counted
	 */
	static @Nullable RuledCall find(Demands demands, RuledKeys keys) {
		if (demands instanceof Demand only && keys.find(only) == null) {
			return null;
		}
		for (int i = 0; i < demands.size(); i++) {
			if (keys.isUncounted(demands.get(i))) {
				return new RuledCall(demands, keys);
			}
		}
		return null;
	}

	private void add(Denial denial) {
		if (isIn(Mode.SHADOW, denial.demand)) {
			this.shadow.add(denial);
		}
		else if (!isIn(Mode.OFF, denial.demand)) {
			this.enforced.add(denial);
		}
	}

	private static boolean isIn(Mode mode, Demand demand) {
		return demand.rule().mode() == mode;
	}

	/**
	 * Return the demands that are counted as usual; may be empty.
	 */
	Demands counted() {
		return this.counted;
	}

	/**
	 * Decide the call if no rule has to count it. Denials are reported.
	 * @return the decided call without units, or {@code null} if rules count the call
	 */
	@Nullable DecidedCall decideUncounted(DecisionReport report) {
		List<Denial> denials = this.enforced.isEmpty() ? this.shadow : this.enforced;
		denials.forEach((denial) -> report.blocked(denial.demand));
		if (!this.enforced.isEmpty()) {
			return DecidedCall.denied(decision(this.enforced));
		}
		return this.counted.isEmpty() ? DecidedCall.uncounted(this.first, Decision.Origin.NONE) : null;
	}

	private static Decision decision(List<Denial> denials) {
		Denial longest = denials.get(0);
		for (Denial each : denials) {
			longest = (each.retryAfter.compareTo(longest.retryAfter) > 0) ? each : longest;
		}
		long capacity = longest.demand.rule().limits().stream().mapToLong(Limit::capacity).min().orElseThrow();
		return new Decision(false, longest.demand.rule().name(), capacity, 0, longest.retryAfter, longest.retryAfter,
				Duration.ZERO, denials.stream().map(Denial::byBlock).toList(), List.of(), Decision.Origin.NONE);
	}

	/**
	 * Denial by a blocked key.
	 */
	private record Denial(Demand demand, Duration retryAfter) {

		Decision.Denial byBlock() {
			String rule = this.demand.rule().name();
			return new Decision.Denial(rule, rule, Decision.Cause.BLOCK);
		}

	}

}
