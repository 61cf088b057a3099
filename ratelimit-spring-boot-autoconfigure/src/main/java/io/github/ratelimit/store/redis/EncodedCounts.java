package io.github.ratelimit.store.redis;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;
import java.util.function.IntToLongFunction;

import org.jspecify.annotations.Nullable;

import io.github.ratelimit.LimitCalendar;
import io.github.ratelimit.algorithm.CountType;
import io.github.ratelimit.store.Charge;
import io.github.ratelimit.store.CountSpec;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.Refund;
import io.github.ratelimit.store.RuleCounts;
import io.github.ratelimit.store.RuleValue;

/**
 * Counts of a rule, encoded for scripts as {@code calls.lua} describes it. All fields but
 * the cost and the wait of a call are encoded once for each prepared rule. A call of cost
 * 1 that waits as long as the rule allows is encoded completely.
 */
final class EncodedCounts {

	/**
	 * Upper bound of encoded costs and waits: more than can be admitted or waited for,
	 * and within the integers that Lua represents exactly.
	 */
	private static final long MOST = 1L << 52;

	/**
	 * Bytes of a count without its parameters: the number of the algorithm, the index of
	 * the demand, the time and the cost.
	 */
	private static final int HEAD = 1 + 2 + 7 + 7;

	/**
	 * Bytes of the parameters of portions.
	 */
	private static final int PORTIONS = 5 * 7;

	private static final byte[] NOTHING = {};

	private static final byte[][] NO_EDGES = {};

	private final RuleCounts counts;

	private final CounterNames names;

	private final Set<CountType> algorithms = EnumSet.noneOf(CountType.class);

	private final byte[] numbers;

	private final byte[][] parameters;

	/**
	 * Time that an instance may hold a portion, in microseconds; 0 if the rule does not
	 * prefetch.
	 */
	private final long lifetime;

	/**
	 * Edges of the counts by calendars, {@code null} for those that have a period; empty
	 * if all of them do.
	 */
	private final @Nullable CalendarEdges[] edges;

	private final CallerClock clock;

	private final EncodedCall usual;

	private int size;

	private long entries;

	private EncodedCounts(RuleCounts counts, CounterNames names, CallerClock clock) {
		this.counts = counts;
		this.names = names;
		this.clock = clock;
		this.edges = edges(counts);
		this.numbers = new byte[counts.size()];
		this.parameters = new byte[counts.size()][];
		for (int i = 0; i < counts.size(); i++) {
			add(i, counts.get(i));
		}
		Duration prefetch = counts.rule().prefetch();
		this.lifetime = (prefetch != null) ? prefetch.toNanos() / 1000 : 0;
		if (this.lifetime > 0) {
			this.algorithms.add(CountType.PORTIONS);
			this.size += HEAD + PORTIONS;
		}
		this.usual = encode(0, counts.maxWaitMicros(), counts.maxWaitMicros(), (i) -> 1, Fetch.NOTHING);
	}

	/**
	 * Create the encoded counts of each prepared rule.
	 */
	static RuleValue<EncodedCounts> under(RedisKeys keys, CallerClock clock) {
		return new RuleValue<>((counts) -> new EncodedCounts(counts, keys.counters(counts), clock));
	}

	private static @Nullable CalendarEdges[] edges(RuleCounts counts) {
		@Nullable CalendarEdges[] edges = new CalendarEdges[counts.size()];
		boolean hasCalendars = false;
		for (int i = 0; i < counts.size(); i++) {
			LimitCalendar calendar = counts.get(i).limit().calendar();
			edges[i] = (calendar != null) ? new CalendarEdges(calendar) : null;
			hasCalendars |= calendar != null;
		}
		return hasCalendars ? edges : new CalendarEdges[0];
	}

	private void add(int i, CountSpec spec) {
		CountType algorithm = spec.type();
		long[] values = algorithm.parameters(spec.limit());
		ByteBuffer encoded = ByteBuffer.allocate(7 * values.length);
		for (long value : values) {
			sevenBytes(encoded, value);
		}
		this.algorithms.add(algorithm);
		this.numbers[i] = (byte) algorithm.number();
		this.parameters[i] = encoded.array();
		this.size += HEAD + encoded.capacity();
		this.entries += algorithm.entries(spec.limit());
	}

	/**
	 * Return the names of the counters.
	 */
	CounterNames names() {
		return this.names;
	}

	/**
	 * Encode a call under this rule alone.
	 */
	EncodedCall call(Demand demand) {
		boolean isUsual = demand.cost() == 1 && demand.maxWaitMicros() == this.counts.maxWaitMicros()
				&& this.edges.length == 0;
		return isUsual ? this.usual : call(demand, 0);
	}

	/**
	 * Encode a call under this rule alone that fetches units for later ones, or returns
	 * some.
	 */
	EncodedCall call(Demand demand, Fetch fetch) {
		return encode(0, demand.maxWaitMicros(), demand.maxWaitMicros(), (i) -> this.counts.get(i).units(demand.cost()),
				fetch);
	}

	/**
	 * Encode the part of this rule in a call under several rules.
	 * @param index the index of the demand among those of the call
	 */
	EncodedCall call(Demand demand, int index) {
		return encode(index, demand.maxWaitMicros(), demand.maxWaitMicros(),
				(i) -> this.counts.get(i).units(demand.cost()), Fetch.NOTHING);
	}

	EncodedCall refund(Refund refund) {
		return encode(0, refund.slot(), (i) -> this.counts.get(i).units(refund.demand().cost()), Fetch.NOTHING);
	}

	EncodedCall charge(Charge charge) {
		return encode(0, charge.longestWait(), charge.longestWait(), charge.units()::get, Fetch.NOTHING);
	}

	/**
	 * Encode a call.
	 * @param time the time of its demand, see {@code calls.lua}
	 */
	private EncodedCall encode(int index, long time, IntToLongFunction units, Fetch fetch) {
		return encode(index, time, 0, units, fetch);
	}

	/**
	 * Encode a call.
	 * @param time the time of its demand, see {@code calls.lua}
	 * @param ahead how far ahead of the clock it may be counted
	 */
	private EncodedCall encode(int index, long time, long ahead, IntToLongFunction units, Fetch fetch) {
		byte[][] edges = edgesAround(ahead);
		ByteBuffer encoded = ByteBuffer.allocate(this.size + sizeOf(edges));
		for (int i = 0; i < this.numbers.length; i++) {
			count(encoded, this.numbers[i], index, time, units.applyAsLong(i));
			encoded.put(this.parameters[i]);
			if (i < edges.length) {
				encoded.put(edges[i]);
			}
		}
		if (this.lifetime > 0) {
			count(encoded, (byte) CountType.PORTIONS.number(), index, 0, 0);
			for (long value : new long[] { this.lifetime, fetch.wanted(), fetch.id(), fetch.over(), fetch.unused() }) {
				sevenBytes(encoded, value);
			}
		}
		return new EncodedCall(this.algorithms, this.names.size(), encoded.array(), this.entries);
	}

	private byte[][] edgesAround(long ahead) {
		byte[][] encoded = (this.edges.length == 0) ? NO_EDGES : new byte[this.edges.length][];
		long now = (encoded.length == 0) ? 0 : this.clock.now();
		for (int i = 0; i < encoded.length; i++) {
			CalendarEdges own = this.edges[i];
			encoded[i] = (own != null) ? own.around(now, ahead) : NOTHING;
		}
		return encoded;
	}

	private static int sizeOf(byte[][] edges) {
		int size = 0;
		for (byte[] each : edges) {
			size += each.length;
		}
		return size;
	}

	/**
	 * Send edges of calendars that reach beyond a time from now on.
	 */
	void reach(long time) {
		for (CalendarEdges each : this.edges) {
			if (each != null) {
				each.reach(time);
			}
		}
	}

	private static void count(ByteBuffer encoded, byte number, int index, long time, long units) {
		encoded.put(number).putShort((short) index);
		sevenBytes(encoded, Math.min(time, MOST));
		sevenBytes(encoded, Math.min(units, MOST));
	}

	static void sevenBytes(ByteBuffer encoded, long number) {
		encoded.put((byte) (number >>> 48)).putShort((short) (number >>> 32)).putInt((int) number);
	}

}
