package io.github.ratelimit.soak;

import java.time.Duration;
import java.util.List;
import java.util.function.LongBinaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.github.ratelimit.Decision.Origin;

/**
 * Upper bound of the units of a key in any period. The store admits them once, and once
 * more for each loss of its counts; each instance admits them once more in each outage.
 *
 * @param units the units
 * @param period the period
 */
record AtMost(long units, Duration period) implements Check {

	@Override
	public Stream<String> violations(KeyHistory key, Timeline timeline) {
		List<Call> admitted = key.calls().stream().filter((call) -> call.admitted() && call.units() > 0).toList();
		List<Call> byStore = admitted.stream().filter(Call::byStore).toList();
		Stream<String> violations = Stream.concat(violations(key, byStore, (from, to) -> 1 + timeline.losses(from, to)),
				violations(key, admitted,
						(from, to) -> 1 + timeline.losses(from, to) + Soak.INSTANCES * timeline.outages(from, to)));
		for (int i = 0; i < Soak.INSTANCES; i++) {
			int instance = i;
			violations = Stream.concat(violations,
					violations(key,
							admitted.stream()
								.filter((call) -> call.by(Origin.FALLBACK) && call.instance() == instance)
								.toList(),
							timeline::outages));
		}
		return violations.limit(1);
	}

	/**
	 * Return what contradicts the statement for some of the calls.
	 * @param quotas returns the factor by which the units may be admitted within a time
	 */
	private Stream<String> violations(KeyHistory key, List<Call> calls, LongBinaryOperator quotas) {
		return IntStream.range(0, calls.size()).boxed().flatMap((first) -> {
			long from = calls.get(first).from();
			long to = from + Clocks.certainlyWithin(this.period);
			long sum = calls.stream().skip(first).filter((call) -> call.within(from, to)).mapToLong(Call::units).sum();
			long most = (sum > this.units) ? quotas.applyAsLong(from, to) * this.units : sum;
			return (sum > most) ? Stream
				.of(key.violation("%d units in %s, at most %d".formatted(sum, this.period, most), calls.get(first)))
					: Stream.empty();
		});
	}

}
