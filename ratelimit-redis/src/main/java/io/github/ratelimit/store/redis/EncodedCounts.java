package io.github.ratelimit.store.redis;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;

import org.jspecify.annotations.Nullable;

import io.github.ratelimit.Ban;
import io.github.ratelimit.Limit;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.algorithm.CountType;
import io.github.ratelimit.store.BanOutcome;
import io.github.ratelimit.store.Correction;
import io.github.ratelimit.store.CountSpec;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.LimitOutcome;
import io.github.ratelimit.store.RuleAnswer;
import io.github.ratelimit.store.RuleCounts;
import io.github.ratelimit.store.RuleValue;

/**
 * Counts of a rule, encoded for scripts as {@code calls.lua} describes it. All fields but
 * {@link CallFields} are encoded once for each prepared rule. A call of cost 1 that waits
 * as long as the rule allows is encoded in advance, unless it differs from others by its
 * slots or by the time.
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

	/**
	 * Bytes of a count that a lean script decides by.
	 */
	static final int LEAN = HEAD + 3 * 7;

	/**
	 * Bytes of the parameters of portions.
	 */
	private static final int PORTIONS = 5 * 7;

	/**
	 * Bytes of the number of the call that holds slots.
	 */
	private static final int CALL = 7;

	private final RuleCounts counts;

	private final CounterNames names;

	private final Set<CountType> algorithms = EnumSet.noneOf(CountType.class);

	private final Set<CountType> correctable;

	private final byte[] numbers;

	private final byte[][] parameters;

	/**
	 * Time that an instance may hold a portion, in microseconds; 0 if the rule does not
	 * prefetch.
	 */
	private final long lifetime;

	private final byte @Nullable [] ban;

	private final byte @Nullable [] instance;

	private final EncodedEdges edges;

	/**
	 * Largest cost of a call that a lean script may decide, 0 if it may decide none.
	 */
	private final long mostOfLean;

	/**
	 * The usual call, {@code null} if calls with the same cost and wait differ.
	 */
	private final @Nullable EncodedCall usual;

	private int size;

	private long entries;

	private EncodedCounts(RuleCounts counts, CounterNames names, CallerClock clock, long instance) {
		this.counts = counts;
		this.names = names;
		this.edges = new EncodedEdges(counts, clock);
		this.numbers = new byte[counts.size()];
		this.parameters = new byte[counts.size()][];
		for (int i = 0; i < counts.size(); i++) {
			add(i, counts.get(i));
		}
		Duration prefetch = counts.rule().prefetch();
		this.lifetime = (prefetch != null) ? micros(prefetch) : 0;
		if (this.lifetime > 0) {
			this.algorithms.add(CountType.PORTIONS);
			this.size += HEAD + PORTIONS;
		}
		Ban rules = counts.rule().ban();
		this.ban = (rules != null) ? encoded(rules) : null;
		this.instance = counts.hasSlots() ? encodedInstance(instance) : null;
		this.correctable = EnumSet.copyOf(this.algorithms);
		this.correctable.add(CountType.RESETS);
		this.mostOfLean = isSimple(counts) ? counts.get(0).limit().capacity() : 0;
		boolean hasUsual = this.edges.isEmpty() && !counts.hasSlots();
		this.usual = hasUsual ? encode(CallFields.Decided.of(counts.maxWaitMicros())) : null;
	}

	/**
	 * Return whether a rule has a single limit with a lean script and, while no instance
	 * holds units of a key, nothing else. Under plans, the states of a key often have
	 * other numbers.
	 */
	private static boolean isSimple(RuleCounts counts) {
		RateLimitRule rule = counts.rule();
		return counts.size() == 1 && !counts.get(0).settled() && !rule.hasPlans() && rule.ban() == null
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

	private byte[] encoded(Ban rules) {
		byte[] encoded = encoded(rules.after(), micros(rules.within()), micros(rules.lasting()),
				micros(rules.growingTo()));
		this.algorithms.add(CountType.BAN);
		this.size += HEAD + encoded.length;
		this.entries += rules.after();
		return encoded;
	}

	private byte[] encodedInstance(long number) {
		byte[] encoded = encoded(number);
		this.algorithms.add(CountType.LEASES);
		this.size += HEAD + encoded.length;
		return encoded;
	}

	private static byte[] encoded(long... values) {
		ByteBuffer encoded = ByteBuffer.allocate(7 * values.length);
		for (long value : values) {
			sevenBytes(encoded, value);
		}
		return encoded.array();
	}

	private static long micros(Duration duration) {
		return duration.toNanos() / 1000;
	}

	/**
	 * Create the encoded counts of each prepared rule.
	 * @param instance the number of this instance among those that hold slots
	 */
	static RuleValue<EncodedCounts> under(RedisKeys keys, CallerClock clock, long instance) {
		return new RuleValue<>((counts) -> new EncodedCounts(counts, keys.counters(counts), clock, instance));
	}

	private void add(int i, CountSpec spec) {
		CountType algorithm = CountType.of(spec.limit(), spec.isInterval());
		this.algorithms.add(algorithm);
		this.numbers[i] = (byte) algorithm.number();
		if (spec.settled()) {
			this.algorithms.add(CountType.SETTLED);
			this.numbers[i] |= (byte) CountType.MAY_SETTLE;
		}
		this.parameters[i] = encoded(algorithm.parameters(spec.limit()));
		this.size += HEAD + this.parameters[i].length + (spec.hasSlots() ? CALL : 0);
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
		EncodedCall known = this.usual;
		boolean isUsual = known != null && demand.cost() == 1 && demand.maxWaitMicros() == this.counts.maxWaitMicros();
		return isUsual ? known : call(demand, 0);
	}

	/**
	 * Encode a call under this rule alone that fetches units for later ones, or returns
	 * some.
	 */
	EncodedCall call(Demand demand, Fetch fetch) {
		return call(demand, 0, fetch);
	}

	/**
	 * Encode the part of this rule in a call under several rules.
	 * @param index the index of the demand among those of the call
	 */
	EncodedCall call(Demand demand, int index) {
		return call(demand, index, Fetch.NOTHING);
	}

	private EncodedCall call(Demand demand, int index, Fetch fetch) {
		return encode(CallFields.Decided.of(demand, index, fetch));
	}

	EncodedCall correct(Correction correction) {
		return encode(CallFields.Corrected.of(correction));
	}

	/**
	 * Encode that a call holds its slots.
	 */
	EncodedCall hold(Demand demand) {
		return encode(CallFields.Held.of(demand));
	}

	private EncodedCall encode(CallFields call) {
		byte[][] edges = this.edges.around(call.ahead());
		int reset = (call.decidedAt() != Correction.NEWEST) ? HEAD : 0;
		ByteBuffer encoded = ByteBuffer.allocate(this.size + EncodedEdges.sizeOf(edges) + reset);
		for (int i = 0; i < this.numbers.length; i++) {
			CountSpec spec = this.counts.get(i);
			long time = spec.hasSlots() ? call.slotTime() : call.time();
			count(encoded, this.numbers[i], call.demand(), time, call.units(i, spec));
			encoded.put(this.parameters[i]);
			if (spec.hasSlots()) {
				sevenBytes(encoded, Integer.toUnsignedLong(call.call()));
			}
			if (i < edges.length) {
				encoded.put(edges[i]);
			}
		}
		if (this.lifetime > 0) {
			count(encoded, CountType.PORTIONS, call.demand(), 0, 0);
			Fetch fetch = call.fetch();
			for (long value : new long[] { this.lifetime, fetch.wanted(), fetch.id(), fetch.over(), fetch.unused() }) {
				sevenBytes(encoded, value);
			}
		}
		if (this.ban != null) {
			count(encoded, CountType.BAN, call.demand(), call.time(), call.attempts());
			encoded.put(this.ban);
		}
		if (this.instance != null) {
			count(encoded, CountType.LEASES, call.demand(), 0, 0);
			encoded.put(this.instance);
		}
		if (call.decidedAt() != Correction.NEWEST) {
			count(encoded, CountType.RESETS, call.demand(), call.decidedAt(), 0);
			return new EncodedCall(this.correctable, this.names.size() + 1, encoded.array(), this.entries, null);
		}
		return new EncodedCall(this.algorithms, this.names.size(), encoded.array(), this.entries,
				isLean(call) ? CountType.of(this.counts.get(0).limit()) : null);
	}

	private boolean isLean(CallFields call) {
		long units = (this.mostOfLean > 0) ? call.units(0, this.counts.get(0)) : 0;
		return units > 0 && units <= this.mostOfLean && call.time() == 0 && call.fetch() == Fetch.NOTHING;
	}

	/**
	 * Send edges of calendars that reach beyond a time from now on.
	 */
	void reach(long time) {
		this.edges.reach(time);
	}

	/**
	 * Read the answer to a demand: the outcomes of its counts, and of what else its rule
	 * has, in the order in which they were encoded.
	 * @param fetch gets the units that the call has fetched
	 */
	static RuleAnswer answer(Demand demand, Reply reply, Fetch fetch) {
		RuleAnswer decided = RuleAnswer.of(demand, reply.time(), (count) -> reply.nextOutcome(demand));
		if (demand.rule().prefetch() != null) {
			LimitOutcome portion = reply.nextOutcome(demand);
			fetch.answered(decided, portion);
			decided = decided.whileUnitsAreHeld(portion.resetAfter());
		}
		if (demand.counts().hasSlots()) {
			reply.nextOutcome(demand);
		}
		return (demand.rule().ban() != null) ? withBan(decided, reply.nextOutcome(demand)) : decided;
	}

	/**
	 * Add the ban. It has no units: its script replies 1 instead if this denial begins
	 * it.
	 */
	private static RuleAnswer withBan(RuleAnswer decided, LimitOutcome ban) {
		return ban.admitted() ? decided
				: decided.bannedBy(new BanOutcome(ban.remaining() == 1, ban.retryAfter(), ban.resetAfter()));
	}

	private static void count(ByteBuffer encoded, CountType type, int demand, long time, long units) {
		count(encoded, (byte) type.number(), demand, time, units);
	}

	private static void count(ByteBuffer encoded, byte number, int demand, long time, long units) {
		encoded.put(number).putShort((short) demand);
		sevenBytes(encoded, Math.min(time, LATEST));
		sevenBytes(encoded, Math.min(units, MOST));
	}

	static void sevenBytes(ByteBuffer encoded, long number) {
		encoded.put((byte) (number >>> 48)).putShort((short) (number >>> 32)).putInt((int) number);
	}

}
