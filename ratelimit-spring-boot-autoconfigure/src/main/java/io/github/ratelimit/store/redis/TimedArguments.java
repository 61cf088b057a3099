package io.github.ratelimit.store.redis;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.protocol.CommandArgs;
import io.netty.buffer.ByteBuf;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.ScheduledFuture;
import io.netty.util.internal.ThreadExecutorMap;

/**
 * The arguments of a command whose time is up when Redis has had the time-out to answer:
 * from the moment they are written, on the event loop that reads the reply.
 *
 * <p>
 * On a busy machine a command may wait long to be written, and a reply to be read, while
 * Redis is as quick as ever. A timer elsewhere would give such calls up although Redis
 * counts them, and the policy for a store that cannot answer would count them again. An
 * event loop reads what has arrived before it looks at its timers; and a timer that comes
 * late tells that the loop could not read, so it looks again a moment later.
 */
final class TimedArguments extends CommandArgs<byte[], byte[]> {

	private static final long PUNCTUAL = TimeUnit.MILLISECONDS.toNanos(5);

	private static final long MOMENT = TimeUnit.MILLISECONDS.toNanos(10);

	private final CompletableFuture<byte[]> reply;

	private final Duration timeout;

	TimedArguments(CompletableFuture<byte[]> reply, Duration timeout) {
		super(ByteArrayCodec.INSTANCE);
		this.reply = reply;
		this.timeout = timeout;
	}

	@Override
	public void encode(ByteBuf buffer) {
		super.encode(buffer);
		EventExecutor eventLoop = ThreadExecutorMap.currentExecutor();
		if (eventLoop == null) {
			this.reply.orTimeout(this.timeout.toNanos(), TimeUnit.NANOSECONDS);
			return;
		}
		schedule(eventLoop, this.timeout.toNanos());
	}

	private void schedule(EventExecutor eventLoop, long delay) {
		long due = System.nanoTime() + delay;
		ScheduledFuture<?> timer = eventLoop.schedule(() -> expire(eventLoop, due), delay, TimeUnit.NANOSECONDS);
		this.reply.whenComplete((value, failure) -> timer.cancel(false));
	}

	private void expire(EventExecutor eventLoop, long due) {
		if (System.nanoTime() - due > PUNCTUAL) {
			schedule(eventLoop, MOMENT);
		}
		else {
			this.reply.completeExceptionally(new TimeoutException());
		}
	}

}
