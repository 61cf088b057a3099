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

	private final Map<String, Counter> unknownPlans = new ConcurrentHashMap<>();

	private final Map<String, Counter> unknownZones = new ConcurrentHashMap<>();

	private final Map<String, Counter> lostSlots = new ConcurrentHashMap<>();

	private final Map<String, Counter> failures = new ConcurrentHashMap<>();

	private final Timer storeDuration;

	/**
	 * Create new meters.
	 * @param registry the registry of the meters
	 */
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
		this.unknownPlans.computeIfAbsent(rule, this::newUnknownPlans).increment();
	}

	@Override
	public void zoneUnknown(String rule) {
		this.unknownZones.computeIfAbsent(rule, this::newUnknownZones).increment();
	}

	@Override
	public void tried(String rule, String candidate, RuleDecision.Outcome outcome) {
		this.rules.computeIfAbsent(rule, this::newRule).recordTried(candidate, outcome);
	}

	@Override
	public void slotsLost(String rule) {
		this.lostSlots.computeIfAbsent(rule, this::newLostSlots).increment();
	}

	@Override
	public void storeCalled(Duration duration) {
		this.storeDuration.record(duration);
	}

	@Override
	public void storeFailed(String reason, @Nullable String remedy) {
		this.failures.computeIfAbsent(reason, this::newFailures).increment();
	}

	private RuleMeters newRule(String rule) {
		return new RuleMeters(rule, this.registry);
	}

	private Counter newUnknownPlans(String rule) {
		return Counter.builder("ratelimit.plans.unknown")
			.description("Calls under plans that their rule does not have")
			.tag("rule", rule)
			.register(this.registry);
	}

	private Counter newUnknownZones(String rule) {
		return Counter.builder("ratelimit.zones.unknown")
			.description("Calls in time zones that do not exist")
			.tag("rule", rule)
			.register(this.registry);
	}

	private Counter newLostSlots(String rule) {
		return Counter.builder("ratelimit.slots.lost")
			.description("Running calls that have lost their slots to others")
			.tag("rule", rule)
			.register(this.registry);
	}

	private Counter newFailures(String reason) {
		return Counter.builder("ratelimit.store.failures")
			.description("Calls and probes that the store of rate limits could not answer")
			.tag("reason", reason)
			.register(this.registry);
	}

}
