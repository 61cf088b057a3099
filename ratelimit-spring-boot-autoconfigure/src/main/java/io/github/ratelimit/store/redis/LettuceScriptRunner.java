package io.github.ratelimit.store.redis;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

import io.lettuce.core.RedisFuture;
import io.lettuce.core.api.async.RedisAsyncCommands;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.output.ValueOutput;
import io.lettuce.core.protocol.CommandType;
import org.jspecify.annotations.Nullable;

import org.springframework.data.redis.RedisConnectionFailureException;
import org.springframework.data.redis.connection.lettuce.LettuceConnection;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * Runs scripts over the Lettuce connection that the whole application shares,
 * asynchronously.
 *
 * <p>
 * Left alone, Lettuce would keep calls while it is disconnected and send again whatever
 * was not answered, perhaps to be counted twice. So a call fails at once when there is no
 * connection, and when the connection breaks under it.
 */
final class LettuceScriptRunner implements ScriptRunner {

	private final LettuceLink link;

	private final Duration timeout;

	private final Silence silence;

	private final Set<CompletableFuture<byte[]>> underWay = ConcurrentHashMap.newKeySet();

	LettuceScriptRunner(LettuceConnectionFactory connections, Duration timeout) {
		this.link = new LettuceLink(connections, this::failAll);
		this.timeout = timeout;
		this.silence = new Silence(timeout);
	}

	private void failAll() {
		for (CompletableFuture<byte[]> reply : List.copyOf(this.underWay)) {
			reply.completeExceptionally(
					new RedisConnectionFailureException("the connection broke before the reply came"));
		}
	}

	@Override
	public CompletableFuture<Void> connect() {
		return this.link.establish();
	}

	@Override
	public CompletableFuture<byte[]> run(Script script, byte[][] keys, byte[][] arguments) {
		CompletableFuture<byte[]> reply = new CompletableFuture<>();
		if (this.link.isEstablished()) {
			send(script, keys, arguments, reply);
			return reply;
		}
		reply.orTimeout(this.timeout.toNanos(), TimeUnit.NANOSECONDS);
		this.link.establish().whenComplete((done, failure) -> {
			if (failure != null) {
				reply.completeExceptionally(failure);
			}
			else if (!reply.isDone()) {
				send(script, keys, arguments, reply);
			}
		});
		return reply;
	}

	private void send(Script script, byte[][] keys, byte[][] arguments, CompletableFuture<byte[]> reply) {
		try {
			LettuceConnection connection = this.link.connection();
			this.underWay.add(reply);
			reply.whenComplete((value, failure) -> {
				this.underWay.remove(reply);
				connection.close();
			});
			RedisClusterAsyncCommands<byte[], byte[]> commands = connection.getNativeConnection();
			if (isDisconnected(commands)) {
				throw new RedisConnectionFailureException("not connected");
			}
			byte[] sha = script.sha().getBytes(StandardCharsets.US_ASCII);
			dispatch(commands, CommandType.EVALSHA, sha, keys, arguments, reply).whenComplete((value, failure) -> {
				if (failure != null && ScriptRunner.isUnknownScript(failure)) {
					byte[] text = script.text().getBytes(StandardCharsets.UTF_8);
					dispatch(commands, CommandType.EVAL, text, keys, arguments, reply)
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

	@SuppressWarnings("deprecation") // Spring Data gives no other way to ask the
										// connection
	private static boolean isDisconnected(RedisClusterAsyncCommands<byte[], byte[]> commands) {
		return commands instanceof RedisAsyncCommands<byte[], byte[]> standalone
				&& !standalone.getStatefulConnection().isOpen();
	}

	private RedisFuture<byte[]> dispatch(RedisClusterAsyncCommands<byte[], byte[]> commands, CommandType type,
			byte[] script, byte[][] keys, byte[][] arguments, CompletableFuture<byte[]> reply) {
		RedisFuture<byte[]> command = commands.dispatch(type, new ValueOutput<>(ByteArrayCodec.INSTANCE),
				new TimedArguments(reply, this.silence).add(script)
					.add(keys.length)
					.addKeys(keys)
					.addValues(arguments));
		reply.whenComplete((value, failure) -> {
			if (failure != null) {
				command.cancel(true);
			}
		});
		return command;
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

}
