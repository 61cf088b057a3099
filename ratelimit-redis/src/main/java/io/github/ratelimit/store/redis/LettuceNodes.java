package io.github.ratelimit.store.redis;

import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisConnectionStateListener;
import io.lettuce.core.api.StatefulRedisConnection;

/**
 * Connections of a Lettuce cluster connection to its nodes. Lettuce resends the
 * unanswered calls of a broken one, as soon as it is connected again; the calls of a node
 * that is dead would wait for that until their timeout. Events of the client do not name
 * the connection, so the one to each node is listened to. A redirected call goes over
 * another one, and watches itself, see {@link TimedArguments}.
 */
final class LettuceNodes {

	private final Map<Object, CompletableFuture<StatefulRedisConnection<byte[], byte[]>>> connections = new ConcurrentHashMap<>();

	private final Consumer<Object> whenBroken;

	LettuceNodes(Consumer<Object> whenBroken) {
		this.whenBroken = whenBroken;
	}

	/** Watch the connection to a node that a call was just sent to. */
	void watch(LettuceChannel channel, Object node) {
		CompletableFuture<StatefulRedisConnection<byte[], byte[]>> known = this.connections.get(node);
		if (known == null || isLost(known)) {
			CompletableFuture<StatefulRedisConnection<byte[], byte[]>> connection = channel.connectionTo(node);
			boolean isNew = (known == null) ? this.connections.putIfAbsent(node, connection) == null
					: this.connections.replace(node, known, connection);
			if (isNew) {
				connection.thenAccept((open) -> {
					open.setTimeout(LettuceConnector.REPLY_PATIENCE);
					open.addListener(new Listener(node));
				});
			}
		}
	}

	private static boolean isLost(CompletableFuture<StatefulRedisConnection<byte[], byte[]>> connection) {
		return connection.isCompletedExceptionally() || (connection.isDone()
				&& connection.join() instanceof RedisChannelHandler<?, ?> known && known.isClosed());
	}

	private final class Listener implements RedisConnectionStateListener {

		private final Object node;

		Listener(Object node) {
			this.node = node;
		}

		@Override
		public void onRedisDisconnected(RedisChannelHandler<?, ?> broken) {
			LettuceNodes.this.whenBroken.accept(this.node);
		}

	}

}
