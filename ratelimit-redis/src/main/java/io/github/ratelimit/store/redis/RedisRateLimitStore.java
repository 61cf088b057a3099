package io.github.ratelimit.store.redis;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import org.springframework.data.redis.connection.RedisConnectionFactory;

import io.github.ratelimit.Decision;
import io.github.ratelimit.override.OverrideStore;
import io.github.ratelimit.store.BannedKey;
import io.github.ratelimit.store.Correction;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.Demands;
import io.github.ratelimit.store.RemoteStore;
import io.github.ratelimit.store.RuleAnswer;
import io.github.ratelimit.store.RuleCounts;
import io.github.ratelimit.store.RuleValue;
import io.github.ratelimit.store.StoreAnswer;
import io.github.ratelimit.store.StoreException;
import io.github.ratelimit.store.StoredKey;
import io.github.ratelimit.store.SummaryStore;

/**
 * Counters in Redis for all instances. A decision is one script call, by Redis's clock.
 *
 * @since 0.1.0
 */
public final class RedisRateLimitStore implements RemoteStore, AutoCloseable {

	private final ScriptRunner runner;

	private final RedisKeys keys;

	private final Sharding sharding;

	private final RuleValue<EncodedCounts> encoded;

	private final Corrections corrections;

	private final RedisFailures failures;

	private final Features features;

	private final SentCalls calls;

	private final CallRoutes routes;

	private final RedisProbe probe;

	private final LongSupplier clock;

	/** The number of this instance among all instances. */
	private final long instance;

	private volatile @Nullable Events events;

	private final List<RedisOverrideStore> overrides = new CopyOnWriteArrayList<>();

	/**
	 * Create a new store over the application's connections, which batches calls.
	 * @param connections the connections to Redis
	 * @param keyPrefix the prefix of every key
	 * @param timeout how long to wait for an answer
	 */
	public RedisRateLimitStore(RedisConnectionFactory connections, String keyPrefix, Duration timeout) {
		this(connections, keyPrefix, timeout, true, SentCalls.MAX_PENDING, RedisSharding.AUTO);
	}

	/**
	 * Create a new store over the application's connections.
	 * @param connections the connections to Redis
	 * @param keyPrefix the prefix of every key
	 * @param timeout how long to wait for an answer
	 * @param batching whether calls that arrive while others are in flight are sent
	 * together, as one script call
	 * @param maxPending the largest number of calls that wait for Redis; further calls
	 * fail at once
	 * @param sharding the distribution of keys over the servers that a connection leads
	 * to
	 */
	public RedisRateLimitStore(RedisConnectionFactory connections, String keyPrefix, Duration timeout, boolean batching,
			int maxPending, RedisSharding sharding) {
		this(ScriptRunnerFactory.over(connections, timeout), keyPrefix, timeout, batching, maxPending, sharding,
				() -> 0, CallerClock.of(() -> 0), System::nanoTime, Scheduler::onTimerThread, connections,
				CountingScripts.deciding());
	}

	RedisRateLimitStore(RedisConnectionFactory connections, String keyPrefix, Duration timeout, LongSupplier clock) {
		this(ScriptRunnerFactory.over(connections, timeout), keyPrefix, timeout, true, SentCalls.MAX_PENDING, clock);
	}

	RedisRateLimitStore(ScriptRunner runner, String keyPrefix, Duration timeout, boolean batching, int maxPending,
			LongSupplier clock) {
		this(runner, keyPrefix, timeout, batching, maxPending, clock, CountingScripts.deciding());
	}

	/**
	 * Create a new store.
	 * @param clock the time in microseconds; 0 for the time of the Redis server
	 * @param callerClock the clock that the edges of calendars are chosen by
	 * @param localClock the time of this process in nanoseconds, for units that it holds
	 * @param timer schedules the end of that
	 */
	RedisRateLimitStore(ScriptRunner runner, String keyPrefix, Duration timeout, boolean batching, int maxPending,
			RedisSharding sharding, LongSupplier clock, CallerClock callerClock, LongSupplier localClock,
			Scheduler timer) {
		this(runner, keyPrefix, timeout, batching, maxPending, sharding, clock, callerClock, localClock, timer, null,
				CountingScripts.deciding());
	}

	RedisRateLimitStore(ScriptRunner runner, String keyPrefix, Duration timeout, boolean batching, int maxPending,
			LongSupplier clock, CountingScripts decisions) {
		this(runner, keyPrefix, timeout, batching, maxPending, RedisSharding.NONE, clock, CallerClock.of(clock),
				System::nanoTime, Scheduler::onTimerThread, null, decisions);
	}

	private RedisRateLimitStore(ScriptRunner runner, String keyPrefix, Duration timeout, boolean batching,
			int maxPending, RedisSharding sharding, LongSupplier clock, CallerClock callerClock,
			LongSupplier localClock, Scheduler timer, @Nullable RedisConnectionFactory connections,
			CountingScripts decisions) {
		this.runner = runner;
		this.clock = clock;
		this.sharding = new Sharding(runner, keyPrefix, sharding);
		this.keys = new RedisKeys(keyPrefix, this.sharding::reach);
		this.instance = ThreadLocalRandom.current().nextLong(1L << 52);
		this.encoded = this.keys.encoded(callerClock, this.instance);
		this.failures = new RedisFailures(runner, timeout);
		this.features = new Features(runner, this.keys, this.encoded, this.sharding, this.failures, this.instance,
				clock, localClock, timer, () -> this.events);
		this.corrections = new Corrections(runner, this.encoded, this.failures, clock, callerClock, this.sharding,
				this.features);
		this.calls = new SentCalls(runner, decisions, this.encoded, new RuleValue<>(this.features::followers), clock,
				callerClock, timeout, batching, maxPending, this.corrections::refundUnused, this.failures,
				this.sharding, this::decideAnew);
		this.routes = new CallRoutes(runner, this.encoded,
				new RuleValue<>((counts) -> this.features.road(counts, this.calls, this.corrections)), this.calls,
				this.corrections, this.failures, this.sharding);
		this.probe = new RedisProbe(runner, this.keys, this.routes, this.sharding, this.calls, this.failures, timeout,
				connections);
	}

	private void decideAnew(PendingCall call) {
		this.routes.decideAnew(call);
	}

	/** Begin to connect beside the caller. {@link #connect()} waits for it. */
	public void beginToConnect() {
		this.probe.beginToConnect();
	}

	@Override
	public void connect() {
		this.probe.connect();
	}

	@Override
	public StoreAnswer acquire(Demands demands) {
		RuleAnswer paid = this.routes.pay(demands);
		if (paid != null) {
			return paid;
		}
		this.failures.check(demands);
		return this.failures.await(demands, this.routes.decide(demands));
	}

	@Override
	public CompletionStage<StoreAnswer> acquireAsync(Demands demands) {
		RuleAnswer paid = this.routes.pay(demands);
		return (paid != null) ? CompletableFuture.completedFuture(paid)
				: this.failures.translated(this.routes.decide(demands));
	}

	@Override
	public RuleAnswer peek(Demand demand) {
		this.failures.check(demand);
		return this.failures.await(demand, this.routes.peek(demand)).get(0);
	}

	@Override
	public StoreAnswer preview(Demands demands) {
		this.failures.check(demands);
		return this.failures.await(demands, this.routes.preview(demands));
	}

	@Override
	public CompletionStage<List<long[]>> correct(List<Correction> corrections) {
		return this.corrections.correct(corrections);
	}

	@Override
	public void hold(Demand demand) {
		this.features.hold(demand);
	}

	@Override
	public void free(Demand demand) {
		this.features.free(demand);
	}

	@Override
	public void checkThread(String rule) {
		this.failures.checkThread(rule);
	}

	@Override
	public boolean mayBlock() {
		return !this.runner.readsOnThisThread();
	}

	@Override
	public void follow(Events events) {
		this.events = events;
		this.corrections.whenUnusedRefunded(events::refunded);
	}

	@Override
	public void reset(RuleCounts counts, StoredKey key) {
		this.corrections.reset(counts, key);
	}

	@Override
	public List<BannedKey> bans(RuleCounts counts) {
		return this.features.banList().inForce(counts, this.routes::peek);
	}

	@Override
	public Object failureDomain(Demand demand) {
		return this.routes.server(demand);
	}

	@Override
	public CompletionStage<Void> probe(Demand demand) {
		return this.probe.send(demand);
	}

	@Override
	public void failPending(Object domain, StoreException failure) {
		this.runner.failPending((server) -> !this.runner.hasManyServers() || server.equals(domain), failure);
	}

	/** Run a script for none of the callers, and report whether it is answered. */
	private CompletableFuture<byte[]> runOwn(ScriptCall call) {
		Object server = this.runner.serverOf(call.keys()[0]);
		CompletableFuture<byte[]> reply = this.runner.run(call);
		Events following = this.events;
		if (following != null) {
			reply.whenComplete((value, failure) -> {
				if (!this.failures.areOfStop()) {
					following.calledItself(server, (failure != null) ? this.failures.of(failure) : null);
				}
			});
		}
		return reply;
	}

	/**
	 * Return a store of overrides, kept beside the counters.
	 * @param connections the connections to listen on for changes
	 * @return a store that works as long as this one is open
	 */
	public OverrideStore overrides(RedisConnectionFactory connections) {
		RedisOverrideStore overrides = new RedisOverrideStore(this::runOwn, this.failures, this.keys, this.clock,
				ScriptRunnerFactory.listeners(connections, this.failures.timeout()));
		this.overrides.add(overrides);
		return overrides;
	}

	@Override
	public Supplier<SummaryStore> summaries() {
		return () -> new RedisSummaries(this.runner, this.keys, this.instance, this.clock, this.failures);
	}

	/**
	 * Return whether the client blocks threads of this store, as Jedis does.
	 * @return whether calls in flight occupy threads
	 */
	public boolean occupiesThreads() {
		return this.runner.occupiesThreads();
	}

	@Override
	public Decision.Origin origin() {
		return Decision.Origin.REDIS;
	}

	/**
	 * Disconnect, before the client of the connections is stopped, and answer no call
	 * until {@link #resume()}.
	 */
	public void pause() {
		this.failures.stopped(true);
		this.overrides.forEach(RedisOverrideStore::pause);
		this.runner.pause();
	}

	/**
	 * Answer calls again after {@link #pause()}, from the next {@link #connect()} or call
	 * on.
	 */
	public void resume() {
		this.failures.stopped(false);
		this.runner.resume();
		this.overrides.forEach(RedisOverrideStore::resume);
	}

	/** Hold units and slots again after {@link #refundHeldUnits()}. */
	public void holdUnits() {
		this.features.open();
	}

	/**
	 * Refund the units that this instance holds ahead of its calls, free its slots, and
	 * hold none from now on. Waits for the answer of Redis.
	 */
	public void refundHeldUnits() {
		this.features.close(this.failures.timeout());
	}

	@Override
	public void close() {
		refundHeldUnits();
		this.runner.close();
	}

}
