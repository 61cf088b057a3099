package io.github.ratelimit.engine;

import java.time.Duration;
import java.util.List;

import org.jspecify.annotations.Nullable;

import io.github.ratelimit.Decision;
import io.github.ratelimit.LimitStatus;
import io.github.ratelimit.Mode;
import io.github.ratelimit.RuleDecision;
import io.github.ratelimit.RuleDecision.Outcome;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.RuleAnswer;
import io.github.ratelimit.store.RuleCounts;
import io.github.ratelimit.store.StoreAnswer;

/**
 * Report of decisions to listeners, rule by rule.
 */
final class DecisionReport {

	private final Listeners listeners;

	DecisionReport(Listeners listeners) {
		this.listeners = listeners;
	}

	/**
	 * Return the report of a call of the current thread, which other threads may make.
	 */
	DecisionReport forCaller() {
		Listeners bound = this.listeners.forCaller();
		return (bound != this.listeners) ? new DecisionReport(bound) : this;
	}

	/**
	 * Report a call that was counted, or denied.
	 * @param answer the answers of its rules, which are either all in shadow mode or none
	 * of them
	 * @param origin the origin of the answer
	 */
	void counted(StoreAnswer answer, Decision.Origin origin) {
		if (!this.listeners.isEmpty()) {
			reportEach(answer, origin);
		}
	}

	private void reportEach(StoreAnswer answer, Decision.Origin origin) {
		boolean allowed = answer.isAdmitted();
		for (int i = 0; i < answer.size(); i++) {
			RuleAnswer each = answer.get(i);
			if (allowed) {
				long delay = isShadow(each.demand()) ? 0 : each.delay();
				report(each.demand(), Outcome.ALLOWED, origin, Duration.ofNanos(delay * 1000), each.limits());
			}
			else if (!each.isAdmitted()) {
				denied(each.demand(), origin, each.limits());
			}
		}
	}

	/**
	 * Report a call that was decided by its key and cost alone.
	 */
	void plain(RuleCounts counts, Decision decision) {
		report(counts, null, decision.allowed() ? Outcome.ALLOWED : Outcome.DENIED, decision.origin(), Duration.ZERO,
				decision.limits());
	}

	/**
	 * Report a call that was known to be denied.
	 */
	void denied(Demand demand, Decision decision) {
		denied(demand, decision.origin(), decision.limits());
	}

	/**
	 * Report a call whose key is blocked.
	 */
	void blocked(Demand demand) {
		denied(demand, Decision.Origin.NONE, List.of());
	}

	private void denied(Demand demand, Decision.Origin origin, List<LimitStatus> limits) {
		report(demand, isShadow(demand) ? Outcome.SHADOW_DENIED : Outcome.DENIED, origin, Duration.ZERO, limits);
	}

	/**
	 * Report a call that was allowed although the store could not decide it.
	 */
	void uncounted(Demand demand) {
		report(demand, Outcome.ALLOWED, Decision.Origin.FALLBACK, Duration.ZERO, List.of());
	}

	/**
	 * Report a call that was refused because the store could not decide it.
	 */
	void refused(Demand demand) {
		report(demand, Outcome.DENIED, Decision.Origin.FALLBACK, Duration.ZERO, List.of());
	}

	private void report(Demand demand, Outcome outcome, Decision.Origin origin, Duration delay,
			List<LimitStatus> limits) {
		if (demand.cost() > 0 && !this.listeners.isEmpty()) {
			report(demand.counts(), demand.priority(), outcome, origin, delay, limits);
		}
	}

	private void report(RuleCounts counts, @Nullable String priority, Outcome outcome, Decision.Origin origin,
			Duration delay, List<LimitStatus> limits) {
		this.listeners
			.decided(new RuleDecision(counts.rule().name(), outcome, origin, delay, limits, counts.plan(), priority));
	}

	private static boolean isShadow(Demand demand) {
		return demand.rule().mode() == Mode.SHADOW;
	}

}
