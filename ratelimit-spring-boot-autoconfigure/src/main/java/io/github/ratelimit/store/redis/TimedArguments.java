package io.github.ratelimit.store.redis;

import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;

import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.protocol.CommandArgs;
import io.netty.buffer.ByteBuf;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.ScheduledFuture;
import io.netty.util.internal.ThreadExecutorMap;

import org.jspecify.annotations.Nullable;

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

	private final ScriptCall call;

	private final Object server;

	private final ReplyWatch watch;

	private final RedirectableOutput output = new RedirectableOutput();

	private final AtomicInteger timesSent = new AtomicInteger();

	private final Set<EventExecutor> eventLoops;

	private volatile boolean replaced;

	/**
	 * Create new arguments.
	 * @param script the script or its hash
	 * @param call whose reply is timed
	 * @param server where they are sent, unless it redirects them
	 * @param watch notices whether the server is silent
	 * @param eventLoops takes note of the event loop that reads the reply
	 */
	TimedArguments(byte[] script, ScriptCall call, Object server, ReplyWatch watch, Set<EventExecutor> eventLoops) {
		super(ByteArrayCodec.INSTANCE);
		this.call = call;
		this.server = server;
		this.watch = watch;
		this.eventLoops = eventLoops;
		add(script).add(call.keys().length).addKeys(call.keys()).addValues(call.arguments());
	}

	@Override
	public void encode(ByteBuf buffer) {
		if (this.timesSent.getAndIncrement() > this.output.redirections()) {
			this.call.fail(new RedisConnectionFailureException(LettuceScriptRunner.BROKEN));
		}
		if (this.call.isOver()) {
			this.replaced = true;
			nothing().encode(buffer);
			return;
		}
		super.encode(buffer);
		EventExecutor eventLoop = ThreadExecutorMap.currentExecutor();
		if (eventLoop != null) {
			this.eventLoops.add(eventLoop);
		}
		if (this.call.isTimed()) {
			watch(eventLoop);
		}
	}

	private void watch(@Nullable EventExecutor eventLoop) {
		ReplyWatch heard = wereRedirected() ? this.watch.ofAnother() : this.watch;
		ReplyTimer.Scheduler scheduler = (eventLoop != null)
				? (task, nanoseconds) -> schedule(eventLoop, task, nanoseconds) : ReplyTimer::onTimerThread;
		new ReplyTimer(heard, scheduler).watch(this.call.reply());
	}

	/**
	 * As many arguments as there were: the number is written before them.
	 */
	private CommandArgs<byte[], byte[]> nothing() {
		return new CommandArgs<>(ByteArrayCodec.INSTANCE).add(NOTHING)
			.add(this.call.keys().length)
			.addKeys(this.call.keys())
			.addValues(this.call.arguments());
	}

	/**
	 * Whether the reply is that of another script, which took the place of their own.
	 */
	boolean wereReplaced() {
		return this.replaced;
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

	ReplyWatch watch() {
		return this.watch;
	}

	private static Runnable schedule(EventExecutor eventLoop, Runnable task, long nanoseconds) {
		ScheduledFuture<?> timer = eventLoop.schedule(task, nanoseconds, TimeUnit.NANOSECONDS);
		return () -> timer.cancel(false);
	}

}
