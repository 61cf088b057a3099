package io.github.ratelimit.store.redis;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;

import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisConnectionStateListener;
import org.jspecify.annotations.Nullable;

import org.springframework.data.redis.connection.lettuce.LettuceConnection;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * The Lettuce connection that the whole application shares. Only establishing it blocks,
 * so that is done once, on a thread of its own; from then on Lettuce reconnects by
 * itself.
 */
final class LettuceLink {

	private final LettuceConnectionFactory connections;

	private final Runnable whenBroken;

	private final AtomicReference<@Nullable CompletableFuture<Void>> connecting = new AtomicReference<>();

	private volatile boolean established;

	/**
	 * Create a new link.
	 * @param whenBroken what to do when a connection breaks
	 */
	LettuceLink(LettuceConnectionFactory connections, Runnable whenBroken) {
		this.connections = connections;
		this.whenBroken = whenBroken;
	}

	boolean isEstablished() {
		return this.established;
	}

	/**
	 * The connection, at once.
	 */
	LettuceConnection connection() {
		return (LettuceConnection) this.connections.getConnection();
	}

	/**
	 * Establish the link, unless somebody already does.
	 */
	CompletableFuture<Void> establish() {
		CompletableFuture<Void> mine = new CompletableFuture<>();
		CompletableFuture<Void> running = this.connecting.compareAndExchange(null, mine);
		if (running != null) {
			return running;
		}
		Thread thread = new Thread(() -> establish(mine), "ratelimit-redis-connect");
		thread.setDaemon(true);
		thread.start();
		return mine;
	}

	private void establish(CompletableFuture<Void> result) {
		try {
			connection().close();
			this.connections.getRequiredNativeClient().addListener(new BreakListener());
			this.established = true;
			this.connecting.set(null);
			result.complete(null);
		}
		catch (Throwable ex) {
			this.connecting.set(null);
			result.completeExceptionally(ex);
		}
	}

	private final class BreakListener implements RedisConnectionStateListener {

		@Override
		public void onRedisDisconnected(RedisChannelHandler<?, ?> connection) {
			LettuceLink.this.whenBroken.run();
		}

	}

}
