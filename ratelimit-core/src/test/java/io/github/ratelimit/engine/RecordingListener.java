package io.github.ratelimit.engine;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import io.github.ratelimit.RateLimitListener;
import io.github.ratelimit.RuleDecision;

/**
 * Listener that records the reports it gets.
 */
final class RecordingListener implements RateLimitListener {

	final List<RuleDecision> decisions = new ArrayList<>();

	final List<String> events = new ArrayList<>();

	/**
	 * Return the reports as {@code "rule outcome origin"}.
	 */
	List<String> reports() {
		return this.decisions.stream()
			.map((decision) -> decision.rule() + ' ' + decision.outcome() + ' ' + decision.origin())
			.toList();
	}

	@Override
	public void decided(RuleDecision decision) {
		this.decisions.add(decision);
	}

	@Override
	public void zoneUnknown(String rule) {
		this.events.add("no zone of " + rule);
	}

	@Override
	public void planUnknown(String rule) {
		this.events.add("no plan of " + rule);
	}

	@Override
	public void storeCalled(Duration duration) {
		this.events.add("called " + duration);
	}

	@Override
	public void storeFailed(String reason, String remedy) {
		this.events.add("failed " + reason + ", " + remedy);
	}

	@Override
	public void storeUnavailable(String reason) {
		this.events.add("lost " + reason);
	}

	@Override
	public void storeRecovered() {
		this.events.add("found");
	}

}
