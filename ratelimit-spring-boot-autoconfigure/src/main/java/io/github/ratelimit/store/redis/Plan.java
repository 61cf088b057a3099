package io.github.ratelimit.store.redis;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

import io.github.ratelimit.algorithm.CountType;
import io.github.ratelimit.store.Charge;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.Refund;
import io.github.ratelimit.store.Tally;

import org.jspecify.annotations.Nullable;

/**
 * What a call asks, but for the keys: the counts of each of its rules, told as
 * {@code calls.lua} describes them.
 */
final class Plan implements Comparable<Plan> {

	/**
	 * A multiple of any cost that could be admitted, and longer than any wait, within the
	 * numbers Lua keeps exact.
	 */
	private static final long MOST = 1L << 52;

	/**
	 * Enough for one count or two.
	 */
	private static final int ROOM = 64;

	private final Set<CountType> algorithms = EnumSet.noneOf(CountType.class);

	private final byte[] told;

	private final long entries;

	/**
	 * Create a new plan.
	 * @param parts one per rule
	 */
	Plan(List<Part> parts) {
		ByteArrayOutputStream counts = new ByteArrayOutputStream(ROOM);
		int size = 0;
		long mostEntries = 0;
		for (int demand = 0; demand < parts.size(); demand++) {
			Part part = parts.get(demand);
			for (Tally tally : part.tallies) {
				CountType algorithm = tally.type();
				this.algorithms.add(algorithm);
				counts.writeBytes(count(algorithm, demand, part.time, tally));
				mostEntries += algorithm.entries(tally.limit());
				size++;
			}
		}
		this.told = ByteBuffer.allocate(Short.BYTES + counts.size())
			.putShort((short) size)
			.put(counts.toByteArray())
			.array();
		this.entries = mostEntries;
	}

	static Plan of(Refund refund) {
		Part part = Part.of(refund.demand());
		return new Plan(List.of(new Part(part.tallies, refund.slot())));
	}

	static Plan of(Charge charge) {
		return new Plan(List.of(new Part(charge.tallies(), charge.longestWait())));
	}

	private static byte[] count(CountType algorithm, int demand, long time, Tally tally) {
		long[] parameters = algorithm.parameters(tally.limit());
		ByteBuffer count = ByteBuffer.allocate(3 + 7 * (2 + parameters.length))
			.put((byte) algorithm.number())
			.putShort((short) demand);
		sevenBytes(count, Math.min(time, MOST));
		sevenBytes(count, Math.min(tally.cost(), MOST));
		for (long parameter : parameters) {
			sevenBytes(count, parameter);
		}
		return count.array();
	}

	private static void sevenBytes(ByteBuffer told, long number) {
		told.put((byte) (number >>> 48)).putShort((short) (number >>> 32)).putInt((int) number);
	}

	/**
	 * The algorithms that a script has to know.
	 */
	Set<CountType> algorithms() {
		return this.algorithms;
	}

	/**
	 * What it is told.
	 */
	byte[] told() {
		return this.told;
	}

	/**
	 * How many entries of logs a script may have to read and write anew.
	 */
	long entries() {
		return this.entries;
	}

	@Override
	public boolean equals(@Nullable Object other) {
		return other instanceof Plan that && Arrays.equals(this.told, that.told);
	}

	@Override
	public int hashCode() {
		return Arrays.hashCode(this.told);
	}

	@Override
	public int compareTo(Plan other) {
		return Arrays.compare(this.told, other.told);
	}

	/**
	 * What a call asks of one rule.
	 *
	 * @param tallies the counts
	 * @param time how long the call may wait, when its units were counted, or how long
	 * the last of those waits that were admitted elsewhere, in microseconds
	 */
	record Part(List<Tally> tallies, long time) {

		static Part of(Demand demand) {
			return new Part(Tally.of(demand.rule(), demand.cost()), demand.maxWaitMicros());
		}

	}

}
