package io.github.ratelimit.soak;

import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/**
 * While nothing fails, a call is denied only if enough units were taken before it.
 *
 * @param units the units
 * @param time the time within which they were taken
 */
record DeniedForAReason(long units, Duration time) implements Check {

	@Override
	public Stream<String> violations(KeyHistory key, Timeline timeline) {
		List<Call> calls = key.calls();
		return calls.stream().filter(Call::denied).flatMap((denial) -> {
			long begin = denial.from() - Clocks.certainlyBeyond(this.time);
			long taken = calls.stream()
				.filter((call) -> call.admitted() && call.to() - begin >= 0 && call.from() - denial.to() <= 0)
				.mapToLong(Call::units)
				.sum();
			return (taken < this.units && timeline.calm(begin, denial.to()))
					? Stream.of(key.violation(
							"denied although only %d units were taken in %s".formatted(taken, this.time), denial))
					: Stream.empty();
		}).limit(1);
	}

}
