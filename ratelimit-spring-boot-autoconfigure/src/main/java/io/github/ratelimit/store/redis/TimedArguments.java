package io.github.ratelimit.store.redis;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.protocol.CommandArgs;
import io.netty.buffer.ByteBuf;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.ScheduledFuture;
import io.netty.util.internal.ThreadExecutorMap;

/**
 * The arguments of a command whose reply is timed from the moment they are written, on
 * the event loop that will read it: a loop reads what has arrived before it looks at its
 * timers.
 */
final class TimedArguments extends CommandArgs<byte[], byte[]> {

	private final CompletableFuture<byte[]> reply;

	private final Silence silence;

	private volatile boolean sent;

	TimedArguments(CompletableFuture<byte[]> reply, Silence silence) {
		super(ByteArrayCodec.INSTANCE);
		this.reply = reply;
		this.silence = silence;
	}

	@Override
	public void encode(ByteBuf buffer) {
		super.encode(buffer);
		this.sent = true;
		EventExecutor eventLoop = ThreadExecutorMap.currentExecutor();
		SilenceTimer.Scheduler scheduler = (eventLoop != null)
				? (task, nanoseconds) -> schedule(eventLoop, task, nanoseconds) : SilenceTimer::onTimerThread;
		new SilenceTimer(this.silence, scheduler).watch(this.reply);
	}

	boolean areSent() {
		return this.sent;
	}

	private static Runnable schedule(EventExecutor eventLoop, Runnable task, long nanoseconds) {
		ScheduledFuture<?> timer = eventLoop.schedule(task, nanoseconds, TimeUnit.NANOSECONDS);
		return () -> timer.cancel(false);
	}

}
