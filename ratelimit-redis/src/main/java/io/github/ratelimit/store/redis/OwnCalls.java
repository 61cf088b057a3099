package io.github.ratelimit.store.redis;

import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

import io.github.ratelimit.store.StoreException;
import org.jspecify.annotations.Nullable;

/**
 * Runner of the scripts that a store runs for none of its callers. It reports whether
 * they are answered.
 */
final class OwnCalls implements ScriptRunner {

	private final ScriptRunner runner;

	private final RedisFailures failures;

	private volatile @Nullable BiConsumer<Object, @Nullable StoreException> action;

	/**
	 * Create a new runner.
	 * @param runner runs the scripts
	 * @param failures translates failures
	 */
	OwnCalls(ScriptRunner runner, RedisFailures failures) {
		this.runner = runner;
		this.failures = failures;
	}

	/**
	 * Set the action that follows each call.
	 */
	void whenEnded(BiConsumer<Object, @Nullable StoreException> action) {
		this.action = action;
	}

	@Override
	public CompletableFuture<byte[]> run(Script script, byte[][] keys, byte[][] arguments, Consumer<byte[]> late) {
		Object server = this.runner.serverOf(keys[0]);
		CompletableFuture<byte[]> reply = this.runner.run(script, keys, arguments, late);
		BiConsumer<Object, @Nullable StoreException> following = this.action;
		if (following != null) {
			reply.whenComplete(
					(value, failure) -> following.accept(server, (failure != null) ? this.failures.of(failure) : null));
		}
		return reply;
	}

}
