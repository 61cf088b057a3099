package io.github.ratelimit.sample;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

import io.github.ratelimit.RateLimitListener;
import io.github.ratelimit.RuleDecision;
import io.github.ratelimit.RuleDecision.Outcome;

/**
 * Decisions reported by the starter, counted by rule and outcome.
 */
public class DecisionCounts implements RateLimitListener {

	private final Map<String, LongAdder> counts = new ConcurrentHashMap<>();

	@Override
	public void decided(RuleDecision decision) {
		count(decision.rule(), decision.outcome() == Outcome.ALLOWED).increment();
	}

	public String admitted(String rule) {
		return count(rule, true).toString();
	}

	public String denied(String rule) {
		return count(rule, false).toString();
	}

	public void clear() {
		this.counts.clear();
	}

	private LongAdder count(String rule, boolean allowed) {
		return this.counts.computeIfAbsent(rule + allowed, (name) -> new LongAdder());
	}

}
