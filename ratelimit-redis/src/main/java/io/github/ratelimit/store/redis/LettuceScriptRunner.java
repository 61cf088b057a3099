package io.github.ratelimit.store.redis;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Iterator;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArraySet;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Predicate;

import io.lettuce.core.RedisFuture;
import io.lettuce.core.protocol.CommandType;
import io.netty.util.concurrent.EventExecutor;

import org.jspecify.annotations.Nullable;

import org.springframework.data.redis.RedisConnectionFailureException;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * Asynchronous script runner over a Lettuce connection.
 *
 * <p>
 * By default Lettuce queues calls while it is disconnected and resends unanswered ones,
 * which might count them twice. So a call to a server fails if its connection is not
 * open, or breaks before the reply. In a cluster a call also fails when Lettuce would
 * resend it, or when its time is over. A call that failed before it was sent is canceled.
 * A sent call may be answered late; if Lettuce resends it nevertheless,
 * {@link TimedArguments} replace its script by an empty one.
 */
final class LettuceScriptRunner implements ScriptRunner {

	static final String BROKEN = "the connection broke before the reply came";

	/**
	 * Time to wait for a call that may not have been sent after a redirection, in
	 * timeouts of calls.
	 */
	private static final int OVERDUE = 20;

	private final LettuceLink link;

	private final LettuceConnectionFactory connections;

	private final Duration timeout;

	private final Map<Object, ReplyWatch> watches = new ConcurrentHashMap<>();

	private final Set<TimedArguments> underWay = ConcurrentHashMap.newKeySet();

	/** The nodes of a cluster, {@code null} if there is none. */
	private final @Nullable LettuceNodes nodes;

	private final Set<EventExecutor> eventLoops = new CopyOnWriteArraySet<>();

	LettuceScriptRunner(LettuceConnectionFactory connections, Duration timeout) {
		Duration longest = RedisFailures.connectPatience(timeout);
		this.link = new LettuceLink(new LettuceConnector(connections, longest)::connect, longest, timeout,
				() -> broken((sent) -> true), (task) -> Scheduler.onNewThread(task, "ratelimit-redis-connect"));
		this.nodes = connections.isClusterAware() ? new LettuceNodes((node) -> broken((sent) -> sent.wereSentTo(node)))
				: null;
		this.connections = connections;
		this.timeout = timeout;
	}

	private void broken(Predicate<TimedArguments> sent) {
		fail(sent, new RedisConnectionFailureException(BROKEN));
	}

	@Override
	public void failPending(Predicate<Object> servers, Throwable failure) {
		fail((sent) -> sent.call().isTimed() && sent.mayHaveGoneTo(servers), failure);
	}

	private void fail(Predicate<TimedArguments> which, Throwable failure) {
		this.underWay.stream().filter(which).forEach((sent) -> sent.call().fail(failure));
	}

	@Override
	public CompletableFuture<Void> connect() {
		return this.link.open();
	}

	@Override
	public String address() {
		return RedisAddress.of(this.connections);
	}

	@Override
	public boolean hasManyServers() {
		return this.nodes != null;
	}

	@Override
	public Object ownerOf(byte[] key) {
		LettuceChannel channel = this.link.channel();
		return (channel != null && this.nodes != null) ? channel.ownerOf(key) : this;
	}

	/**
	 * Send a call when there is a connection, unless it was given up before: a charge is
	 * repeated then, and must not be counted twice.
	 */
	@Override
	public CompletableFuture<byte[]> run(ScriptCall call) {
		LettuceChannel channel = this.link.channel();
		if (channel != null) {
			send(channel, call);
			return call.reply();
		}
		int timeouts = call.isTimed() ? 1 : Corrections.TIMEOUTS_OF_A_CHARGE;
		call.reply().orTimeout(this.timeout.multipliedBy(timeouts).toNanos(), TimeUnit.NANOSECONDS);
		this.link.open().whenComplete((done, failure) -> {
			LettuceChannel opened = this.link.channel();
			if (failure != null) {
				call.fail(failure);
			}
			else if (opened == null) {
				call.fail(notConnected());
			}
			else if (!call.isOver()) {
				send(opened, call);
			}
		});
		return call.reply();
	}

	private void send(LettuceChannel channel, ScriptCall call) {
		if (!channel.isOpen()) {
			call.fail(notConnected());
			return;
		}
		dispatch(channel, CommandType.EVALSHA, call.script().sha(), call, (refusal) -> {
			if (ScriptRunner.isUnknownScript(refusal) && !call.isOver()) {
				byte[] text = call.script().sent().getBytes(StandardCharsets.UTF_8);
				dispatch(channel, CommandType.EVAL, text, call, call::fail);
			}
			else {
				call.fail(refusal);
			}
		});
	}

	private static RedisConnectionFailureException notConnected() {
		return new RedisConnectionFailureException("not connected");
	}

	private void dispatch(LettuceChannel channel, CommandType type, byte[] script, ScriptCall call,
			Consumer<Throwable> whenRefused) {
		Object server = (this.nodes != null && call.keys().length > 0) ? ownerOf(call.keys()[0]) : this;
		TimedArguments timed = new TimedArguments(script, call, server, watchOf(server), this.eventLoops);
		this.underWay.add(timed);
		if (this.nodes == null) {
			dispatch(channel, type, timed, call, whenRefused);
			return;
		}
		try {
			if (call.isTimed()) {
				failUnsent(timed, call);
			}
			this.nodes.watch(channel, server).whenComplete((connection, failure) -> {
				if (failure != null && server instanceof String) {
					this.underWay.remove(timed);
					call.fail(failure);
				}
				else {
					dispatch(channel, type, timed, call, whenRefused);
				}
			});
		}
		catch (Throwable ex) { // no timer
			this.underWay.remove(timed);
			call.fail(ex);
		}
	}

	private void dispatch(LettuceChannel channel, CommandType type, TimedArguments timed, ScriptCall call,
			Consumer<Throwable> whenRefused) {
		if (call.isOver()) {
			this.underWay.remove(timed);
			return;
		}
		try {
			RedisFuture<byte[]> command = channel.commands().dispatch(type, timed.output(), timed);
			call.reply().whenComplete((value, failure) -> {
				this.underWay.remove(timed);
				if (failure != null && !timed.areSent()) {
					command.cancel(true);
				}
			});
			command.whenComplete((value, failure) -> {
				if (failure != null) {
					whenRefused.accept(failure);
				}
				else if (!timed.wereReplaced()) {
					replied(channel, timed, call, value);
				}
			});
		}
		catch (Throwable ex) {
			this.underWay.remove(timed);
			call.fail(ex);
		}
	}

	/**
	 * Complete a call. If the reply is that of another command, no further reply on the
	 * connection can be trusted either.
	 */
	private void replied(LettuceChannel channel, TimedArguments timed, ScriptCall call, byte[] reply) {
		byte[] value = timed.number().restOf(reply);
		if (value != null) {
			heard(timed);
			call.replied(value);
			return;
		}
		call.fail(CallNumber.otherReply());
		if (this.nodes != null) {
			channel.reconnect(timed.server());
		}
		else {
			this.link.broken(channel);
		}
	}

	/**
	 * Run a task after each event loop has run a timer, since a loop reads all arrived
	 * replies before it runs its timers.
	 */
	@Override
	public void afterReading(Runnable task) {
		afterReading(this.eventLoops.iterator(), task);
	}

	private void afterReading(Iterator<EventExecutor> eventLoops, Runnable task) {
		while (eventLoops.hasNext()) {
			EventExecutor eventLoop = eventLoops.next();
			try {
				eventLoop.schedule(() -> afterReading(eventLoops, task), 1, TimeUnit.MILLISECONDS);
				return;
			}
			catch (RejectedExecutionException ex) {
				this.eventLoops.remove(eventLoop);
			}
		}
		task.run();
	}

	@Override
	public boolean readsOnThisThread() {
		for (EventExecutor eventLoop : this.eventLoops) {
			if (eventLoop.inEventLoop()) {
				return true;
			}
		}
		return false;
	}

	private ReplyWatch watchOf(Object server) {
		ReplyWatch known = this.watches.get(server);
		return (known != null) ? known
				: this.watches.computeIfAbsent(server, (unknown) -> new ReplyWatch(this.timeout));
	}

	private void heard(TimedArguments answered) {
		if (answered.wereRedirected()) {
			this.link.redirected();
		}
		else {
			answered.watch().heard();
		}
	}

	/**
	 * Fail a call that is not sent within the timeout: calls wait for the connection to
	 * an unreachable node, and the timeout of a reply starts only when its call is sent.
	 */
	private void failUnsent(TimedArguments arguments, ScriptCall call) {
		Scheduler.onTimerThread(() -> {
			if (!arguments.areSent()) {
				call.fail(new TimeoutException());
			}
			else if (!call.isOver()) {
				Scheduler.onTimerThread(() -> call.fail(new TimeoutException()),
						this.timeout.multipliedBy(OVERDUE).toNanos());
			}
		}, this.timeout.toNanos());
	}

	@Override
	public void pause() {
		this.link.close();
	}

	@Override
	public void resume() {
		this.link.reopen();
	}

}
