package io.github.ratelimit.store.redis;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
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

	private final RedisSetup setup;

	private final Features features;

	private final Corrections corrections;

	private final CallRoutes routes;

	private final RedisProbe probe;

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
		this(new RedisSetup(ScriptRunnerFactory.over(connections, timeout), keyPrefix, timeout, sharding, () -> 0),
				batching, maxPending, CountingScripts.deciding(), connections);
	}

	RedisRateLimitStore(RedisSetup setup) {
		this(setup, true, SentCalls.MAX_PENDING, CountingScripts.deciding(), null);
	}

	RedisRateLimitStore(RedisSetup setup, boolean batching, int maxPending, CountingScripts decisions,
			@Nullable RedisConnectionFactory connections) {
		this.setup = setup;
		this.features = new Features(setup);
		this.corrections = new Corrections(setup, this.features);
		SentCalls calls = new SentCalls(setup, decisions, new RuleValue<>(this.features::followers), batching,
				maxPending, this.corrections::refundUnused, this::decideAnew, Scheduler::onTimerThread);
		this.routes = new CallRoutes(setup,
				new RuleValue<>((counts) -> this.features.road(counts, calls, this.corrections)), calls,
				this.corrections);
		this.probe = new RedisProbe(setup, this.routes, calls, connections);
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
		this.setup.failures.check(demands);
		return this.setup.failures.await(demands, this.routes.decide(demands));
	}

	@Override
	public CompletionStage<StoreAnswer> acquireAsync(Demands demands) {
		RuleAnswer paid = this.routes.pay(demands);
		return (paid != null) ? CompletableFuture.completedFuture(paid)
				: this.setup.failures.translated(this.routes.decide(demands));
	}

	@Override
	public RuleAnswer peek(Demand demand) {
		this.setup.failures.check(demand);
		return this.setup.failures.await(demand, this.routes.peek(demand)).get(0);
	}

	@Override
	public StoreAnswer preview(Demands demands) {
		this.setup.failures.check(demands);
		return this.setup.failures.await(demands, this.routes.preview(demands));
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
		this.setup.failures.checkThread(rule);
	}

	@Override
	public boolean mayBlock() {
		return !this.setup.runner.readsOnThisThread();
	}

	@Override
	public void follow(Events events) {
		this.setup.events = events;
	}

	@Override
	public void reset(RuleCounts counts, StoredKey key) {
		this.corrections.reset(counts, key);
	}

	@Override
	public List<BannedKey> bans(RuleCounts counts) {
		return this.features.bans().inForce(counts, this.routes::peek);
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
		ScriptRunner runner = this.setup.runner;
		runner.failPending((server) -> !runner.hasManyServers() || server.equals(domain), failure);
	}

	/** Run a script for none of the callers, and report whether it is answered. */
	private CompletableFuture<byte[]> runOwn(ScriptCall call) {
		Object server = this.setup.runner.ownerOf(call.keys()[0]);
		CompletableFuture<byte[]> reply = this.setup.runner.run(call);
		Events following = this.setup.events;
		if (following != null) {
			reply.whenComplete((value, failure) -> {
				if (!this.setup.failures.areOfStop()) {
					following.calledItself(server, (failure != null) ? this.setup.failures.of(failure) : null);
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
		RedisOverrideStore overrides = new RedisOverrideStore(this.setup, this::runOwn,
				ScriptRunnerFactory.listeners(connections, this.setup.failures.timeout()));
		this.overrides.add(overrides);
		return overrides;
	}

	@Override
	public Supplier<SummaryStore> summaries() {
		return () -> new RedisSummaries(this.setup);
	}

	/**
	 * Return whether the client blocks threads of this store, as Jedis does.
	 * @return whether calls in flight occupy threads
	 */
	public boolean occupiesThreads() {
		return this.setup.runner.occupiesThreads();
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
		this.setup.failures.stopped(true);
		this.overrides.forEach(RedisOverrideStore::pause);
		this.setup.runner.pause();
	}

	/**
	 * Answer calls again after {@link #pause()}, from the next {@link #connect()} or call
	 * on.
	 */
	public void resume() {
		this.setup.failures.stopped(false);
		this.setup.runner.resume();
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
		this.features.close(this.setup.failures.timeout());
	}

	@Override
	public void close() {
		refundHeldUnits();
		this.setup.runner.close();
	}

}
