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

	private final Map<Object, Watched> connections = new ConcurrentHashMap<>();

	private final Consumer<Object> whenBroken;

	LettuceNodes(Consumer<Object> whenBroken) {
		this.whenBroken = whenBroken;
	}

	/**
	 * Return the connection to a node, which is watched when the future completes, and
	 * may fail to be opened. Calls wait for it, since Lettuce reads their timeout when it
	 * sends them.
	 */
	CompletableFuture<StatefulRedisConnection<byte[], byte[]>> watch(LettuceChannel channel, Object node) {
		Watched known = this.connections.get(node);
		if (known == null || !known.serves(channel)) {
			known = this.connections.compute(node,
					(same, latest) -> (latest != null && latest.serves(channel)) ? latest : open(channel, node));
		}
		return known.connection();
	}

	private Watched open(LettuceChannel channel, Object node) {
		return new Watched(channel, channel.connectionTo(node).thenApply((open) -> {
			open.setTimeout(LettuceConnector.REPLY_PATIENCE);
			open.addListener(new RedisConnectionStateListener() {

				@Override
				public void onRedisDisconnected(RedisChannelHandler<?, ?> broken) {
					LettuceNodes.this.whenBroken.accept(node);
				}

			});
			return open;
		}));
	}

	/** Connection to a node, which is part of a cluster connection. */
	private record Watched(LettuceChannel channel,
			CompletableFuture<StatefulRedisConnection<byte[], byte[]>> connection) {

		boolean serves(LettuceChannel current) {
			return this.channel == current && !this.connection.isCompletedExceptionally() && !(this.connection.isDone()
					&& this.connection.join() instanceof RedisChannelHandler<?, ?> known && known.isClosed());
		}

	}

}
