package io.github.ratelimit.soak;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.stream.Stream;

import io.github.ratelimit.top.TalkerList.Talker;

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

	/**
	 * A denial contains the time until the next call can be admitted, and the store
	 * admits none before, in no instance. Bans keep their promise as well. Denials that
	 * an instance remembers contain the same time, measured from the arrival of the
	 * answer, so they may end later.
	 */
	static Check notBeforeRetryAfter() {
		return (key, timeline) -> {
			List<Call> byStore = key.calls().stream().filter(Call::byStore).toList();
			return byStore.stream().filter(Call::denied).flatMap((denial) -> {
				Duration retryAfter = Objects.requireNonNull(denial.decision()).retryAfter();
				long end = denial.from() + Clocks.certainlyWithin(retryAfter);
				return byStore.stream()
					.filter((call) -> call.admitted() && call.within(denial.to(), end))
					.filter((call) -> timeline.calm(denial.from(), end))
					.map((call) -> key.violation("admitted before the end of " + denial.describe(call.from()), call));
			}).limit(1);
		};
	}

	/**
	 * The list of the keys with most denials never says more denials of a key than there
	 * were, less its error.
	 */
	static Check listed() {
		return (key, timeline) -> {
			Talker listed = key.listed();
			long denials = key.calls().stream().filter(Call::denied).count();
			return (listed != null && listed.count() - listed.error() > denials && !key.isInUse())
					? Stream.of(key.violation("%d denials, listed as %d with an error of %d at most".formatted(denials,
							listed.count(), listed.error()), key.calls().get(0)))
					: Stream.empty();
		};
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
