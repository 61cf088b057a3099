package io.github.ratelimit.metrics;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import io.github.ratelimit.RateLimitListener;
import io.github.ratelimit.RuleDecision;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import org.jspecify.annotations.Nullable;

/**
 * Meters of decisions and of the store. No tag ever contains a key.
 *
 * @since 0.1.0
 */
public final class RateLimitMeters implements RateLimitListener {

	private final MeterRegistry registry;

	private final Map<String, RuleMeters> rules = new ConcurrentHashMap<>();

	private final Map<String, Counter> incidents = new ConcurrentHashMap<>();

	private final Timer storeDuration;

	public RateLimitMeters(MeterRegistry registry) {
		this.registry = registry;
		this.storeDuration = Timer.builder("ratelimit.store.duration")
			.description("Duration of calls to the store of rate limits, answered or failed")
			.register(registry);
	}

	@Override
	public void decided(RuleDecision decision) {
		RuleMeters known = this.rules.get(decision.rule());
		RuleMeters meters = (known != null) ? known : this.rules.computeIfAbsent(decision.rule(), this::newRule);
		meters.record(decision);
	}

	@Override
	public void planUnknown(String rule) {
		count("ratelimit.plans.unknown", "Calls under plans that their rule does not have", "rule", rule);
	}

	@Override
	public void zoneUnknown(String rule) {
		count("ratelimit.zones.unknown", "Calls in time zones that do not exist", "rule", rule);
	}

	@Override
	public void tried(String rule, String candidate, RuleDecision.Outcome outcome) {
		this.rules.computeIfAbsent(rule, this::newRule).recordTried(candidate, outcome);
	}

	@Override
	public void slotsLost(String rule) {
		count("ratelimit.slots.lost", "Running calls that have lost their slots to others", "rule", rule);
	}

	@Override
	public void storeCalled(Duration duration) {
		this.storeDuration.record(duration);
	}

	@Override
	public void storeFailed(String reason, @Nullable String remedy) {
		count("ratelimit.store.failures", "Calls and probes that the store of rate limits could not answer", "reason",
				reason);
	}

	private RuleMeters newRule(String rule) {
		return new RuleMeters(rule, this.registry);
	}

	/**
	 * Count an incident. Its meter begins with the first one.
	 */
	private void count(String meter, String description, String tag, String value) {
		this.incidents.computeIfAbsent(meter + ' ' + value,
				(unknown) -> Counter.builder(meter).description(description).tag(tag, value).register(this.registry))
			.increment();
	}

}
