package io.github.ratelimit.metrics;

import java.time.Duration;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import io.github.ratelimit.Decision.Origin;
import io.github.ratelimit.LimitStatus;
import io.github.ratelimit.RateLimitListener;
import io.github.ratelimit.RuleDecision;
import io.github.ratelimit.RuleDecision.Outcome;
import io.github.ratelimit.notation.KebabCase;
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

	private void count(String meter, String description, String tag, String value) {
		this.incidents.computeIfAbsent(meter + ' ' + value,
				(unknown) -> Counter.builder(meter).description(description).tag(tag, value).register(this.registry))
			.increment();
	}

	/**
	 * Meters of one rule. All outcomes of an origin are registered together, so that each
	 * begins at zero.
	 */
	private static final class RuleMeters {

		private static final double NEAR = 0.8;

		private final String rule;

		private final MeterRegistry registry;

		private final Map<Origin, Map<Outcome, Counter>> decisions = new ConcurrentHashMap<>();

		private final Map<String, Map<Outcome, Counter>> plans = new ConcurrentHashMap<>();

		private final Map<String, Map<Outcome, Counter>> priorities = new ConcurrentHashMap<>();

		private final Map<String, Map<Outcome, Counter>> candidates = new ConcurrentHashMap<>();

		private final Counter nearLimit;

		private final Timer wait;

		RuleMeters(String rule, MeterRegistry registry) {
			this.rule = rule;
			this.registry = registry;
			this.nearLimit = Counter.builder("ratelimit.near.limit")
				.description("Allowed calls that left less than a fifth of a limit")
				.tag("rule", rule)
				.register(registry);
			this.wait = Timer.builder("ratelimit.wait")
				.description("Time that allowed calls have to wait for their turn")
				.tag("rule", rule)
				.register(registry);
		}

		void record(RuleDecision decision) {
			Map<Outcome, Counter> known = this.decisions.get(decision.origin());
			Map<Outcome, Counter> outcomes = (known != null) ? known
					: this.decisions.computeIfAbsent(decision.origin(), this::newOrigin);
			outcomes.get(decision.outcome()).increment();
			if (decision.plan() != null) {
				this.plans.computeIfAbsent(decision.plan(), this::newPlan).get(decision.outcome()).increment();
			}
			if (decision.priority() != null) {
				this.priorities.computeIfAbsent(decision.priority(), this::newPriority)
					.get(decision.outcome())
					.increment();
			}
			if (!decision.delay().isZero()) {
				this.wait.record(decision.delay());
			}
			if (decision.outcome() == Outcome.ALLOWED && decision.origin() != Origin.FALLBACK
					&& isNear(decision.limits())) {
				this.nearLimit.increment();
			}
		}

		void recordTried(String candidate, Outcome outcome) {
			this.candidates.computeIfAbsent(candidate, this::newCandidate).get(outcome).increment();
		}

		private static boolean isNear(List<LimitStatus> limits) {
			for (LimitStatus limit : limits) {
				if (limit.capacity() - limit.remaining() > limit.capacity() * NEAR) {
					return true;
				}
			}
			return false;
		}

		private Map<Outcome, Counter> newOrigin(Origin origin) {
			return newCounters("ratelimit.decisions", "Decisions of rate limit rules", "origin", KebabCase.of(origin));
		}

		/**
		 * Create the counters of a plan. They are meters of their own: registries of
		 * Prometheus want the same tags on all meters of a name.
		 */
		private Map<Outcome, Counter> newPlan(String plan) {
			return newCounters("ratelimit.plans.decisions", "Decisions of rate limit rules under named plans", "plan",
					plan);
		}

		private Map<Outcome, Counter> newCandidate(String candidate) {
			return newCounters(EnumSet.of(Outcome.ALLOWED, Outcome.DENIED), "ratelimit.candidates",
					"Decisions of candidates, which are tried beside the limits of rules", "candidate", candidate);
		}

		private Map<Outcome, Counter> newPriority(String priority) {
			return newCounters("ratelimit.priority.decisions", "Decisions of rate limit rules by class of calls",
					"priority", priority);
		}

		private Map<Outcome, Counter> newCounters(String name, String description, String tag, String value) {
			return newCounters(EnumSet.allOf(Outcome.class), name, description, tag, value);
		}

		private Map<Outcome, Counter> newCounters(Set<Outcome> outcomes, String name, String description, String tag,
				String value) {
			Map<Outcome, Counter> counters = new EnumMap<>(Outcome.class);
			for (Outcome outcome : outcomes) {
				counters.put(outcome,
						Counter.builder(name)
							.description(description)
							.tag("rule", this.rule)
							.tag("outcome", KebabCase.of(outcome))
							.tag(tag, value)
							.register(this.registry));
			}
			return counters;
		}

	}

}
