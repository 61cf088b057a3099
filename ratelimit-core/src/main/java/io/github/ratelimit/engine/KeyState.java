package io.github.ratelimit.engine;

import java.util.Map;

import org.jspecify.annotations.Nullable;

import io.github.ratelimit.Decision;
import io.github.ratelimit.store.RuleAnswer;

/**
 * State of a key of a rule.
 *
 * @param decision the decision on a call for one unit
 * @param store the origin of decisions while the store answers
 * @param answer the answer that the decision shows, {@code null} if no store was called
 * @param owed the units that settled calls took beyond the limits, by the names of those
 * limits
 * @since 0.1.0
 */
public record KeyState(Decision decision, Decision.Origin store, @Nullable RuleAnswer answer, Map<String, Long> owed) {

	static KeyState of(RuleAnswer answer, Decision.Origin origin, Decision.Origin store, Map<String, Long> owed) {
		return new KeyState(new Decision(answer, origin), store, answer, owed);
	}

	/** Create the state of a key that no store knows. */
	static KeyState unknown(Decision decision, Decision.Origin store) {
		return new KeyState(decision, store, null, Map.of());
	}

}
