package io.github.ratelimit.soak;

import io.github.ratelimit.Decision.Origin;
import io.github.ratelimit.RateLimitListener;
import io.github.ratelimit.RuleDecision;
import org.jspecify.annotations.Nullable;

/**
 * Listener that notes calls that the store has not answered, before their callers go on.
 *
 * @param record the record of the run
 */
record UnansweredCalls(RunRecord record) implements RateLimitListener {

	@Override
	public void decided(RuleDecision decision) {
		if (decision.origin() == Origin.FALLBACK) {
			this.record.unanswered();
		}
	}

	@Override
	public void storeFailed(String reason, @Nullable String remedy) {
		this.record.unanswered();
	}

}
