package io.github.ratelimit.store.redis;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

import io.github.ratelimit.store.Correction;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.Demands;
import io.github.ratelimit.store.LimitOutcome;
import io.github.ratelimit.store.RateLimitStore;
import io.github.ratelimit.store.StoreAnswer;
import io.github.ratelimit.store.tck.StoreUnderTest;

/**
 * Store on the shared Redis, whose decisions are every third time those of an instance
 * without lean scripts. Its time stands still between calls, but the time of Redis does
 * not. So scripts record the microsecond in which a state equals an unused one instead of
 * setting a time to live, and delete the keys that have expired by the clock of the test.
 *
 * <p>
 * Calls to be answered later wait behind a gate, each with a time of its own, so that
 * none is sent again. All are sent to Redis when the test waits for an answer.
 */
public final class RedisStoreUnderTest implements StoreUnderTest {

	private static final Duration PATIENCE = Duration.ofSeconds(20);

	private static final String TIME = Script.read("time");

	/**
	 * Line before which a script has defined the lifetime of a state.
	 */
	private static final String LIFETIME = "local AHEAD";

	/**
	 * Lifetime of a state in a lean script.
	 */
	private static final String LEAN_LIFETIME = "(lifetime + -lifetime % 1000) / 1000";

	private static final String RECORD_EXPIRY = """
			local redis = setmetatable({
			  call = function(command, ...)
			    local key, value, unit, lifetime = ...
			    if command == 'SET' and unit == 'PX' then
			      redis.call('HSET', 'expires', key, lifetime)
			      return redis.call('SET', key, value)
			    end
			    if command == 'PEXPIRE' then
			      return redis.call('HSET', 'expires', key, value)
			    end
			    if command == 'PTTL' then
			      return tonumber(redis.call('HGET', 'expires', key) or '-1')
			    end
			    if command == 'DEL' then
			      redis.call('HDEL', 'expires', ...)
			    end
			    return redis.call(command, ...)
			  end
			}, { __index = redis })

			""";

	private static final String EXPIRE = """
			do
			  local expires = #KEYS > 0 and redis.call('HMGET', 'expires', unpack(KEYS))
			  for i = 1, #KEYS do
			    if expires[i] and tonumber(expires[i]) <= now - LATE then
			      redis.call('DEL', KEYS[i])
			    end
			  end
			end

			""";

	private final long late;

	private long now;

	private Gate gate;

	private RedisRateLimitStore store;

	private RedisRateLimitStore withoutLeanScripts;

	private RedisRateLimitStore oneByOne;

	private long calls;

	public RedisStoreUnderTest() {
		this(0);
	}

	/**
	 * Create a store that drops keys late, as Redis does, which has a clock in
	 * milliseconds.
	 * @param late the microseconds that a key outlives its time
	 */
	public RedisStoreUnderTest(long late) {
		this.late = late;
	}

	/**
	 * Acquire in one batch, by calls that arrive while others are in flight.
	 */
	List<List<LimitOutcome>> acquireTogether(List<Demands> calls) {
		return answersTogether(calls).stream().map(StoreUnderTest::outcomes).toList();
	}

	/**
	 * Acquire in one batch.
	 * @return the answer to each call
	 */
	List<StoreAnswer> answersTogether(List<Demands> calls) {
		connect();
		this.gate.shut();
		Demand first = new Demand(calls.get(0).get(0).rule(), "ahead", 0);
		for (int ahead = 0; ahead < SentCalls.UNDER_WAY; ahead++) {
			this.store.acquireAsync(first);
		}
		List<CompletionStage<StoreAnswer>> answers = calls.stream().map(this.store::acquireAsync).toList();
		this.gate.open();
		return answers.stream().map((answer) -> answer.toCompletableFuture().join()).toList();
	}

	@Override
	public Supplier<List<LimitOutcome>> acquireLater(List<Demand> demands) {
		CompletionStage<StoreAnswer> answer = held().acquireAsync(Demands.of(demands));
		return () -> StoreUnderTest.outcomes(join(answer));
	}

	@Override
	public Runnable correctLater(List<Correction> corrections) {
		CompletionStage<List<long[]>> done = held().correct(corrections);
		return () -> join(done);
	}

	private RedisRateLimitStore held() {
		connect();
		this.gate.shut();
		return this.oneByOne;
	}

	private <T> T join(CompletionStage<T> answer) {
		this.gate.open();
		return answer.toCompletableFuture().join();
	}

	@Override
	public void setClock(long micros) {
		this.now = micros;
	}

	@Override
	public List<RateLimitStore> instancesOnTheRealClock() {
		return RealClock.INSTANCES;
	}

	@Override
	public RedisRateLimitStore store() {
		connect();
		this.gate.open();
		return this.store;
	}

	/**
	 * Decide a call, every third time without lean scripts. Only the instance that holds
	 * a slot can free it.
	 */
	@Override
	public StoreAnswer answer(Demands demands) {
		RedisRateLimitStore usual = store();
		boolean needsEnd = demands.asList().stream().anyMatch((demand) -> demand.counts().needsEnd());
		return (!needsEnd && this.calls++ % 3 == 0) ? this.withoutLeanScripts.acquire(demands) : usual.acquire(demands);
	}

	private void connect() {
		if (this.store == null) {
			this.gate = new Gate(new LongLived(this.late));
			this.store = store(true, CountingScripts.deciding());
			this.withoutLeanScripts = store(true, new CountingScripts("decide"));
			this.oneByOne = store(false, new CountingScripts("decide"));
			this.store.connect();
		}
	}

	private RedisRateLimitStore store(boolean batching, CountingScripts decisions) {
		return new RedisRateLimitStore(new RedisSetup(this.gate, "test", PATIENCE, RedisSharding.NONE, () -> this.now),
				batching, 10_000, decisions, null);
	}

	@Override
	public String toString() {
		return "redis";
	}

	/**
	 * Instances that all tests share; they end with the JVM.
	 */
	private static final class RealClock {

		static final List<RateLimitStore> INSTANCES = Stream
			.of(RedisUnderTest.connections(), RedisUnderTest.otherConnections())
			.<RateLimitStore>map((connections) -> new RedisRateLimitStore(connections, "test", PATIENCE))
			.toList();

	}

	/**
	 * Runner of scripts on the shared Redis that keep the times to live of keys by the
	 * clock of a test.
	 */
	static final class LongLived implements ScriptRunner {

		private static final ScriptRunner REDIS = new SynchronousScriptRunner(RedisUnderTest.process());

		private static final Map<Changed, Script> CHANGED = new ConcurrentHashMap<>();

		private final long late;

		LongLived() {
			this(0);
		}

		LongLived(long late) {
			this.late = late;
		}

		/**
		 * Change all scripts from now on.
		 */
		static void changeScripts(UnaryOperator<String> how) {
			SynchronousScriptRunner.changeScripts(how);
			CHANGED.clear();
		}

		@Override
		public CompletableFuture<byte[]> run(ScriptCall call) {
			Script longLived = CHANGED.computeIfAbsent(new Changed(call.script().sent(), this.late),
					(changed) -> longLived(call.script()));
			return REDIS.run(longLived, call.keys(), call.arguments());
		}

		private Script longLived(Script script) {
			String expire = EXPIRE.replace("LATE", Long.toString(this.late));
			String text = RECORD_EXPIRY + SynchronousScriptRunner.changed(script.text())
				.replace(TIME, TIME + expire)
				.replace(LIFETIME, "ttl = function(reset_after) return now + reset_after end\n" + LIFETIME)
				.replace(LEAN_LIFETIME, "lifetime - now % 1000 + now");
			return script.text().equals(script.sent()) ? Script.readingNumber(text) : Script.of(text);
		}

		private record Changed(String sent, long late) {
		}

	}

}
