package io.github.ratelimit.store.redis;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;

import org.springframework.core.NestedExceptionUtils;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.Subscription;

/**
 * Subscription to a channel, on a connection and a thread of its own. It subscribes again
 * when the connection is lost; messages in between are missed.
 */
final class RedisAnnouncements implements AutoCloseable {

	static final String NAME = "ratelimit-announcements";

	private static final Logger logger = System.getLogger(RedisAnnouncements.class.getName());

	private final RedisConnectionFactory connections;

	private final byte[] channel;

	private final CountDownLatch closed = new CountDownLatch(1);

	private volatile @Nullable Thread listener;

	/**
	 * Connection on which the thread listens.
	 */
	private volatile @Nullable RedisConnection occupied;

	private boolean refusalLogged;

	RedisAnnouncements(RedisConnectionFactory connections, byte[] channel) {
		this.connections = connections;
		this.channel = channel;
	}

	/**
	 * Start to listen.
	 * @param heard runs for each message
	 */
	void listen(Runnable heard) {
		Thread thread = new Thread(() -> listenUntilClosed(heard), NAME);
		thread.setDaemon(true);
		this.listener = thread;
		thread.start();
	}

	private void listenUntilClosed(Runnable heard) {
		try {
			do {
				subscribe(heard);
			}
			while (!this.closed.await(1, TimeUnit.SECONDS));
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	/**
	 * Subscribe until the subscription ends. Jedis blocks in {@code subscribe}, Lettuce
	 * does not.
	 */
	private void subscribe(Runnable heard) throws InterruptedException {
		try (RedisConnection connection = this.connections.getConnection()) {
			this.occupied = connection;
			connection.subscribe((message, pattern) -> heard.run(), this.channel);
			this.occupied = null;
			while (connection.isSubscribed() && !this.closed.await(1, TimeUnit.SECONDS)) {
				// Lettuce keeps listening by itself, even after it has reconnected
			}
		}
		catch (RuntimeException ex) {
			failed(ex);
		}
		finally {
			this.occupied = null;
		}
	}

	/**
	 * Warn once of an error that needs a remedy. Temporary errors are reported by the
	 * calls that they affect.
	 */
	private void failed(RuntimeException failure) {
		RedisError error = RedisError.of(failure);
		String message = NestedExceptionUtils.getMostSpecificCause(failure).getMessage();
		if (error != null && error.remedy() != null && !this.refusalLogged) {
			this.refusalLogged = true;
			logger.log(Level.WARNING,
					"Redis does not notify this instance when rate limit rules are changed at run time, so it sees "
							+ "changes a little later: it " + ((error == RedisError.NOPERM) ? "may not" : "cannot")
							+ " listen to the channel \"" + new String(this.channel, StandardCharsets.UTF_8) + "\" ("
							+ message + "). " + error.remedy());
		}
		else {
			logger.log(Level.DEBUG, "Changes of rules are not announced at the moment: {0}", message);
		}
	}

	/**
	 * Stop listening, and wait until the connection is closed: a client that is shut down
	 * in the meantime would close it twice.
	 */
	@Override
	public void close() {
		if (this.closed.getCount() == 0) {
			return;
		}
		this.closed.countDown();
		RedisConnection connection = this.occupied;
		Subscription subscription = (connection != null) ? connection.getSubscription() : null;
		if (subscription != null) {
			try {
				subscription.close();
			}
			catch (RuntimeException ex) {
				logger.log(Level.DEBUG, "Could not stop listening", ex);
			}
		}
		awaitEnd(this.listener);
	}

	private static void awaitEnd(@Nullable Thread thread) {
		try {
			if (thread != null) {
				thread.join(TimeUnit.SECONDS.toMillis(1));
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

}
