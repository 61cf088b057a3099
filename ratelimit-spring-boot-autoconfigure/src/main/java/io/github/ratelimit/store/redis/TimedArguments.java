package io.github.ratelimit.store.redis;

import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;

import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.protocol.CommandArgs;
import io.netty.buffer.ByteBuf;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.ScheduledFuture;
import io.netty.util.internal.ThreadExecutorMap;

import org.springframework.data.redis.RedisConnectionFailureException;

/**
 * The arguments of a command whose reply is timed from the moment they are written, on
 * the event loop that will read it: a loop reads what has arrived before it looks at its
 * timers.
 *
 * <p>
 * The client of a cluster sends a call again whose connection broke, even if it was
 * cancelled. That must do nothing, since the call may have been counted: another script
 * takes the place of its own. Only a redirection sends a call again rightly.
 */
final class TimedArguments extends CommandArgs<byte[], byte[]> {

	private static final byte[] NOTHING = "return ''".getBytes(StandardCharsets.US_ASCII);

	private final CompletableFuture<byte[]> reply;

	private final Object server;

	private final Silence silence;

	private final byte[][] keys;

	private final byte[][] arguments;

	private final RedirectableOutput output = new RedirectableOutput();

	private final AtomicInteger timesSent = new AtomicInteger();

	/**
	 * Create new arguments.
	 * @param reply what is timed
	 * @param server where they are sent, unless it redirects them
	 * @param silence that of the server
	 */
	TimedArguments(CompletableFuture<byte[]> reply, Object server, Silence silence, byte[] script, byte[][] keys,
			byte[][] arguments) {
		super(ByteArrayCodec.INSTANCE);
		this.reply = reply;
		this.server = server;
		this.silence = silence;
		this.keys = keys;
		this.arguments = arguments;
		add(script).add(keys.length).addKeys(keys).addValues(arguments);
	}

	@Override
	public void encode(ByteBuf buffer) {
		if (this.timesSent.getAndIncrement() > this.output.redirections()) {
			this.reply.completeExceptionally(new RedisConnectionFailureException(LettuceScriptRunner.BROKEN));
		}
		if (this.reply.isDone()) {
			nothing().encode(buffer);
			return;
		}
		super.encode(buffer);
		Silence heard = wereRedirected() ? this.silence.ofAnother() : this.silence;
		EventExecutor eventLoop = ThreadExecutorMap.currentExecutor();
		SilenceTimer.Scheduler scheduler = (eventLoop != null)
				? (task, nanoseconds) -> schedule(eventLoop, task, nanoseconds) : SilenceTimer::onTimerThread;
		new SilenceTimer(heard, scheduler).watch(this.reply);
	}

	/**
	 * As many arguments as there were: the number is written before them.
	 */
	private CommandArgs<byte[], byte[]> nothing() {
		return new CommandArgs<>(ByteArrayCodec.INSTANCE).add(NOTHING)
			.add(this.keys.length)
			.addKeys(this.keys)
			.addValues(this.arguments);
	}

	boolean areSent() {
		return this.timesSent.get() > 0;
	}

	/**
	 * Whether a server of a cluster said that another one has the keys.
	 */
	boolean wereRedirected() {
		return this.output.redirections() > 0;
	}

	/**
	 * Whether the reply may have to come from this server.
	 */
	boolean mayHaveGoneTo(Predicate<Object> server) {
		return wereRedirected() || server.test(this.server);
	}

	/**
	 * What reads the reply.
	 */
	RedirectableOutput output() {
		return this.output;
	}

	Silence silence() {
		return this.silence;
	}

	private static Runnable schedule(EventExecutor eventLoop, Runnable task, long nanoseconds) {
		ScheduledFuture<?> timer = eventLoop.schedule(task, nanoseconds, TimeUnit.NANOSECONDS);
		return () -> timer.cancel(false);
	}

}
