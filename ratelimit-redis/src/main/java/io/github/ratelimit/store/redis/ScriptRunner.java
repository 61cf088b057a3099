package io.github.ratelimit.store.redis;

import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;

/**
 * Runner of scripts on Redis that never blocks its caller. If Redis does not have a
 * script yet, the script is sent again with its full text; no call is repeated otherwise.
 * Canceling the future withdraws a script that is not sent yet; the reply to a sent one
 * is late.
 */
interface ScriptRunner extends AutoCloseable {

	/**
	 * Connect ahead of the first script. If connected already, reconnect to the current
	 * server.
	 */
	default CompletableFuture<Void> connect() {
		return CompletableFuture.completedFuture(null);
	}

	default CompletableFuture<byte[]> run(Script script, byte[][] keys, byte[][] arguments) {
		return run(new ScriptCall(script, keys, arguments, (late) -> {
		}, true));
	}

	/** Run a script, and complete the reply of the call in any case. */
	CompletableFuture<byte[]> run(ScriptCall call);

	/**
	 * Run a task after all replies that have arrived are read, as far as the client shows
	 * that. The task may never run if the reading thread is blocked.
	 */
	default void afterReading(Runnable task) {
		task.run();
	}

	/**
	 * Return whether the current thread reads replies, so that it must not wait for one.
	 */
	default boolean readsOnThisThread() {
		return false;
	}

	/** Return whether keys may be on different servers of a cluster. */
	default boolean hasManyServers() {
		return false;
	}

	/**
	 * Return the server that a key belongs to, equal for all keys if nothing is known.
	 */
	default Object ownerOf(byte[] key) {
		return this;
	}

	/** Fail unanswered calls to some servers. */
	default void failPending(Predicate<Object> servers, Throwable failure) {
	}

	/** Return the address of Redis for messages, without user and password. */
	default String address() {
		return "Redis";
	}

	/** Return whether the client blocks threads of this runner. */
	default boolean occupiesThreads() {
		return false;
	}

	/** Disconnect, and run no script until {@link #resume()}. */
	default void pause() {
	}

	default void resume() {
	}

	@Override
	default void close() {
		pause();
	}

	/** Return whether Redis does not have the script. */
	static boolean isUnknownScript(Throwable failure) {
		for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
			if (cause.getMessage() != null && cause.getMessage().contains("NOSCRIPT")) {
				return true;
			}
		}
		return false;
	}

}
