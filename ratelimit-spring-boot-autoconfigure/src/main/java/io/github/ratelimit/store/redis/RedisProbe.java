package io.github.ratelimit.store.redis;

import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;

import io.github.ratelimit.store.Demand;

/**
 * Probe that shows whether Redis answers, by a script that counts nothing.
 */
final class RedisProbe {

	private static final long CONNECT_PATIENCE = TimeUnit.SECONDS.toNanos(2);

	private static final Script PROBE = Script.of(Script.read("probe"));

	private final ScriptRunner runner;

	private final RedisKeys keys;

	private final Places places;

	private final SentCalls calls;

	private final BlockingWait waiting;

	private final RedisFailures failures;

	RedisProbe(ScriptRunner runner, RedisKeys keys, Places places, SentCalls calls, BlockingWait waiting,
			RedisFailures failures) {
		this.runner = runner;
		this.keys = keys;
		this.places = places;
		this.calls = calls;
		this.waiting = waiting;
		this.failures = failures;
	}

	/**
	 * Connect, and load a script unless Redis is a cluster. Connecting goes on in the
	 * background after a timeout.
	 */
	void connect() {
		this.waiting.awaitConnection(this.runner.connect().copy(), CONNECT_PATIENCE);
		this.waiting.await(this.runner.hasManyServers()
				? this.runner.run(PROBE, new byte[][] { this.keys.probe() }, new byte[0][]) : this.calls.loadScript());
	}

	/**
	 * Probe Redis, and reconnect if it cannot answer: the address may lead to another
	 * server by now, or to a read-only replica.
	 * @param demand the demand whose server is probed
	 */
	CompletionStage<Void> send(Demand demand) {
		byte[][] name = { this.keys.probe(this.places.first(demand)) };
		return this.failures.translated(this.runner.run(PROBE, name, new byte[0][])).whenComplete((done, failure) -> {
			if (failure != null) {
				this.runner.connect();
			}
		}).thenApply((done) -> null);
	}

}
