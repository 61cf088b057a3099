package io.github.ratelimit.store.redis;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

/**
 * Distribution of keys over servers, as far as scripts have to respect it: their
 * {@linkplain ScriptReach reach}. Unless it is configured, it is found out before the
 * first call. One script writes many keys, and each key is read by a script of its own. A
 * cluster refuses the first script. Behind a proxy it is sent to the server of its first
 * key, and a key that belongs to another server is missing when it is read.
 */
final class Sharding {

	private static final Logger logger = System.getLogger(Sharding.class.getName());

	private static final Script WRITE = Script.of(Script.read("write-probes"));

	private static final Script READ = Script.of(Script.read("read-probe"));

	/** Pause before a script that Redis has refused is repeated. */
	static final Duration PAUSE = Duration.ofMillis(5);

	private final ScriptRunner runner;

	private final String keyPrefix;

	private final AtomicReference<@Nullable CompletableFuture<Void>> search = new AtomicReference<>();

	private final AtomicReference<ScriptReach> reach;

	private volatile boolean known;

	Sharding(ScriptRunner runner, String keyPrefix, RedisSharding configured) {
		this.runner = runner;
		this.keyPrefix = keyPrefix;
		ScriptReach known = reach(configured, runner.hasManyServers());
		this.known = known != null;
		this.reach = new AtomicReference<>((known != null) ? known : ScriptReach.ALL_KEYS);
	}

	/** Return the configured reach, {@code null} if it has to be found out. */
	static @Nullable ScriptReach reach(RedisSharding configured, boolean cluster) {
		if (configured == RedisSharding.PROXY) {
			return ScriptReach.RULE_AND_KEY;
		}
		if (cluster || configured == RedisSharding.CLUSTER) {
			return ScriptReach.HASH_SLOT;
		}
		return (configured == RedisSharding.NONE) ? ScriptReach.ALL_KEYS : null;
	}

	ScriptReach reach() {
		return this.reach.get();
	}

	boolean isKnown() {
		return this.known;
	}

	/**
	 * Note that Redis has refused a script because of its keys (CROSSSLOT), so that
	 * nothing was counted, and return whether its calls can be sent again with a smaller
	 * reach.
	 */
	boolean refused(ScriptReach sent) {
		if (this.reach.compareAndSet(sent, sent.smaller()) && sent != sent.smaller()) {
			found(sent.smaller());
		}
		return reach() != sent;
	}

	/**
	 * Run a script until it is not refused as a whole, so that nothing is counted and its
	 * calls can be sent again. A hash slot that moves to another server refuses keys of
	 * which only some have moved (TRYAGAIN), and accepts them a moment later. A cluster
	 * refuses keys of different hash slots (CROSSSLOT).
	 * @param script sends the script, each time with the keys of the present reach
	 * @param divided sends its calls as several scripts, or returns {@code null} if they
	 * have the same keys
	 * @param patience how long the script is repeated, not counting the time it takes
	 */
	<T> CompletableFuture<T> untilAccepted(Supplier<CompletableFuture<T>> script,
			Supplier<@Nullable CompletableFuture<T>> divided, Duration patience) {
		return untilAccepted(script, divided, patience.dividedBy(PAUSE));
	}

	private <T> CompletableFuture<T> untilAccepted(Supplier<CompletableFuture<T>> script,
			Supplier<@Nullable CompletableFuture<T>> divided, long repetitions) {
		ScriptReach sent = reach();
		return script.get().exceptionallyCompose((failure) -> {
			RedisError error = RedisError.of(failure);
			boolean isRefused = error == RedisError.TRYAGAIN || (error == RedisError.CROSSSLOT && refused(sent));
			if (!isRefused || repetitions == 0) {
				return CompletableFuture.failedFuture(failure);
			}
			CompletableFuture<T> parts = divided.get();
			return (parts != null) ? parts
					: CompletableFuture
						.supplyAsync(() -> untilAccepted(script, divided, repetitions - 1),
								CompletableFuture.delayedExecutor(PAUSE.toNanos(), TimeUnit.NANOSECONDS, Runnable::run))
						.thenCompose((repeated) -> repeated);
		});
	}

	<T> CompletableFuture<T> whenKnown(Supplier<CompletableFuture<T>> action) {
		return this.known ? action.get() : find().thenCompose((found) -> action.get());
	}

	/** Find out the reach, unless it is known. */
	CompletableFuture<Void> find() {
		if (this.known) {
			return CompletableFuture.completedFuture(null);
		}
		CompletableFuture<Void> begun = new CompletableFuture<>();
		CompletableFuture<Void> other = this.search.compareAndExchange(null, begun);
		if (other != null) {
			return other.copy();
		}
		search().whenComplete((found, failure) -> {
			if (failure == null) {
				if (this.reach.compareAndSet(ScriptReach.ALL_KEYS, found) && found != ScriptReach.ALL_KEYS) {
					found(found);
				}
				this.known = true;
			}
			this.search.set(null);
			if (failure == null) {
				begun.complete(null);
			}
			else {
				begun.completeExceptionally(failure);
			}
		});
		return begun.copy();
	}

	private void found(ScriptReach found) {
		logger
			.log(Level.INFO,
					() -> this.runner.address() + " leads to " + ((found == ScriptReach.HASH_SLOT)
							? "a cluster: calls of rate limits are sent together by hash slot "
									+ "(ratelimit.redis.sharding: cluster)."
							: "a proxy of several servers: calls of rate limits are sent together by rule and key "
									+ "(ratelimit.redis.sharding: proxy)."));
	}

	private CompletableFuture<ScriptReach> search() {
		byte[][] names = RedisKeys.probes(this.keyPrefix);
		return write(names).handle((server, failure) -> {
			if (failure == null) {
				return read(names, server)
					.thenApply((areHere) -> areHere ? ScriptReach.ALL_KEYS : ScriptReach.RULE_AND_KEY);
			}
			RedisError error = RedisError.of(failure);
			if (error == RedisError.CROSSSLOT) {
				return read(names, new byte[0]).thenApply((areHere) -> ScriptReach.HASH_SLOT);
			}
			return (error == RedisError.SCRIPT) ? write(names[0]).thenApply((done) -> ScriptReach.RULE_AND_KEY)
					: CompletableFuture.<ScriptReach>failedFuture(failure);
		}).thenCompose((found) -> found);
	}

	private CompletableFuture<byte[]> write(byte[]... names) {
		try {
			return this.runner.run(WRITE, names, new byte[0][]);
		}
		catch (Throwable ex) { // no thread
			return CompletableFuture.failedFuture(ex);
		}
	}

	/**
	 * Return whether all probes are where they were written to. A cluster whose client
	 * does not follow redirections fails here.
	 */
	private CompletableFuture<Boolean> read(byte[][] names, byte[] server) {
		List<CompletableFuture<byte[]>> replies = Arrays.stream(names)
			.map((name) -> this.runner.run(READ, new byte[][] { name }, new byte[][] { server }))
			.toList();
		return CompletableFuture.allOf(replies.toArray(CompletableFuture[]::new))
			.thenApply((done) -> replies.stream().allMatch((reply) -> reply.join().length == 0));
	}

}
