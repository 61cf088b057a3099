package io.github.ratelimit.store.redis;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;

import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.output.CommandOutput;
import io.lettuce.core.output.ValueOutput;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandKeyword;
import io.netty.buffer.ByteBuf;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.ScheduledFuture;
import io.netty.util.internal.ThreadExecutorMap;

import org.jspecify.annotations.Nullable;

import org.springframework.data.redis.RedisConnectionFailureException;

/**
 * Arguments of a command whose reply is timed from the moment they are written. The timer
 * belongs to the event loop that reads the reply, because a loop reads all arrived
 * replies before it runs its timers.
 *
 * <p>
 * The client of a cluster resends a call whose connection broke, even a canceled one.
 * Since the call may have been counted, an empty script replaces its script then. Only a
 * redirection may repeat a call.
 */
final class TimedArguments extends CommandArgs<byte[], byte[]> {

	private static final byte[] NOTHING = "return ''".getBytes(StandardCharsets.US_ASCII);

	private final ScriptCall call;

	private final CallNumber number = new CallNumber();

	private final Object server;

	private final ReplyWatch watch;

	private final RedirectableOutput output = new RedirectableOutput();

	private final AtomicInteger timesSent = new AtomicInteger();

	private final Set<EventExecutor> eventLoops;

	private volatile boolean replaced;

	TimedArguments(byte[] script, ScriptCall call, Object server, ReplyWatch watch, Set<EventExecutor> eventLoops) {
		super(ByteArrayCodec.INSTANCE);
		this.call = call;
		this.server = server;
		this.watch = watch;
		this.eventLoops = eventLoops;
		add(script).add(call.keys().length).addKeys(call.keys()).addValues(this.number.before(call.arguments()));
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
		Scheduler scheduler = (eventLoop != null) ? (task, nanoseconds) -> schedule(eventLoop, task, nanoseconds)
				: Scheduler::onTimerThread;
		heard.watch(this.call.reply(), scheduler);
	}

	private void schedule(EventExecutor eventLoop, Runnable task, long nanoseconds) {
		ScheduledFuture<?> timer = eventLoop.schedule(task, nanoseconds, TimeUnit.NANOSECONDS);
		this.call.reply().whenComplete((value, failure) -> timer.cancel(false));
	}

	/**
	 * Return the arguments of an empty script. Their number is unchanged, since it is
	 * already written.
	 */
	private CommandArgs<byte[], byte[]> nothing() {
		return new CommandArgs<>(ByteArrayCodec.INSTANCE).add(NOTHING)
			.add(this.call.keys().length)
			.addKeys(this.call.keys())
			.addValues(this.number.before(this.call.arguments()));
	}

	ScriptCall call() {
		return this.call;
	}

	CallNumber number() {
		return this.number;
	}

	boolean wereReplaced() {
		return this.replaced;
	}

	Object server() {
		return this.server;
	}

	boolean areSent() {
		return this.timesSent.get() > 0;
	}

	/** Return whether a server of a cluster redirected them to another one. */
	boolean wereRedirected() {
		return this.output.redirections() > 0;
	}

	/** Return whether the reply may have to come from one of some servers. */
	boolean mayHaveGoneTo(Predicate<Object> server) {
		return wereRedirected() || server.test(this.server);
	}

	/** Return whether the reply has to come from a server, as far as is known. */
	boolean wereSentTo(Object server) {
		return areSent() && !wereRedirected() && server.equals(this.server);
	}

	CommandOutput<byte[], byte[], byte[]> output() {
		return this.output;
	}

	ReplyWatch watch() {
		return this.watch;
	}

	/**
	 * Output that reads a reply of any type and counts the redirections to other servers
	 * of a cluster.
	 */
	private static final class RedirectableOutput extends ValueOutput<byte[], byte[]> {

		private final AtomicInteger redirections = new AtomicInteger();

		RedirectableOutput() {
			super(ByteArrayCodec.INSTANCE);
		}

		/**
		 * Ignore a number. It is no reply of a script, and without a value it is known to
		 * be none.
		 */
		@Override
		public void set(long integer) {
		}

		@Override
		public void set(double number) {
		}

		@Override
		public void set(boolean value) {
		}

		@Override
		public void setError(ByteBuffer error) {
			super.setError(error);
			if (redirectsWith(CommandKeyword.MOVED) || redirectsWith(CommandKeyword.ASK)) {
				this.redirections.incrementAndGet();
			}
		}

		private boolean redirectsWith(CommandKeyword redirection) {
			return getError().startsWith(redirection.name());
		}

		int redirections() {
			return this.redirections.get();
		}

	}

}
