package io.github.ratelimit.engine;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import io.github.ratelimit.Decision;
import io.github.ratelimit.store.BanOutcome;
import io.github.ratelimit.store.RuleAnswer;

/**
 * State of a key of a rule.
 *
 * @param decision the decision on a call for one unit
 * @param store the origin of decisions while the store answers
 * @param bannedFor the time until the ban of the key ends, {@code null} if it is not
 * banned
 * @param owed the units that settled calls took beyond the limits, by the names of those
 * limits
 * @param time the time of the clock by which the key is counted, {@code null} if no store
 * was called
 * @since 0.1.0
 */
public record KeyState(Decision decision, Decision.Origin store, @Nullable Duration bannedFor, Map<String, Long> owed,
		@Nullable Instant time) {

	static KeyState of(RuleAnswer answer, Decision.Origin origin, Decision.Origin store, Map<String, Long> owed) {
		BanOutcome ban = answer.ban();
		return new KeyState(new Decision(answer, origin), store,
				(ban != null) ? Duration.of(ban.endsAfter(), ChronoUnit.MICROS) : null, owed,
				Instant.EPOCH.plus(answer.time(), ChronoUnit.MICROS));
	}

	/** Create the state of a key that no store knows. */
	static KeyState unknown(Decision decision, Decision.Origin store) {
		return new KeyState(decision, store, null, Map.of(), null);
	}

}
