package io.github.ratelimit.soak;

import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

import io.github.ratelimit.Decision.Origin;

/**
 * Upper bound of the slots of a key that are held at the same time. Each outage may add
 * the slots of calls that the store has forgotten, until the next renewal, and those that
 * each instance admits by itself.
 *
 * @param slots the slots
 * @param longest the longest time for which a call holds a slot, and a lease
 */
record HeldAtOnce(long slots, Duration longest) implements Check {

	@Override
	public Stream<String> violations(KeyHistory key, Timeline timeline) {
		List<Call> admitted = key.calls().stream().filter(Call::admitted).toList();
		return Stream.concat(violations(key, timeline, admitted.stream().filter(Call::byStore).toList(), 1),
				Stream.iterate(0, (instance) -> instance < Soak.INSTANCES, (instance) -> instance + 1)
					.flatMap((instance) -> violations(key, timeline,
							admitted.stream()
								.filter((call) -> call.by(Origin.FALLBACK) && call.instance() == instance)
								.toList(),
							0)));
	}

	private Stream<String> violations(KeyHistory key, Timeline timeline, List<Call> calls, long quotas) {
		return calls.stream().flatMap((call) -> {
			long time = call.to();
			long held = calls.stream().filter((other) -> other.to() - time <= 0 && other.held() - time > 0).count();
			long allowed = (held > this.slots * quotas)
					? this.slots * (quotas + timeline.outages(time - this.longest.toNanos(), time)) : held;
			return (held > allowed)
					? Stream.of(key.violation("%d slots held at once, at most %d".formatted(held, allowed), call))
					: Stream.empty();
		}).limit(1);
	}

}
