package io.github.ratelimit.store.redis;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import io.lettuce.core.RedisFuture;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.output.ValueOutput;
import io.lettuce.core.protocol.CommandType;
import org.jspecify.annotations.Nullable;

import org.springframework.data.redis.RedisConnectionFailureException;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * Runs scripts over a Lettuce connection, asynchronously.
 *
 * <p>
 * Left alone, Lettuce would keep calls while it is disconnected and send again whatever
 * was not answered, perhaps to be counted twice. So a call fails at once when there is no
 * connection, and when the connection breaks under it; and one that failed is cancelled,
 * which Lettuce does not send again.
 */
final class LettuceScriptRunner implements ScriptRunner {

	private final LettuceLink link;

	private final Duration timeout;

	private final Silence silence;

	private final Set<CompletableFuture<byte[]>> underWay = ConcurrentHashMap.newKeySet();

	LettuceScriptRunner(LettuceConnectionFactory connections, Duration timeout) {
		this.link = new LettuceLink(connections, this::broken);
		this.timeout = timeout;
		this.silence = new Silence(timeout);
	}

	private void broken() {
		giveUp(new RedisConnectionFailureException("the connection broke before the reply came"));
	}

	@Override
	public void giveUp(Throwable failure) {
		for (CompletableFuture<byte[]> reply : List.copyOf(this.underWay)) {
			reply.completeExceptionally(failure);
		}
	}

	@Override
	public CompletableFuture<Void> connect() {
		return this.link.open();
	}

	@Override
	public boolean hasManyServers() {
		LettuceChannel channel = this.link.channel();
		return channel != null && channel.isCluster();
	}

	@Override
	public Object ownerOf(byte[] key) {
		LettuceChannel channel = this.link.channel();
		return (channel != null) ? channel.ownerOf(key) : this;
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
		this.underWay.add(reply);
		reply.whenComplete((value, failure) -> this.underWay.remove(reply));
		try {
			byte[] sha = script.sha().getBytes(StandardCharsets.US_ASCII);
			dispatch(channel, CommandType.EVALSHA, sha, keys, arguments, reply).whenComplete((value, failure) -> {
				if (failure != null && ScriptRunner.isUnknownScript(failure)) {
					byte[] text = script.text().getBytes(StandardCharsets.UTF_8);
					dispatch(channel, CommandType.EVAL, text, keys, arguments, reply)
						.whenComplete((answer, refusal) -> complete(reply, answer, refusal));
				}
				else {
					complete(reply, value, failure);
				}
			});
		}
		catch (RuntimeException ex) {
			reply.completeExceptionally(ex);
		}
	}

	private static RedisConnectionFailureException notConnected() {
		return new RedisConnectionFailureException("not connected");
	}

	private RedisFuture<byte[]> dispatch(LettuceChannel channel, CommandType type, byte[] script, byte[][] keys,
			byte[][] arguments, CompletableFuture<byte[]> reply) {
		TimedArguments timed = new TimedArguments(reply, this.silence);
		if (channel.isCluster()) {
			failUnsent(timed, reply);
		}
		RedisFuture<byte[]> command = channel.commands()
			.dispatch(type, new ValueOutput<>(ByteArrayCodec.INSTANCE),
					timed.add(script).add(keys.length).addKeys(keys).addValues(arguments));
		reply.whenComplete((value, failure) -> {
			if (failure != null) {
				command.cancel(true);
			}
		});
		return command;
	}

	/**
	 * A cluster connection keeps calls for a node that is gone, and so their time does
	 * not begin to run.
	 */
	private void failUnsent(TimedArguments arguments, CompletableFuture<byte[]> reply) {
		CompletableFuture.delayedExecutor(this.timeout.toNanos(), TimeUnit.NANOSECONDS, Runnable::run).execute(() -> {
			if (!arguments.areSent()) {
				reply.completeExceptionally(new TimeoutException());
			}
		});
	}

	private void complete(CompletableFuture<byte[]> reply, byte[] value, @Nullable Throwable failure) {
		if (failure != null) {
			reply.completeExceptionally(failure);
		}
		else {
			this.silence.end();
			reply.complete(value);
		}
	}

	@Override
	public void close() {
		this.link.close();
	}

}
