package io.github.ratelimit.store.redis;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;

import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.StoreException;
import org.jspecify.annotations.Nullable;

import org.springframework.data.redis.connection.RedisConnectionFactory;

/** Probe that shows whether Redis answers, by a script that counts nothing. */
final class RedisProbe {

	/**
	 * Number of failed probes, a tenth of a second apart, per check of TLS and per new
	 * connection to a sick server.
	 */
	private static final int PROBES_PER_CHECK = 10;

	private static final Script PROBE = Script.of(Script.read("probe"));

	private final RedisSetup setup;

	private final CallRoutes routes;

	private final SentCalls calls;

	private final @Nullable RedisConnectionFactory connections;

	private volatile @Nullable CompletableFuture<Void> begun;

	/** Failure to be reported instead of those of the client, while it cannot connect. */
	private volatile @Nullable StoreException mistake;

	private final AtomicInteger failed = new AtomicInteger();

	RedisProbe(RedisSetup setup, CallRoutes routes, SentCalls calls, @Nullable RedisConnectionFactory connections) {
		this.setup = setup;
		this.routes = routes;
		this.calls = calls;
		this.connections = connections;
	}

	/** Begin to connect in the background, so that {@link #connect()} waits for less. */
	void beginToConnect() {
		this.begun = this.setup.runner.connect();
	}

	/**
	 * Connect, unless a connection that was begun is still good or under way, find out
	 * how keys are distributed over servers, and load a script unless Redis is a cluster.
	 * Connecting goes on in the background after a timeout.
	 */
	void connect() {
		CompletableFuture<Void> earlier = this.begun;
		this.begun = null;
		CompletableFuture<Void> connected = (earlier != null && !earlier.isCompletedExceptionally()) ? earlier
				: this.setup.runner.connect();
		try {
			this.setup.failures.awaitConnection(connected.copy());
			this.setup.failures.awaitConnection(this.setup.sharding.find());
			byte[] key = this.setup.keys.probe();
			// Some clients connect only when they send the first script.
			this.setup.failures.await(this.setup.runner.hasManyServers()
					? this.setup.runner.run(PROBE, new byte[][] { key }, new byte[0][]) : this.calls.loadScript(key));
		}
		catch (StoreException ex) {
			TlsCheck tls = ex.isOutage() ? tls() : null;
			StoreException found = (tls != null) ? tls.mismatch() : null;
			this.mistake = found;
			throw (found != null) ? found : ex;
		}
	}

	/**
	 * Probe Redis, and reconnect if it cannot answer: the address may lead to another
	 * server by now, or to a read-only replica.
	 */
	CompletionStage<Void> send(Demand demand) {
		byte[][] name = { RedisKeys.probe(this.routes.first(demand)) };
		CompletableFuture<Void> answered = this.setup.runner.run(PROBE, name, new byte[0][])
			.thenCompose((done) -> this.setup.sharding.find());
		return answered.handle((done, failure) -> {
			StoreException known = this.mistake;
			if (failure != null) {
				failed(RedisError.of(failure));
				throw (known != null) ? known : this.setup.failures.of(failure);
			}
			this.mistake = null;
			this.failed.set(0);
			return null;
		});
	}

	/**
	 * Reconnect, but only now and then to a server that answers and has other troubles.
	 */
	private void failed(@Nullable RedisError error) {
		boolean isNowAndThen = this.failed.getAndIncrement() % PROBES_PER_CHECK == 0;
		if (isNowAndThen || error == null || !error.isOfSickServer()) {
			this.setup.runner.connect();
		}
		if (isNowAndThen) {
			checkTls();
		}
	}

	private @Nullable TlsCheck tls() {
		return (this.connections != null) ? ScriptRunnerFactory.tlsCheck(this.connections) : null;
	}

	/**
	 * Check beside the probes whether another server that disagrees about TLS has
	 * replaced the one before.
	 */
	private void checkTls() {
		TlsCheck check = tls();
		if (check != null) {
			Scheduler.onNewThread(() -> this.mistake = check.mismatch(), "ratelimit-redis-tls");
		}
	}

}
