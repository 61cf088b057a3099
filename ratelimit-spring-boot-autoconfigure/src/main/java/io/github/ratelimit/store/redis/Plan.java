package io.github.ratelimit.store.redis;

import java.util.List;
import java.util.Set;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.Align;
import io.github.ratelimit.Limit;
import io.github.ratelimit.store.Charge;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.Refund;
import io.github.ratelimit.store.Tally;

/**
 * What a call asks, but for the keys: the counts of each of its rules.
 *
 * @param parts one per rule
 */
record Plan(List<Part> parts) {

	/**
	 * A multiple of any cost that could be admitted, within the numbers Lua keeps exact.
	 */
	private static final long MAX_COST = 1L << 52;

	static Plan of(List<Demand> demands) {
		if (demands.size() == 1) {
			return new Plan(List.of(Part.of(demands.get(0))));
		}
		return new Plan(demands.stream().map(Part::of).toList());
	}

	static Plan of(Refund refund) {
		Part part = Part.of(refund.demand());
		return new Plan(List.of(new Part(part.tallies, refund.slot())));
	}

	static Plan of(Charge charge) {
		return new Plan(List.of(new Part(charge.tallies(), 0)));
	}

	/**
	 * Tell a script.
	 * @param algorithms takes the algorithms it has to know
	 * @param values takes its {@code ARGV}
	 */
	void tell(Set<Algorithm> algorithms, List<byte[]> values) {
		values.add(Arguments.number(this.parts.size()));
		for (Part part : this.parts) {
			values.add(Arguments.number(part.tallies.size()));
			values.add(Arguments.number(part.time));
			for (Tally tally : part.tallies) {
				tell(tally, algorithms, values);
			}
		}
	}

	private static void tell(Tally tally, Set<Algorithm> algorithms, List<byte[]> values) {
		algorithms.add(tally.limit().algorithm());
		values.add(Arguments.text(CountingScripts.nameOf(tally.limit().algorithm())));
		values.add(Arguments.number(Math.min(tally.cost(), MAX_COST)));
		for (long parameter : parameters(tally.limit())) {
			values.add(Arguments.number(parameter));
		}
	}

	/**
	 * What the Lua twin has to know of a limit.
	 */
	private static long[] parameters(Limit limit) {
		return switch (limit.algorithm()) {
			case SLIDING_LOG -> new long[] { limit.max(), limit.periodMicros(), limit.countDenied() ? 1 : 0 };
			case TOKEN_BUCKET, LEAKY_BUCKET ->
				new long[] { limit.capacity(), limit.rate().units(), limit.rate().micros() };
			case WEIGHTED_WINDOW -> new long[] { limit.max(), limit.periodMicros() };
			case SLIDING_WINDOW -> new long[] { limit.max(), limit.periodMicros(), limit.segments() };
			case FIXED_WINDOW -> new long[] { limit.max(), limit.periodMicros(),
					(limit.align() == Align.FIRST_REQUEST) ? 1 : 0, limit.countDenied() ? 1 : 0 };
			case WARM_UP -> new long[] { limit.max(), limit.rate().units(), limit.rate().micros(),
					limit.coolDownMicros(), limit.coldFactor() };
			case DEFAULT -> throw new IllegalArgumentException("DEFAULT has to be resolved before counting");
		};
	}

	/**
	 * What a call asks of one rule.
	 *
	 * @param tallies the counts
	 * @param time how long the call may wait, or when its units were counted, in
	 * microseconds
	 */
	record Part(List<Tally> tallies, long time) {

		static Part of(Demand demand) {
			return new Part(Tally.of(demand.rule(), demand.cost()), demand.maxWaitMicros());
		}

	}

}
