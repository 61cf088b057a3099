package io.github.ratelimit.soak;

import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/**
 * The store admits a call of a class only if fewer units than these were taken in the
 * period before it, by calls of any class. With each loss of its counts, as many units as
 * the limit has are forgotten at most.
 *
 * @param priority the class
 * @param units the units that the class may take
 * @param max the units that all classes may take
 * @param period the period
 */
record LeavesFree(String priority, long units, long max, Duration period) implements Check {

	@Override
	public Stream<String> violations(KeyHistory key, Timeline timeline) {
		List<Call> admitted = key.calls().stream().filter((call) -> call.admitted() && call.byStore()).toList();
		return admitted.stream().filter((call) -> call.isOfClass(this.priority)).flatMap((last) -> {
			long from = last.to() - Clocks.certainlyWithin(this.period);
			long taken = admitted.stream()
				.filter((call) -> call != last && call.within(from, last.from()))
				.mapToLong(Call::units)
				.sum();
			return (taken >= this.units + this.max * timeline.losses(from, last.to()))
					? Stream.of(key.violation(
							"a call of class %s was admitted after %d units".formatted(this.priority, taken), last))
					: Stream.empty();
		}).limit(1);
	}

}
