package io.github.ratelimit.store.redis;

import java.nio.ByteBuffer;
import java.util.EnumSet;
import java.util.Set;

import org.jspecify.annotations.Nullable;

import io.github.ratelimit.Limit;
import io.github.ratelimit.LimitCalendar;
import io.github.ratelimit.algorithm.CountType;
import io.github.ratelimit.store.Correction;
import io.github.ratelimit.store.CountSpec;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.RuleAnswer;
import io.github.ratelimit.store.RuleCounts;

/**
 * Counts of a rule, encoded for scripts as {@code calls.lua} describes it. All fields but
 * {@link CallFields} are encoded once for each prepared rule. A call of cost 1 that waits
 * as long as the rule allows is encoded in advance, unless it differs from others by its
 * end or by the time.
 */
final class EncodedCounts {

	/**
	 * Upper bound of encoded costs and waits: more than can be admitted or waited for,
	 * and within the integers that Lua represents exactly.
	 */
	private static final long MOST = 1L << 52;

	/**
	 * Upper bound of encoded times, up to which Lua represents integers exactly. It is
	 * {@link Correction#NEWEST} in scripts.
	 */
	private static final long LATEST = 1L << 53;

	/**
	 * Most units of a log that a lean script reads whole, as in {@code sliding-log.lua}.
	 */
	private static final int SHORT = 64;

	/**
	 * Bytes of a count without its parameters: the number of the algorithm, the index of
	 * the demand, the time and the cost.
	 */
	private static final int HEAD = 1 + 2 + 7 + 7;

	/** Bytes of a count that a lean script decides by. */
	static final int LEAN = HEAD + 3 * 7;

	private static final byte[][] NO_EDGES = {};

	private final RuleCounts counts;

	private final CounterNames names;

	private final Set<CountType> algorithms = EnumSet.noneOf(CountType.class);

	private final Set<CountType> correctable;

	private final byte[] numbers;

	private final byte[][] parameters;

	private final SideCount[] sides;

	/** Edges of the counts by calendars, {@code null} for those that have a period. */
	private final @Nullable EncodedEdges[] edges;

	private final CallerClock clock;

	private boolean hasCalendars;

	/** Largest cost of a call that a lean script may decide, 0 if it may decide none. */
	private final long mostOfLean;

	/** The usual call, {@code null} if calls with the same cost and wait differ. */
	private final @Nullable EncodedCall usual;

	private int size;

	private long entries;

	EncodedCounts(RuleCounts counts, CounterNames names, CallerClock clock, long instance) {
		this.counts = counts;
		this.names = names;
		this.clock = clock;
		this.edges = new EncodedEdges[counts.size()];
		this.numbers = new byte[counts.size()];
		this.parameters = new byte[counts.size()][];
		for (int i = 0; i < counts.size(); i++) {
			add(i, counts.get(i));
		}
		this.sides = SideCount.of(counts, instance);
		boolean isLean = isSimple(counts);
		for (SideCount each : this.sides) {
			this.algorithms.add(each.type());
			this.size += HEAD + 7 * each.numbers().length;
			this.entries += each.entries();
			isLean &= !each.isNeededByAll();
		}
		this.correctable = EnumSet.copyOf(this.algorithms);
		this.correctable.add(CountType.RESETS);
		this.mostOfLean = isLean ? counts.get(0).limit().capacity() : 0;
		boolean hasUsual = !this.hasCalendars && !counts.needsEnd();
		this.usual = hasUsual ? encode(new CallFields(0, 1, counts.maxWaitMicros(), 0, Fetch.NOTHING)) : null;
	}

	/**
	 * Return whether a rule has a single limit with a lean script and, while no instance
	 * holds units of a key, nothing else. Under plans, the states of a key often have
	 * other numbers.
	 */
	private static boolean isSimple(RuleCounts counts) {
		return counts.size() == 1 && !counts.get(0).settled() && !counts.rule().hasPlans()
				&& hasLeanScript(counts.get(0).limit());
	}

	/**
	 * Return whether a lean script decides by a limit: by a short log, or by a rate whose
	 * products are exact.
	 */
	private static boolean hasLeanScript(Limit limit) {
		CountType type = CountType.of(limit);
		if (type == CountType.SLIDING_LOG) {
			return limit.max() <= SHORT && !limit.countDenied();
		}
		return (type == CountType.TOKEN_BUCKET || type == CountType.LEAKY_BUCKET)
				&& (double) limit.rate().units() * limit.rate().micros() < MOST;
	}

	private static byte[] encoded(long... values) {
		ByteBuffer encoded = ByteBuffer.allocate(7 * values.length);
		for (long value : values) {
			EncodedCall.sevenBytes(encoded, value);
		}
		return encoded.array();
	}

	private void add(int i, CountSpec spec) {
		CountType algorithm = CountType.of(spec.limit(), spec.isInterval());
		this.algorithms.add(algorithm);
		this.numbers[i] = (byte) algorithm.number();
		if (spec.settled()) {
			this.algorithms.add(CountType.SETTLED);
			this.numbers[i] |= (byte) CountType.MAY_SETTLE;
		}
		LimitCalendar calendar = spec.limit().calendar();
		if (calendar != null) {
			this.edges[i] = new EncodedEdges(calendar);
			this.hasCalendars = true;
		}
		this.parameters[i] = encoded(algorithm.parameters(spec.limit()));
		this.size += HEAD + this.parameters[i].length;
		this.entries += algorithm.entries(spec.limit());
	}

	CounterNames names() {
		return this.names;
	}

	/**
	 * Encode the part of this rule in a call.
	 * @param index the index of the demand in the call
	 */
	EncodedCall call(Demand demand, int index, Fetch fetch) {
		EncodedCall known = this.usual;
		boolean isUsual = known != null && index == 0 && fetch == Fetch.NOTHING && demand.cost() == 1
				&& demand.maxWaitMicros() == this.counts.maxWaitMicros();
		return isUsual ? known
				: encode(new CallFields(index, demand.cost(), demand.maxWaitMicros(), demand.call(), fetch));
	}

	EncodedCall correct(Correction correction) {
		return encode(CallFields.of(correction));
	}

	private EncodedCall encode(CallFields call) {
		byte[][] edges = this.hasCalendars ? edges(call.ahead()) : NO_EDGES;
		int further = (call.decidedAt() != Correction.NEWEST) ? HEAD : 0;
		for (byte[] each : edges) {
			further += each.length;
		}
		ByteBuffer encoded = ByteBuffer.allocate(this.size + further);
		for (int i = 0; i < this.numbers.length; i++) {
			count(encoded, this.numbers[i], call.demand(), call.time(), call.units(i, this.counts.get(i)));
			encoded.put(this.parameters[i]);
			if (i < edges.length) {
				encoded.put(edges[i]);
			}
		}
		for (SideCount each : this.sides) {
			count(encoded, each.type().number(), call.demand(), each.time(call), each.units(call));
			for (long number : each.numbers(call)) {
				EncodedCall.sevenBytes(encoded, number);
			}
		}
		if (call.decidedAt() != Correction.NEWEST) {
			count(encoded, CountType.RESETS.number(), call.demand(), call.decidedAt(), 0);
			return new EncodedCall(this.correctable, this.names.size() + 1, encoded.array(), this.entries, null);
		}
		return new EncodedCall(this.algorithms, this.names.size(), encoded.array(), this.entries,
				isLean(call) ? CountType.of(this.counts.get(0).limit()) : null);
	}

	private byte[][] edges(long ahead) {
		byte[][] encoded = new byte[this.edges.length][0];
		long now = this.clock.now();
		for (int i = 0; i < encoded.length; i++) {
			EncodedEdges own = this.edges[i];
			encoded[i] = (own != null) ? own.around(now, ahead) : encoded[i];
		}
		return encoded;
	}

	private boolean isLean(CallFields call) {
		long units = (this.mostOfLean > 0) ? call.units(0, this.counts.get(0)) : 0;
		return units > 0 && units <= this.mostOfLean && call.time() == 0 && call.fetch() == Fetch.NOTHING;
	}

	void reach(long time) {
		for (EncodedEdges each : this.edges) {
			if (each != null) {
				each.reach(time);
			}
		}
	}

	/**
	 * Read the outcomes of the counts of a demand, in the order in which they were
	 * encoded.
	 */
	RuleAnswer answer(Demand demand, Reply reply, Fetch fetch) {
		RuleAnswer decided = RuleAnswer.of(demand, reply.time(), (count) -> reply.nextOutcome(demand));
		for (SideCount each : this.sides) {
			decided = each.answer(decided, reply.nextOutcome(demand), fetch);
		}
		return decided;
	}

	private static void count(ByteBuffer encoded, int number, int demand, long time, long units) {
		encoded.put((byte) number).putShort((short) demand);
		EncodedCall.sevenBytes(encoded, Math.min(time, LATEST));
		EncodedCall.sevenBytes(encoded, Math.min(units, MOST));
	}

}
