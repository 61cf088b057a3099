package io.github.ratelimit.soak;

import java.time.Duration;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Checks of single calls.
 */
final class Checks {

	/**
	 * Time after which all instances know an override.
	 */
	private static final Duration KNOWN = Duration.ofMillis(1_500);

	private Checks() {
	}

	/**
	 * A key that nobody has called yet has units, regardless of failures.
	 */
	static Check firstAdmitted() {
		return (key, timeline) -> key.calls()
			.stream()
			.limit(1)
			.filter(Call::denied)
			.map((call) -> key.violation("an unused key was denied", call));
	}

	/**
	 * A key that was idle for some periods, in which nothing failed, has units.
	 */
	static Check idleAdmitted() {
		return (key, timeline) -> key.callsAfterRest()
			.stream()
			.filter((call) -> call.denied() && timeline.calm(key.retirement(), call.to()))
			.map((call) -> key.violation("an idle key was denied", call));
	}

	/**
	 * Without the fallback, nothing but the store admits.
	 */
	static Check neverByFallback() {
		return (key, timeline) -> key.calls()
			.stream()
			.filter((call) -> call.admitted() && !call.byStore())
			.map((call) -> key.violation("admitted without the store", call))
			.limit(1);
	}

	/**
	 * Once all instances know that a key is blocked, none of its calls are admitted, also
	 * in an outage.
	 */
	static Check blocked() {
		return onceOverridden("a blocked key was admitted", Call::admitted);
	}

	/**
	 * Once all instances know that a key is unlimited, none of its calls are denied.
	 */
	static Check unlimited() {
		return onceOverridden("an unlimited key was denied", Call::denied);
	}

	private static Check onceOverridden(String violation, Predicate<Call> condition) {
		return (key, timeline) -> key.calls().stream().filter((call) -> {
			long overridden = key.overriddenAt();
			long known = overridden + KNOWN.toNanos();
			return key.isOverridden() && call.from() - known > 0 && condition.test(call)
					&& timeline.calm(overridden, known) && timeline.losses(overridden, call.to()) == 0;
		}).map((call) -> key.violation(violation, call)).limit(1);
	}

}
