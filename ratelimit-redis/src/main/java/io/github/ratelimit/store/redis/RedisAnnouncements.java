package io.github.ratelimit.store.redis;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

import org.springframework.core.NestedExceptionUtils;
import org.springframework.data.redis.connection.Message;
import org.springframework.data.redis.connection.MessageListener;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.Subscription;
import org.springframework.data.redis.connection.SubscriptionListener;

/**
 * Subscription to channels, on a connection and a thread of its own. It subscribes again
 * when the connection is lost; messages in between are missed. A subscription that Redis
 * refuses is repeated after a minute, in case an operator permits it.
 */
final class RedisAnnouncements implements AutoCloseable, MessageListener, SubscriptionListener {

	static final String NAME = "ratelimit-announcements";

	private static final Logger logger = System.getLogger(RedisAnnouncements.class.getName());

	private static final int ATTEMPTS_TO_CLOSE = 20;

	private static final int PAUSE_MILLIS = 50;

	private static final Duration SHORTEST_PAUSE = Duration.ofSeconds(1);

	private static final Duration LONGEST_PAUSE = Duration.ofMinutes(1);

	private final Supplier<RedisConnection> connections;

	private final String refused;

	private final MessageListener heard;

	private final byte[][] channels;

	private final CountDownLatch closed = new CountDownLatch(1);

	private volatile @Nullable Thread listener;

	/** Ends the subscription, if the thread is blocked in it. */
	private volatile @Nullable Runnable stop;

	/**
	 * Pause after the current attempt. It grows while connections are open but are not
	 * subscribed, as those of a proxy without channels.
	 */
	private volatile Duration pause = SHORTEST_PAUSE;

	private boolean refusalLogged;

	RedisAnnouncements(Supplier<RedisConnection> connections, String refused, MessageListener heard,
			byte[]... channels) {
		this.connections = connections;
		this.refused = refused;
		this.heard = heard;
		this.channels = channels;
	}

	void listen() {
		this.listener = Scheduler.onNewThread(this::listenUntilClosed, NAME);
	}

	private void listenUntilClosed() {
		try {
			do {
				subscribe();
			}
			while (!this.closed.await(this.pause.toMillis(), TimeUnit.MILLISECONDS));
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	/**
	 * Subscribe until the subscription ends. Jedis blocks in {@code subscribe}, Lettuce
	 * does not.
	 */
	private void subscribe() throws InterruptedException {
		Duration doubled = this.pause.multipliedBy(2);
		this.pause = SHORTEST_PAUSE;
		try (RedisConnection borrowed = this.connections.get()) {
			this.pause = (doubled.compareTo(LONGEST_PAUSE) < 0) ? doubled : LONGEST_PAUSE;
			JedisClient jedis = ScriptRunnerFactory.jedisBehind(borrowed);
			if (jedis == null) {
				subscribe(borrowed, () -> unsubscribe(borrowed));
				return;
			}
			try (RedisConnection connection = jedis.listener()) {
				subscribe(connection, connection::close);
			}
		}
		catch (RuntimeException ex) {
			failed(ex);
		}
		finally {
			this.stop = null;
		}
	}

	private void subscribe(RedisConnection connection, Runnable end) throws InterruptedException {
		this.stop = end;
		if (this.closed.getCount() == 0) {
			return;
		}
		connection.subscribe(this, this.channels);
		this.pause = SHORTEST_PAUSE;
		this.stop = null;
		while (connection.isSubscribed() && !this.closed.await(1, TimeUnit.SECONDS)) {
			// Lettuce keeps listening by itself
		}
	}

	/**
	 * Warn once of an error that needs a remedy. Temporary errors are reported by the
	 * calls that they affect.
	 */
	private void failed(RuntimeException failure) {
		RedisError error = RedisError.of(failure);
		if (error != null && !error.isOutage()) {
			this.pause = LONGEST_PAUSE;
		}
		String message = String.valueOf(NestedExceptionUtils.getMostSpecificCause(failure).getMessage())
			.replaceFirst("\\.$", "");
		if (error != null && error.remedy() != null && !this.refusalLogged) {
			this.refusalLogged = true;
			logger.log(Level.WARNING, this.refused + ": it " + ((error == RedisError.NOPERM) ? "may not" : "cannot")
					+ " listen to the channel " + names() + " (" + message + "). " + error.remedy());
		}
		else {
			logger.log(Level.DEBUG, "Nothing is announced on {0} at the moment: {1}", names(), message);
		}
	}

	Duration pause() {
		return this.pause;
	}

	private String names() {
		return Arrays.stream(this.channels)
			.map((channel) -> '"' + new String(channel, StandardCharsets.UTF_8) + '"')
			.collect(Collectors.joining(", "));
	}

	/**
	 * Stop listening, and wait until the connection is closed: a client that is shut down
	 * in the meantime would close it twice. A thread that is about to subscribe has no
	 * subscription yet that could be closed, and one that connects to a server that does
	 * not answer is interrupted.
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
				Runnable end = this.stop;
				if (end != null) {
					end.run();
				}
				else if (i == ATTEMPTS_TO_CLOSE / 2) {
					thread.interrupt();
				}
				thread.join(PAUSE_MILLIS);
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	private static void unsubscribe(RedisConnection connection) {
		Subscription subscription = connection.getSubscription();
		if (subscription != null) {
			try {
				subscription.close();
			}
			catch (RuntimeException ex) {
				logger.log(Level.DEBUG, "Could not stop listening", ex);
			}
		}
	}

	@Override
	public void onChannelSubscribed(byte[] channel, long count) {
		this.pause = SHORTEST_PAUSE;
	}

	@Override
	public void onMessage(Message message, byte @Nullable [] pattern) {
		this.heard.onMessage(message, pattern);
	}

}
