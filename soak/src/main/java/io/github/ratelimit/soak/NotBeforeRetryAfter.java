package io.github.ratelimit.soak;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * A denial contains the time until the next call can be admitted, and the store admits
 * none before, in no instance. Bans keep their promise as well. Denials that an instance
 * remembers contain the same time, measured from the arrival of the answer, so they may
 * end later.
 */
final class NotBeforeRetryAfter implements Check {

	@Override
	public Stream<String> violations(KeyHistory key, Timeline timeline) {
		List<Call> calls = key.calls();
		List<Call> admitted = calls.stream().filter((call) -> call.admitted() && call.byStore()).toList();
		return calls.stream().filter((call) -> call.denied() && call.byStore()).flatMap((denial) -> {
			long end = denial.from() + Clocks.certainlyWithin(retryAfter(denial));
			return admitted.stream()
				.filter((call) -> call.within(denial.to(), end))
				.filter((call) -> timeline.calm(denial.from(), end))
				.map((call) -> key.violation("admitted before the end of " + denial.describe(call.from()), call));
		}).limit(1);
	}

	private static Duration retryAfter(Call denial) {
		return Objects.requireNonNull(denial.decision()).retryAfter();
	}

}
