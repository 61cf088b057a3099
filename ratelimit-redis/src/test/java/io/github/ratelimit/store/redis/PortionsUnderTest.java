package io.github.ratelimit.store.redis;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

import io.github.ratelimit.store.Correction;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.LimitOutcome;
import io.github.ratelimit.store.RuleCounts;
import io.github.ratelimit.store.RuleValue;
import io.github.ratelimit.store.StoredKey;
import io.github.ratelimit.store.tck.AlgorithmOnStore;

import org.springframework.data.redis.connection.RedisConnection;

/**
 * Counts and portions of one key in Redis, called script by script at given times.
 */
final class PortionsUnderTest {

	/**
	 * The time 0, the beginning of a second.
	 */
	static final long NOW = AlgorithmOnStore.NOW - AlgorithmOnStore.NOW % 1_000_000;

	private static final CountingScripts DECISIONS = new CountingScripts("decide");

	private static final CountingScripts PEEKS = new CountingScripts("each-count", "peek");

	private static final CountingScripts REFUNDS = new CountingScripts("each-count", "refund");

	private static final CountingScripts CHARGES = new CountingScripts("each-count", "charge");

	private final ScriptRunner runner = new RedisStoreUnderTest.LongLived();

	private final RuleValue<EncodedCounts> encoded = RedisUnderTest.keys("portions")
		.encoded(CallerClock.of(() -> NOW), 1);

	private final StoredKey key;

	private final RuleCounts rule;

	private long lastId;

	PortionsUnderTest(RuleCounts rule) {
		this(rule, StoredKey.of(AlgorithmOnStore.freshKey()));
	}

	PortionsUnderTest(RuleCounts rule, StoredKey key) {
		this.rule = rule;
		this.key = key;
	}

	StoredKey key() {
		return this.key;
	}

	/**
	 * Take units, and fetch a portion of others.
	 */
	Answer fetch(long time, long cost, long wanted) {
		Fetch fetch = (wanted > 0) ? new Fetch(null, wanted, ++this.lastId, 0, 0) : Fetch.NOTHING;
		return run(DECISIONS, time, cost, 0, fetch);
	}

	/**
	 * Refund what a portion has left, and fetch the next one.
	 */
	Answer fetchNext(long time, long wanted, long over, long unused) {
		return run(DECISIONS, time, 0, 0, new Fetch(null, wanted, ++this.lastId, over, unused));
	}

	Answer take(long time, long cost, long maxWait) {
		return run(DECISIONS, time, cost, maxWait, Fetch.NOTHING);
	}

	void refundUnused(long time, long id, long unused) {
		run(DECISIONS, time, 0, 0, new Fetch(null, 0, 0, id, unused));
	}

	/**
	 * Charge units that were admitted without Redis.
	 */
	void charge(long time, long units) {
		new Arguments(NOW + time).call(encoded(units, 0, Fetch.NOTHING), names()).run(this.runner, CHARGES).join();
	}

	/**
	 * Refund units that were counted at a time.
	 */
	void refund(long time, long units, long countedAt) {
		Demand demand = new Demand(this.rule, this.key, units, 0);
		EncodedCall call = this.encoded.get(this.rule).correct(Correction.refund(demand, NOW + countedAt));
		byte[][] names = this.encoded.get(this.rule).names().withReset(this.key);
		new Arguments(NOW + time).call(call, names).run(this.runner, REFUNDS).join();
	}

	LimitOutcome peek(long time, long cost) {
		return run(PEEKS, time, cost, 0, Fetch.NOTHING).outcome();
	}

	void reset() {
		byte[][] names = this.encoded.get(this.rule).names().ofKeyAlone(this.key);
		this.runner.run(Script.of(Script.read("reset")), names, new byte[][] { Arguments.number(NOW) }).join();
	}

	/**
	 * Delete the portions, as Redis does when they expire.
	 */
	void forgetPortions() {
		try (RedisConnection connection = RedisUnderTest.connections().getConnection()) {
			connection.keyCommands().del(names()[1]);
		}
	}

	/**
	 * Return what is stored, as text.
	 */
	List<String> stored() {
		try (RedisConnection connection = RedisUnderTest.connections().getConnection()) {
			return Arrays.stream(names()).map(connection.stringCommands()::get).map(Arrays::toString).toList();
		}
	}

	/**
	 * Return the ends of the stored portions, in order.
	 */
	List<Long> storedEnds() {
		try (RedisConnection connection = RedisUnderTest.connections().getConnection()) {
			byte[] stored = connection.stringCommands().get(names()[1]);
			List<Long> ends = new ArrayList<>();
			for (int at = 7; stored != null && at < stored.length; at += 18) {
				ends.add((ByteBuffer.wrap(stored).getLong(at + 6) & 0xFF_FFFF_FFFF_FFFFL) - NOW);
			}
			return ends;
		}
	}

	/**
	 * Store a portion that no script has written.
	 */
	void store(long end, long units) {
		byte[] stored = ByteBuffer.allocate(1 + 7 + 18)
			.putLong(NOW)
			.put(new byte[6])
			.putLong(NOW + end | 1L << 56)
			.putInt((int) units)
			.array();
		try (RedisConnection connection = RedisUnderTest.connections().getConnection()) {
			connection.stringCommands().set(names()[1], Arrays.copyOfRange(stored, 1, stored.length));
		}
	}

	/**
	 * Return the reply to a call that fails, as text.
	 */
	String failureOfACall() {
		EncodedCall call = encoded(1, 0, Fetch.NOTHING);
		return new String(new Arguments(NOW).call(call, names()).run(this.runner, DECISIONS).join(),
				StandardCharsets.ISO_8859_1);
	}

	/**
	 * Make a call that fails, and behind it one of another key in the same script.
	 * @return the time at which a log has counted the other call
	 */
	long timeOfACallBehindOneThatFails() {
		PortionsUnderTest other = new PortionsUnderTest(this.rule);
		new Arguments(NOW).call(encoded(1, 0, Fetch.NOTHING), names())
			.call(other.encoded(1, 0, Fetch.NOTHING), other.names())
			.run(this.runner, DECISIONS)
			.join();
		try (RedisConnection connection = RedisUnderTest.connections().getConnection()) {
			byte[] stored = connection.stringCommands().get(other.names()[0]);
			return (ByteBuffer.wrap(stored).getLong() & 0xFF_FFFF_FFFF_FFFFL) - NOW;
		}
	}

	/**
	 * Return until when the portions are stored.
	 */
	long storedUntil() {
		String name = new String(names()[1], StandardCharsets.UTF_8);
		return Long.parseLong((String) RedisUnderTest.process().command("HGET", "expires", name)) - NOW;
	}

	private Answer run(CountingScripts scripts, long time, long cost, long maxWait, Fetch fetch) {
		Arguments arguments = new Arguments(NOW + time).call(encoded(cost, maxWait, fetch), names());
		ByteBuffer reply = ByteBuffer.wrap(arguments.run(this.runner, scripts).join()).position(Long.BYTES);
		List<LimitOutcome> outcomes = new ArrayList<>();
		while (reply.hasRemaining()) {
			outcomes.add(new LimitOutcome(reply.getLong(), reply.getLong(), reply.getLong()));
		}
		return new Answer(fetch.id(), outcomes);
	}

	private EncodedCall encoded(long cost, long maxWait, Fetch fetch) {
		return this.encoded.get(this.rule).call(new Demand(this.rule, this.key, cost, maxWait), 0, fetch);
	}

	private byte[][] names() {
		return this.encoded.get(this.rule).names().of(this.key);
	}

	/**
	 * Answer to a call.
	 *
	 * @param id the identifier of the portion it fetched
	 * @param outcomes the outcome of each limit, and the units and the time of the
	 * portion
	 */
	record Answer(long id, List<LimitOutcome> outcomes) {

		LimitOutcome outcome() {
			return this.outcomes.get(0);
		}

		LimitOutcome portion() {
			return this.outcomes.get(this.outcomes.size() - 1);
		}

	}

}
