package io.github.ratelimit.store.redis;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

import org.springframework.core.NestedExceptionUtils;
import org.springframework.data.redis.connection.MessageListener;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.Subscription;

/**
 * Subscription to channels, on a connection and a thread of its own. It subscribes again
 * when the connection is lost; messages in between are missed.
 */
final class RedisAnnouncements implements AutoCloseable {

	static final String NAME = "ratelimit-announcements";

	private static final Logger logger = System.getLogger(RedisAnnouncements.class.getName());

	private static final int ATTEMPTS_TO_CLOSE = 20;

	private static final int PAUSE_MILLIS = 50;

	private final RedisConnectionFactory connections;

	private final String refused;

	private final byte[][] channels;

	private final CountDownLatch closed = new CountDownLatch(1);

	private volatile @Nullable Thread listener;

	/**
	 * Connection on which the thread listens.
	 */
	private volatile @Nullable RedisConnection occupied;

	private boolean refusalLogged;

	/**
	 * Create a new subscription.
	 * @param connections the connections to listen on
	 * @param refused the consequence if Redis refuses the subscription, for a warning
	 * @param channels the channels
	 */
	RedisAnnouncements(RedisConnectionFactory connections, String refused, byte[]... channels) {
		this.connections = connections;
		this.refused = refused;
		this.channels = channels;
	}

	/**
	 * Start to listen.
	 * @param heard gets each message
	 */
	void listen(MessageListener heard) {
		Thread thread = new Thread(() -> listenUntilClosed(heard), NAME);
		thread.setDaemon(true);
		this.listener = thread;
		thread.start();
	}

	private void listenUntilClosed(MessageListener heard) {
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
	private void subscribe(MessageListener heard) throws InterruptedException {
		try (RedisConnection connection = this.connections.getConnection()) {
			this.occupied = connection;
			if (this.closed.getCount() == 0) {
				return;
			}
			connection.subscribe(heard, this.channels);
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
			logger.log(Level.WARNING, this.refused + ": it " + ((error == RedisError.NOPERM) ? "may not" : "cannot")
					+ " listen to the channel " + names() + " (" + message + "). " + error.remedy());
		}
		else {
			logger.log(Level.DEBUG, "Nothing is announced on {0} at the moment: {1}", names(), message);
		}
	}

	private String names() {
		return Arrays.stream(this.channels)
			.map((channel) -> '"' + new String(channel, StandardCharsets.UTF_8) + '"')
			.collect(Collectors.joining(", "));
	}

	/**
	 * Stop listening, and wait until the connection is closed: a client that is shut down
	 * in the meantime would close it twice. A thread that is about to subscribe has no
	 * subscription yet that could be closed.
	 */
	@Override
	public void close() {
		if (this.closed.getCount() == 0) {
			return;
		}
		this.closed.countDown();
		Thread thread = this.listener;
		try {
			for (int i = 0; i < ATTEMPTS_TO_CLOSE && thread != null && thread.isAlive(); i++) {
				unsubscribe();
				thread.join(PAUSE_MILLIS);
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	private void unsubscribe() {
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
	}

}
