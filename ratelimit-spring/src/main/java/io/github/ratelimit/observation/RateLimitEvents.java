package io.github.ratelimit.observation;

import io.github.ratelimit.RateLimitListener;
import io.github.ratelimit.RuleDecision;
import io.github.ratelimit.notation.KebabCase;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import org.jspecify.annotations.Nullable;

/**
 * Denials and waits as events of the caller's current observation, and so of the current
 * span of a trace. The name of an event is {@code ratelimit.denied},
 * {@code ratelimit.shadow-denied} or {@code ratelimit.wait}; its contextual name adds the
 * rule: {@code ratelimit.denied reply}. No event ever contains a key.
 *
 * @since 0.1.0
 */
public record RateLimitEvents(ObservationRegistry registry) implements RateLimitListener {

	private static final RateLimitListener UNOBSERVED = new RateLimitListener() {
	};

	@Override
	public RateLimitListener forCaller() {
		Observation current = this.registry.getCurrentObservation();
		return (current != null) ? new Observed(current) : UNOBSERVED;
	}

	@Override
	public void decided(RuleDecision decision) {
		Observation.Event event = event(decision);
		Observation current = (event != null) ? this.registry.getCurrentObservation() : null;
		if (current != null) {
			current.event(event);
		}
	}

	private static Observation.@Nullable Event event(RuleDecision decision) {
		return switch (decision.outcome()) {
			case DENIED, SHADOW_DENIED -> event(KebabCase.of(decision.outcome()), decision);
			case ALLOWED -> decision.delay().isZero() ? null : event("wait", decision);
		};
	}

	private static Observation.Event event(String what, RuleDecision decision) {
		String name = "ratelimit." + what;
		return Observation.Event.of(name, name + ' ' + decision.rule());
	}

	private record Observed(Observation observation) implements RateLimitListener {

		@Override
		public void decided(RuleDecision decision) {
			Observation.Event event = event(decision);
			if (event != null) {
				this.observation.event(event);
			}
		}

	}

}
