package io.github.ratelimit.engine;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;

import io.github.ratelimit.Decision;
import io.github.ratelimit.LimitStatus;
import io.github.ratelimit.Mode;
import io.github.ratelimit.RuleDecision;
import io.github.ratelimit.RuleDecision.Outcome;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.LimitOutcome;
import io.github.ratelimit.store.StoreAnswer;

/**
 * Report of the decision of each rule of a call to listeners.
 */
final class DecisionReport {

	private final Listeners listeners;

	DecisionReport(Listeners listeners) {
		this.listeners = listeners;
	}

	/**
	 * Report a call that was counted, or denied.
	 * @param demands the demands of the call, all in shadow mode or none
	 * @param answer the answer of each limit
	 * @param reservation the same as one decision
	 */
	void counted(List<Demand> demands, StoreAnswer answer, Reservation reservation) {
		if (this.listeners.isEmpty()) {
			return;
		}
		Decision decision = reservation.decision();
		int from = 0;
		for (Demand demand : demands) {
			int to = from + demand.rule().limits().size();
			List<LimitStatus> limits = decision.limits().subList(from, to);
			if (decision.allowed()) {
				report(demand, Outcome.ALLOWED, decision.origin(), delay(demand, answer.outcomes().subList(from, to)),
						limits);
			}
			else if (!limits.stream().allMatch(LimitStatus::admitted)) {
				denied(demand, decision.origin(), limits);
			}
			from = to;
		}
	}

	/**
	 * Report a call that was denied by a remembered denial.
	 */
	void denied(Demand demand, Decision decision) {
		denied(demand, decision.origin(), decision.limits());
	}

	private void denied(Demand demand, Decision.Origin origin, List<LimitStatus> limits) {
		report(demand, isShadow(demand) ? Outcome.SHADOW_DENIED : Outcome.DENIED, origin, Duration.ZERO, limits);
	}

	/**
	 * Report a call that was allowed although the store could not answer.
	 */
	void uncounted(Demand demand) {
		report(demand, Outcome.ALLOWED, Decision.Origin.FALLBACK, Duration.ZERO, List.of());
	}

	/**
	 * Report a call that was refused because the store could not answer.
	 */
	void refused(Demand demand) {
		report(demand, Outcome.DENIED, Decision.Origin.FALLBACK, Duration.ZERO, List.of());
	}

	private void report(Demand demand, Outcome outcome, Decision.Origin origin, Duration delay,
			List<LimitStatus> limits) {
		if (demand.cost() > 0 && !this.listeners.isEmpty()) {
			this.listeners.decided(new RuleDecision(demand.rule().name(), outcome, origin, delay, limits));
		}
	}

	private static Duration delay(Demand demand, List<LimitOutcome> outcomes) {
		long delay = 0;
		if (!isShadow(demand)) {
			for (LimitOutcome outcome : outcomes) {
				delay = Math.max(delay, outcome.retryAfter());
			}
		}
		return (delay == 0) ? Duration.ZERO : Duration.of(delay, ChronoUnit.MICROS);
	}

	private static boolean isShadow(Demand demand) {
		return demand.rule().mode() == Mode.SHADOW;
	}

}
