package io.github.ratelimit.store.redis;

import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * Single run of a script, with the receivers of its reply.
 *
 * @param keys its {@code KEYS}
 * @param arguments its {@code ARGV}
 * @param late gets the reply if it arrives after the future was completed otherwise,
 * because the script was given up for example
 * @param isTimed whether it is given up when Redis is silent; one whose effect matters
 * more than its reply is given up only when its connection breaks, or is long in coming
 */
record ScriptCall(Script script, byte[][] keys, byte[][] arguments, CompletableFuture<byte[]> reply,
		Consumer<byte[]> late, boolean isTimed) {

	ScriptCall(Script script, byte[][] keys, byte[][] arguments, Consumer<byte[]> late, boolean isTimed) {
		this(script, keys, arguments, new CompletableFuture<>(), late, isTimed);
	}

	void replied(byte[] value) {
		if (!this.reply.complete(value)) {
			this.late.accept(value);
		}
	}

	void fail(Throwable failure) {
		this.reply.completeExceptionally(failure);
	}

	boolean isOver() {
		return this.reply.isDone();
	}

}
