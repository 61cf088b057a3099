package io.github.ratelimit.store.redis;

import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * Runs scripts on Redis without ever blocking its caller. A script Redis does not know
 * yet is sent whole, once; nothing else is repeated. Cancelling the future takes back a
 * script that was not sent yet; of one that was sent, the reply is late.
 */
interface ScriptRunner extends AutoCloseable {

	/**
	 * Connect, so that the first script need not wait for it; when connected, connect
	 * anew, to the server that is the right one now.
	 * @return when there is a connection
	 */
	default CompletableFuture<Void> connect() {
		return CompletableFuture.completedFuture(null);
	}

	/**
	 * Run a script.
	 * @param script the script
	 * @param keys its {@code KEYS}
	 * @param arguments its {@code ARGV}
	 * @return its reply
	 */
	default CompletableFuture<byte[]> run(Script script, byte[][] keys, byte[][] arguments) {
		return run(script, keys, arguments, (late) -> {
		});
	}

	/**
	 * Run a script.
	 * @param script the script
	 * @param keys its {@code KEYS}
	 * @param arguments its {@code ARGV}
	 * @param late gets the reply if it comes after the future was completed otherwise,
	 * because the script was given up for example
	 * @return its reply
	 */
	CompletableFuture<byte[]> run(Script script, byte[][] keys, byte[][] arguments, Consumer<byte[]> late);

	/**
	 * Run a script whose effect matters more than its reply: as soon as Redis can,
	 * however long that takes, unless the connection breaks.
	 */
	default CompletableFuture<byte[]> runEventually(Script script, byte[][] keys, byte[][] arguments) {
		return run(script, keys, arguments);
	}

	/**
	 * Run a task after the replies that have arrived by now are read, as far as that can
	 * be known; perhaps never, if who reads them is held up.
	 */
	default void afterReading(Runnable task) {
		task.run();
	}

	/**
	 * Whether this very thread has to read replies, so that it must not wait for one.
	 */
	default boolean readsOnThisThread() {
		return false;
	}

	/**
	 * Whether keys may be on different servers, those of a cluster.
	 */
	default boolean hasManyServers() {
		return false;
	}

	/**
	 * Which of many servers a key belongs to, as far as is known.
	 * @param key the key
	 * @return what is the same for keys of the same server, and for all keys if nothing
	 * is known
	 */
	default Object ownerOf(byte[] key) {
		throw new UnsupportedOperationException();
	}

	/**
	 * Fail what was not answered yet.
	 * @param servers by which servers
	 * @param failure what with
	 */
	default void giveUp(Predicate<Object> servers, Throwable failure) {
	}

	/**
	 * Return where Redis is, for messages, without user and password.
	 */
	default String address() {
		return "Redis";
	}

	/**
	 * Whether threads of ours wait for Redis, because the client cannot do otherwise.
	 */
	default boolean occupiesThreads() {
		return false;
	}

	@Override
	default void close() {
	}

	/**
	 * Whether Redis refused because it does not know the script.
	 */
	static boolean isUnknownScript(Throwable failure) {
		for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
			if (cause.getMessage() != null && cause.getMessage().contains("NOSCRIPT")) {
				return true;
			}
		}
		return false;
	}

}
