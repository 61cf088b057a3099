package io.github.ratelimit.soak;

import java.time.Duration;

import io.github.ratelimit.RateLimitListener;
import io.github.ratelimit.RuleDecision;
import io.github.ratelimit.RuleDecision.Outcome;

/**
 * Listener that compares the decisions of a rule with those of a candidate that has the
 * same numbers. They are equal unless something has failed for which units count: what
 * the fallback has counted is charged to the rule alone.
 *
 * @param record the record of the run
 */
record CandidateWatch(RunRecord record) implements RateLimitListener {

	/**
	 * Name of the rule.
	 */
	static final String RULE = "tried";

	/**
	 * Name of the candidate.
	 */
	static final String SAME = "same";

	/**
	 * Time for which units count, those among them that are charged after an outage.
	 */
	private static final long COUNTED = Duration.ofSeconds(2).toNanos();

	/**
	 * Outcome of the call that this thread reports.
	 */
	private static final ThreadLocal<Outcome> DECIDED = new ThreadLocal<>();

	@Override
	public void decided(RuleDecision decision) {
		if (decision.rule().equals(RULE)) {
			DECIDED.set(decision.outcome());
		}
	}

	@Override
	public void tried(String rule, String candidate, Outcome outcome) {
		long now = System.nanoTime();
		if (rule.equals(RULE) && candidate.equals(SAME) && this.record.timeline().calm(now - COUNTED, now)) {
			this.record.compared();
			if (outcome != DECIDED.get()) {
				this.record.violation("%s: the candidate with the same numbers says %s to a call that is %s"
					.formatted(RULE, outcome, DECIDED.get()));
			}
		}
	}

}
