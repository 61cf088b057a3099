package io.github.ratelimit.store.redis;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Predicate;

import io.lettuce.core.RedisFuture;
import io.lettuce.core.protocol.CommandType;

import org.springframework.data.redis.RedisConnectionFailureException;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * Runs scripts over a Lettuce connection, asynchronously.
 *
 * <p>
 * Left alone, Lettuce would keep calls while it is disconnected and send again whatever
 * was not answered, perhaps to be counted twice. So a call fails at once when there is no
 * connection, and when that to a server breaks under it; to a cluster it fails when it
 * would be sent again, or when its time is over. One that failed is cancelled, which
 * Lettuce does not send again, or not as what it was: {@link TimedArguments}.
 */
final class LettuceScriptRunner implements ScriptRunner {

	static final String BROKEN = "the connection broke before the reply came";

	/**
	 * How many time-outs to wait for a call that was redirected and then perhaps not
	 * sent.
	 */
	private static final int OVERDUE = 20;

	private final LettuceLink link;

	private final boolean cluster;

	private final String address;

	private final Duration timeout;

	private final Map<Object, Silence> silences = new ConcurrentHashMap<>();

	private final Map<CompletableFuture<byte[]>, TimedArguments> underWay = new ConcurrentHashMap<>();

	LettuceScriptRunner(LettuceConnectionFactory connections, Duration timeout) {
		this.link = new LettuceLink(connections, this::broken);
		this.cluster = connections.isClusterAware();
		this.address = RedisAddress.of(connections);
		this.timeout = timeout;
	}

	private void broken() {
		giveUp((server) -> true, new RedisConnectionFailureException(BROKEN));
	}

	@Override
	public void giveUp(Predicate<Object> servers, Throwable failure) {
		this.underWay.forEach((reply, sent) -> {
			if (sent.mayHaveGoneTo(servers)) {
				reply.completeExceptionally(failure);
			}
		});
	}

	@Override
	public CompletableFuture<Void> connect() {
		return this.link.open();
	}

	@Override
	public String address() {
		return this.address;
	}

	@Override
	public boolean hasManyServers() {
		return this.cluster;
	}

	@Override
	public Object ownerOf(byte[] key) {
		LettuceChannel channel = this.link.channel();
		return (channel != null && channel.isCluster()) ? channel.ownerOf(key) : this;
	}

	@Override
	public CompletableFuture<byte[]> run(Script script, byte[][] keys, byte[][] arguments) {
		CompletableFuture<byte[]> reply = new CompletableFuture<>();
		LettuceChannel channel = this.link.channel();
		if (channel != null) {
			send(channel, script, keys, arguments, reply);
			return reply;
		}
		reply.orTimeout(this.timeout.toNanos(), TimeUnit.NANOSECONDS);
		this.link.open().whenComplete((done, failure) -> {
			LettuceChannel opened = this.link.channel();
			if (failure != null) {
				reply.completeExceptionally(failure);
			}
			else if (opened == null) {
				reply.completeExceptionally(notConnected());
			}
			else if (!reply.isDone()) {
				send(opened, script, keys, arguments, reply);
			}
		});
		return reply;
	}

	private void send(LettuceChannel channel, Script script, byte[][] keys, byte[][] arguments,
			CompletableFuture<byte[]> reply) {
		if (!channel.isOpen()) {
			reply.completeExceptionally(notConnected());
			return;
		}
		byte[] sha = script.sha().getBytes(StandardCharsets.US_ASCII);
		dispatch(channel, CommandType.EVALSHA, sha, keys, arguments, reply, (refusal) -> {
			if (ScriptRunner.isUnknownScript(refusal) && !reply.isDone()) {
				byte[] text = script.text().getBytes(StandardCharsets.UTF_8);
				dispatch(channel, CommandType.EVAL, text, keys, arguments, reply, reply::completeExceptionally);
			}
			else {
				reply.completeExceptionally(refusal);
			}
		});
	}

	private static RedisConnectionFailureException notConnected() {
		return new RedisConnectionFailureException("not connected");
	}

	private void dispatch(LettuceChannel channel, CommandType type, byte[] script, byte[][] keys, byte[][] arguments,
			CompletableFuture<byte[]> reply, Consumer<Throwable> whenRefused) {
		try {
			Object server = (keys.length > 0) ? ownerOf(keys[0]) : this;
			TimedArguments timed = new TimedArguments(reply, server, silenceOf(server), script, keys, arguments);
			this.underWay.put(reply, timed);
			if (channel.isCluster()) {
				failUnsent(timed, reply);
			}
			watch(channel.commands().dispatch(type, timed.output(), timed), timed, reply, whenRefused);
		}
		catch (RuntimeException ex) {
			this.underWay.remove(reply);
			reply.completeExceptionally(ex);
		}
	}

	private void watch(RedisFuture<byte[]> command, TimedArguments timed, CompletableFuture<byte[]> reply,
			Consumer<Throwable> whenRefused) {
		reply.whenComplete((value, failure) -> {
			this.underWay.remove(reply);
			if (failure != null) {
				command.cancel(true);
			}
		});
		command.whenComplete((value, failure) -> {
			if (failure == null) {
				heard(timed);
				reply.complete(value);
			}
			else {
				whenRefused.accept(failure);
			}
		});
	}

	private Silence silenceOf(Object server) {
		Silence known = this.silences.get(server);
		return (known != null) ? known : this.silences.computeIfAbsent(server, (unknown) -> new Silence(this.timeout));
	}

	private void heard(TimedArguments answered) {
		if (answered.wereRedirected()) {
			this.link.redirected();
		}
		else {
			answered.silence().end();
		}
	}

	/**
	 * A cluster connection keeps calls for a node that is gone, and so their time does
	 * not begin to run.
	 */
	private void failUnsent(TimedArguments arguments, CompletableFuture<byte[]> reply) {
		later(1, () -> {
			if (!arguments.areSent()) {
				reply.completeExceptionally(new TimeoutException());
			}
			else if (!reply.isDone()) {
				later(OVERDUE, () -> reply.completeExceptionally(new TimeoutException()));
			}
		});
	}

	private void later(int timeouts, Runnable task) {
		CompletableFuture
			.delayedExecutor(this.timeout.multipliedBy(timeouts).toNanos(), TimeUnit.NANOSECONDS, Runnable::run)
			.execute(task);
	}

	@Override
	public void close() {
		this.link.close();
	}

}
