package io.github.ratelimit.store.redis;

import java.io.ByteArrayOutputStream;
import java.util.List;
import java.util.Set;

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
	 * A multiple of any cost that could be admitted, and longer than any wait, within the
	 * numbers Lua keeps exact.
	 */
	private static final long MOST = 1L << 52;

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
	 * Tell a script, as {@code calls.lua} describes.
	 * @param algorithms takes the algorithms it has to know
	 * @param told takes what it is told
	 */
	void tell(Set<Twin> algorithms, ByteArrayOutputStream told) {
		write(told, this.parts.stream().mapToInt((part) -> part.tallies.size()).sum(), 2);
		for (int demand = 0; demand < this.parts.size(); demand++) {
			Part part = this.parts.get(demand);
			for (Tally tally : part.tallies) {
				Twin algorithm = Twin.of(tally.limit().algorithm());
				algorithms.add(algorithm);
				write(told, algorithm.number(), 1);
				write(told, demand, 2);
				write(told, Math.min(part.time, MOST), 7);
				write(told, Math.min(tally.cost(), MOST), 7);
				for (long parameter : algorithm.parameters(tally.limit())) {
					write(told, parameter, 7);
				}
			}
		}
	}

	private static void write(ByteArrayOutputStream told, long number, int bytes) {
		for (int shift = (bytes - 1) * Byte.SIZE; shift >= 0; shift -= Byte.SIZE) {
			told.write((int) (number >>> shift));
		}
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
