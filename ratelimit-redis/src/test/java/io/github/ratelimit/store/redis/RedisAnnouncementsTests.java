package io.github.ratelimit.store.redis;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

import org.junit.jupiter.api.Test;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.exceptions.JedisDataException;

import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.Subscription;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.BDDMockito.given;
import static org.mockito.BDDMockito.willAnswer;
import static org.mockito.BDDMockito.willThrow;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.timeout;
import static org.mockito.Mockito.verify;

/**
 * Announcements by a client that blocks in {@code subscribe}, as Jedis does, closed while
 * the thread is about to subscribe.
 */
class RedisAnnouncementsTests {

	private final RedisConnectionFactory connections = mock();

	private final RedisConnection connection = mock();

	private final CountDownLatch reached = new CountDownLatch(1);

	private final CountDownLatch released = new CountDownLatch(1);

	private final RedisAnnouncements announcements = new RedisAnnouncements(this.connections::getConnection, "",
			(message, pattern) -> {
			}, new byte[0]);

	@Test
	void threadThatConnectsWhenItIsClosedDoesNotSubscribe() throws InterruptedException {
		CompletableFuture<RedisConnection> opened = new CompletableFuture<>();
		given(this.connections.getConnection()).willAnswer((call) -> {
			this.reached.countDown();
			return opened.join();
		});
		this.announcements.listen();
		this.reached.await();
		this.announcements.close();
		opened.complete(this.connection);
		verify(this.connection, timeout(10_000)).close();
		verify(this.connection, never()).subscribe(any(), any(byte[].class));
	}

	@Test
	void threadThatConnectsIsInterruptedWhenItIsClosed() throws InterruptedException {
		AtomicReference<Thread> connecting = new AtomicReference<>();
		given(this.connections.getConnection()).willAnswer((call) -> {
			connecting.set(Thread.currentThread());
			this.reached.countDown();
			this.released.await();
			return this.connection;
		});
		this.announcements.listen();
		this.reached.await();
		this.announcements.close();
		await().until(() -> !connecting.get().isAlive());
	}

	@Test
	void subscriptionThatCannotBeClosedYetIsClosedSoon() throws InterruptedException {
		AtomicInteger attempts = new AtomicInteger();
		Subscription subscription = mock();
		given(this.connections.getConnection()).willReturn(this.connection);
		given(this.connection.getSubscription()).willReturn(subscription);
		willAnswer((call) -> {
			if (attempts.incrementAndGet() == 1) {
				throw new IllegalStateException("not subscribed yet");
			}
			this.released.countDown();
			return null;
		}).given(subscription).close();
		willAnswer((call) -> {
			this.reached.countDown();
			this.released.await();
			return null;
		}).given(this.connection).subscribe(any(), any(byte[].class));
		this.announcements.listen();
		this.reached.await();
		this.announcements.close();
		verify(this.connection, timeout(10_000)).close();
		assertThat(attempts).hasValueGreaterThanOrEqualTo(2);
	}

	@Test
	void refusedSubscriptionIsRepeatedAfterAMinute() {
		given(this.connections.getConnection()).willReturn(this.connection);
		willThrow(new JedisDataException("NOPERM this user has no permissions")).given(this.connection)
			.subscribe(any(), any(byte[].class));
		this.announcements.listen();
		await().until(() -> this.announcements.pause().equals(Duration.ofMinutes(1)));
		this.announcements.close();
	}

	@Test
	void connectionThatIsNotSubscribedIsTriedAgainAfterALongerPause() {
		given(this.connections.getConnection()).willReturn(this.connection);
		willThrow(new JedisConnectionException("closed")).given(this.connection).subscribe(any(), any(byte[].class));
		this.announcements.listen();
		await().until(() -> this.announcements.pause().equals(Duration.ofSeconds(2)));
		this.announcements.close();
	}

}
