package io.github.ratelimit.store.redis;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;

import io.lettuce.core.AbstractRedisClient;
import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisConnectionStateListener;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.cluster.SlotHash;
import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import io.lettuce.core.cluster.models.partitions.RedisClusterNode;

/**
 * Open Lettuce connection to a server or to a cluster. A broken connection to a server is
 * closed and not reused; in a cluster connection nodes come and go.
 *
 * @param client the client that opened it
 * @param closing whether it is closed, or being closed: it breaks while it is closed, and
 * Lettuce warns of connections that are closed twice
 * @param closed completes when it is closed
 * @param broken completes when the connection to a server breaks
 */
record LettuceChannel(AbstractRedisClient client, StatefulConnection<byte[], byte[]> connection,
		RedisClusterAsyncCommands<byte[], byte[]> commands, AtomicBoolean closing, CompletableFuture<Void> closed,
		CompletableFuture<Void> broken) implements RedisConnectionStateListener {

	LettuceChannel(AbstractRedisClient client, StatefulConnection<byte[], byte[]> connection,
			RedisClusterAsyncCommands<byte[], byte[]> commands) {
		this(client, connection, commands, new AtomicBoolean(), new CompletableFuture<>(), new CompletableFuture<>());
	}

	boolean isCluster() {
		return this.connection instanceof StatefulRedisClusterConnection;
	}

	/**
	 * Return whether calls can be sent to a server. Lettuce would queue them until it has
	 * reconnected. A cluster connection reports the state of its default connection,
	 * which no call with a key uses, and which may be connecting to a server that hangs.
	 */
	boolean isOpen() {
		return this.connection instanceof StatefulRedisClusterConnection || this.connection.isOpen();
	}

	Object ownerOf(byte[] key) {
		StatefulRedisClusterConnection<byte[], byte[]> cluster = (StatefulRedisClusterConnection<byte[], byte[]>) this.connection;
		RedisClusterNode node = cluster.getPartitions().getPartitionBySlot(SlotHash.getSlot(key));
		return (node != null) ? node.getNodeId() : this;
	}

	/**
	 * Return the connection that calls to a node of a cluster use, if it is part of it
	 * still.
	 */
	CompletableFuture<StatefulRedisConnection<byte[], byte[]>> connectionTo(Object node) {
		StatefulRedisClusterConnection<byte[], byte[]> cluster = (StatefulRedisClusterConnection<byte[], byte[]>) this.connection;
		RedisClusterNode known = cluster.getPartitions().getPartitionByNodeId(String.valueOf(node));
		return CompletableFuture.completedFuture(known)
			.thenCompose((found) -> cluster.getConnectionAsync(found.getUri().getHost(), found.getUri().getPort()));
	}

	/** Make a node of a cluster close its connection, which Lettuce opens again. */
	void reconnect(Object node) {
		connectionTo(node).thenAccept((open) -> open.async().quit());
	}

	/**
	 * Run an action when the connection to a server breaks. A connection to a cluster
	 * never breaks as a whole.
	 */
	void whenBroken(Runnable action) {
		if (!isCluster()) {
			this.broken.thenRun(action);
			this.connection.addListener(this);
		}
	}

	@Override
	public void onRedisDisconnected(RedisChannelHandler<?, ?> handler) {
		this.broken.complete(null);
		close();
	}

	/** Close the connection, unless the client has closed it at its own shutdown. */
	CompletableFuture<Void> close() {
		if (this.closing.compareAndSet(false, true)) {
			if (this.connection instanceof RedisChannelHandler<?, ?> known && known.isClosed()) {
				this.closed.complete(null);
			}
			else {
				this.connection.closeAsync().whenComplete((done, failure) -> this.closed.complete(null));
			}
		}
		return this.closed;
	}

}
