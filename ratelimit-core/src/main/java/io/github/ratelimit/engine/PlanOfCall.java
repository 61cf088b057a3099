package io.github.ratelimit.engine;

import java.time.DateTimeException;
import java.time.ZoneId;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

import org.jspecify.annotations.Nullable;

import io.github.ratelimit.RateLimitListener;
import io.github.ratelimit.store.RuleCounts;
import io.github.ratelimit.store.RuleVariants;

/**
 * Numbers by which a call is decided, those of a plan of its rule or its own, and the
 * time zone of its calendars.
 */
final class PlanOfCall {

	private final RateLimitListener listeners;

	private final LongSupplier clock;

	/** By the beginning of the message that there are many of them. */
	private final Map<String, UnknownNames> unknown = new ConcurrentHashMap<>();

	PlanOfCall(RateLimitListener listeners, LongSupplier clock) {
		this.listeners = listeners;
		this.clock = clock;
	}

	private UnknownNames unknown(String many) {
		return this.unknown.computeIfAbsent(many, (message) -> new UnknownNames(message, this.clock));
	}

	/**
	 * Select the plan of a name.
	 * @param own the rule with its own numbers
	 * @param plan the name; {@code null}, empty or unknown for the rule's own numbers; an
	 * unknown name is reported
	 */
	RuleCounts named(RuleCounts own, @Nullable String plan) {
		if (plan == null || plan.isEmpty()) {
			return own;
		}
		RuleCounts planned = RuleVariants.of(own).under(plan);
		if (planned == null) {
			reportPlan(own.rule().name(), plan, own.rule().plans().keySet());
			return own;
		}
		return planned;
	}

	private void reportPlan(String rule, String plan, Set<String> known) {
		this.listeners.planUnknown(rule);
		unknown("Calls come under many plans that their rules do not have: ").met(rule, plan,
				(name) -> "Rule \"" + rule + "\" has no plan \"" + name + "\", so the numbers of the rule apply."
						+ NearestName.known(name, known));
	}

	/**
	 * Select the time zone of a name.
	 * @param counts the rule under the plan of the call
	 * @param zone the name; {@code null}, empty or unknown for UTC; an unknown name is
	 * reported
	 */
	RuleCounts inZone(RuleCounts counts, @Nullable String zone) {
		if (zone == null || zone.isEmpty()) {
			return RuleVariants.of(counts).inZone(null);
		}
		try {
			return RuleVariants.of(counts).inZone(ZoneId.of(zone));
		}
		catch (DateTimeException ex) {
			reportZone(counts.rule().name(), zone);
			return RuleVariants.of(counts).inZone(null);
		}
	}

	private void reportZone(String rule, String zone) {
		this.listeners.zoneUnknown(rule);
		unknown("Calls select many time zones that do not exist: ").met(rule, zone,
				(name) -> "The zone expression of rule \"" + rule + "\" selects \"" + name
						+ "\", which is not a time zone, so UTC applies."
						+ NearestName.suggestion(name, ZoneId.getAvailableZoneIds()));
	}

}
