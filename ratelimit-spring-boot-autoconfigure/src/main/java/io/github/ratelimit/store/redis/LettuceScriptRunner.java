package io.github.ratelimit.store.redis;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;

import io.lettuce.core.RedisFuture;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import org.jspecify.annotations.Nullable;

import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnection;

/**
 * Runs scripts over the Lettuce connection that the whole application shares,
 * asynchronously. Only establishing it blocks, on a thread of its own; from then on
 * Lettuce reconnects by itself.
 */
final class LettuceScriptRunner implements ScriptRunner {

	private final RedisConnectionFactory connections;

	private final AtomicReference<@Nullable CompletableFuture<Void>> connecting = new AtomicReference<>();

	private volatile boolean connected;

	LettuceScriptRunner(RedisConnectionFactory connections) {
		this.connections = connections;
	}

	@Override
	public CompletableFuture<byte[]> run(Script script, byte[][] keys, byte[][] arguments) {
		CompletableFuture<byte[]> reply = new CompletableFuture<>();
		if (this.connected) {
			send(script, keys, arguments, reply);
			return reply;
		}
		connect().whenComplete((done, failure) -> {
			if (failure != null) {
				reply.completeExceptionally(failure);
			}
			else if (!reply.isDone()) {
				send(script, keys, arguments, reply);
			}
		});
		return reply;
	}

	private CompletableFuture<Void> connect() {
		CompletableFuture<Void> mine = new CompletableFuture<>();
		CompletableFuture<Void> running = this.connecting.compareAndExchange(null, mine);
		if (running != null) {
			return running;
		}
		Thread thread = new Thread(() -> connect(mine), "ratelimit-redis-connect");
		thread.setDaemon(true);
		thread.start();
		return mine;
	}

	private void connect(CompletableFuture<Void> result) {
		try {
			this.connections.getConnection().close();
			this.connected = true;
			this.connecting.set(null);
			result.complete(null);
		}
		catch (Throwable ex) {
			this.connecting.set(null);
			result.completeExceptionally(ex);
		}
	}

	private void send(Script script, byte[][] keys, byte[][] arguments, CompletableFuture<byte[]> reply) {
		try {
			RedisConnection connection = this.connections.getConnection();
			reply.whenComplete((value, failure) -> connection.close());
			RedisClusterAsyncCommands<byte[], byte[]> commands = ((LettuceConnection) connection).getNativeConnection();
			RedisFuture<byte[]> known = commands.evalsha(script.sha(), ScriptOutputType.VALUE, keys, arguments);
			cancelWith(reply, known);
			known.whenComplete((value, failure) -> {
				if (failure != null && ScriptRunner.isUnknownScript(failure)) {
					RedisFuture<byte[]> whole = commands.eval(script.text(), ScriptOutputType.VALUE, keys, arguments);
					cancelWith(reply, whole);
					whole.whenComplete((answer, refusal) -> complete(reply, answer, refusal));
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

	private static void cancelWith(CompletableFuture<byte[]> reply, RedisFuture<byte[]> command) {
		reply.whenComplete((value, failure) -> {
			if (reply.isCancelled()) {
				command.cancel(true);
			}
		});
	}

	private static void complete(CompletableFuture<byte[]> reply, byte[] value, @Nullable Throwable failure) {
		if (failure != null) {
			reply.completeExceptionally(failure);
		}
		else {
			reply.complete(value);
		}
	}

}
