package io.github.ratelimit.store.redis;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;

import io.github.ratelimit.OnStoreFailure;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.RateLimiterUnavailableException;
import io.github.ratelimit.engine.DecidedCall;
import io.github.ratelimit.engine.Engines;
import io.github.ratelimit.engine.RateLimitEngine;
import io.github.ratelimit.engine.UsedUnits;
import io.github.ratelimit.store.Demand;

import org.springframework.data.redis.connection.RedisConnectionFactory;

/**
 * Instances of an application whose threads run short calls that hold a slot, and a count
 * of how many run at once.
 */
final class SlotLoad implements AutoCloseable {

	private static final int THREADS = 4;

	private final RateLimitRule rule;

	private final String key;

	private final AtomicInteger running = new AtomicInteger();

	private final AtomicInteger mostAtOnce = new AtomicInteger();

	private final AtomicInteger admitted = new AtomicInteger();

	private final AtomicInteger unanswered = new AtomicInteger();

	private final List<RedisConnectionFactory> connections = new ArrayList<>();

	private final List<RedisRateLimitStore> stores = new ArrayList<>();

	private final List<RateLimitEngine> engines = new ArrayList<>();

	private final LoadThreads threads = new LoadThreads();

	SlotLoad(RateLimitRule rule, String key) {
		this.rule = rule;
		this.key = key;
	}

	/**
	 * Start an instance.
	 * @param connections its connections, which this load closes
	 */
	SlotLoad instance(RedisConnectionFactory connections, String prefix) {
		RedisRateLimitStore store = new RedisRateLimitStore(connections, prefix, Duration.ofMillis(500));
		RateLimitEngine engine = Engines.over(store, OnStoreFailure.DENY);
		engine.start();
		this.connections.add(connections);
		this.stores.add(store);
		this.engines.add(engine);
		this.threads.start(THREADS, () -> run(engine));
		return this;
	}

	private void run(RateLimitEngine engine) {
		try {
			DecidedCall call = engine.acquire(new Demand(this.rule, this.key, 1));
			if (call.isAllowed()) {
				runCall(call);
			}
			LoadThreads.pause(2);
		}
		catch (RateLimiterUnavailableException ex) {
			this.unanswered.incrementAndGet();
			LoadThreads.pause(5);
		}
	}

	private void runCall(DecidedCall call) {
		this.admitted.incrementAndGet();
		this.mostAtOnce.accumulateAndGet(this.running.incrementAndGet(), Math::max);
		LoadThreads.pause(ThreadLocalRandom.current().nextInt(1, 20));
		this.running.decrementAndGet();
		call.end(UsedUnits.ALL);
	}

	int admitted() {
		return this.admitted.get();
	}

	int unanswered() {
		return this.unanswered.get();
	}

	/**
	 * Return the most calls that ran at once since the last call of this method.
	 */
	int mostAtOnce() {
		return this.mostAtOnce.getAndSet(0);
	}

	/**
	 * Return how many slots Redis has left.
	 */
	long remaining() {
		return this.stores.get(0).peek(new Demand(this.rule, this.key, 1)).outcome(0).remaining();
	}

	/**
	 * Stop calling, and wait until all calls have ended.
	 */
	void end() {
		this.threads.end();
	}

	@Override
	public void close() {
		try {
			end();
		}
		finally {
			this.engines.forEach(RateLimitEngine::close);
			this.stores.forEach(RedisRateLimitStore::close);
			this.connections.forEach(RunnerUnderTest::destroy);
		}
	}

}
