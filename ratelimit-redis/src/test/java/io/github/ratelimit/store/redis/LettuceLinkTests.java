package io.github.ratelimit.store.redis;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisConnectionStateListener;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.async.RedisAsyncCommands;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.mockito.ArgumentCaptor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.timeout;
import static org.mockito.Mockito.verify;

/**
 * Connection that cannot be opened.
 */
class LettuceLinkTests {

	private final List<Runnable> attempts = new ArrayList<>();

	private Error failure;

	private final LettuceLink link = new LettuceLink(
			(old) -> CompletableFuture.failedFuture(new IllegalStateException("refused")), Duration.ofSeconds(10),
			Duration.ofSeconds(1), () -> {
			}, this::execute);

	private void execute(Runnable attempt) {
		if (this.failure != null) {
			throw this.failure;
		}
		this.attempts.add(attempt);
	}

	@Test
	void attemptForWhichThereIsNoThreadIsFollowedByTheNextOne() {
		this.failure = new OutOfMemoryError("unable to create native thread");
		assertThat(this.link.open()).isCompletedExceptionally();
		this.failure = null;
		CompletableFuture<Void> next = this.link.open();
		assertThat(this.attempts).hasSize(1);
		this.attempts.get(0).run();
		assertThat(next).isCompletedExceptionally();
		this.link.open();
		assertThat(this.attempts).hasSize(2);
	}

	@Test
	void attemptThatTakesTooLongIsFollowedByTheNextOne() {
		Attempts slow = new Attempts(Duration.ofMillis(10));
		assertThat(slow.link.open()).failsWithin(Duration.ofSeconds(10))
			.withThrowableThat()
			.withMessageContaining("not connected within 10 ms");
		slow.link.open();
		await().until(() -> slow.begun.size() == 2);
	}

	@Test
	void abandonedAttemptIsUsedIfItSucceedsFirst() {
		Attempts slow = new Attempts(Duration.ofMillis(10));
		slow.fail();
		slow.fail();
		slow.begun.get(0).complete(slow.first);
		slow.awaitChannel(slow.first);
		slow.begun.get(1).complete(slow.second);
		verify(slow.second.connection(), timeout(60_000)).closeAsync();
	}

	@Test
	void abandonedAttemptIsClosedIfALaterOneWasFaster() {
		Attempts slow = new Attempts(Duration.ofMillis(10));
		slow.fail();
		slow.fail();
		slow.begun.get(1).complete(slow.second);
		slow.awaitChannel(slow.second);
		slow.begun.get(0).complete(slow.first);
		verify(slow.first.connection(), timeout(60_000)).closeAsync();
	}

	@Test
	void connectionIsUsedIfTheOneBeforeBreaksMeanwhile() {
		Attempts attempts = new Attempts(Duration.ofSeconds(10));
		attempts.begin(1);
		attempts.begun.get(0).complete(attempts.first);
		attempts.awaitChannel(attempts.first);
		attempts.begin(2);
		ArgumentCaptor<RedisConnectionStateListener> listener = ArgumentCaptor.captor();
		verify(attempts.first.connection()).addListener(listener.capture());
		listener.getValue().onRedisDisconnected(mock());
		assertThat(attempts.link.channel()).isNull();
		attempts.begun.get(1).complete(attempts.second);
		attempts.awaitChannel(attempts.second);
	}

	@Test
	void abandonedAttemptIsClosedIfTheLinkIsClosed() {
		Attempts slow = new Attempts(Duration.ofMillis(10));
		slow.fail();
		slow.link.close();
		slow.begun.get(0).complete(slow.first);
		verify(slow.first.connection(), timeout(60_000)).closeAsync();
		slow.awaitChannel(null);
	}

	/**
	 * Lettuce completes an attempt on the event loop that also closes its connection.
	 */
	@Test
	void threadThatConnectsDoesNotWaitUntilAClosedLinkHasClosedTheConnection() {
		Attempts slow = new Attempts(Duration.ofMillis(10));
		given(slow.first.connection().closeAsync()).willReturn(new CompletableFuture<>());
		slow.fail();
		slow.link.close();
		slow.begun.get(0).complete(slow.first);
		assertThat(slow.first.closed()).isNotDone();
		verify(slow.first.connection(), timeout(60_000)).closeAsync();
	}

	@Test
	void attemptsThatAreUnderWayAreOne() {
		assertThat(this.link.open()).isSameAs(this.link.open());
		assertThat(this.attempts).hasSize(1);
	}

	@Test
	void redirectedCallsRefreshTheTopologyOnceAndAgainLater() {
		this.link.redirected();
		this.link.redirected();
		assertThat(this.attempts).hasSize(1);
		this.attempts.get(0).run();
		await().until(() -> {
			this.link.redirected();
			return this.attempts.size() == 2;
		});
	}

	/**
	 * Attempts that end when a test says so.
	 */
	private static final class Attempts {

		private final List<CompletableFuture<LettuceChannel>> begun = new CopyOnWriteArrayList<>();

		private final LettuceChannel first = channel();

		private final LettuceChannel second = channel();

		private final LettuceLink link;

		Attempts(Duration longest) {
			this.link = new LettuceLink((old) -> begin(), longest, Duration.ofSeconds(1), () -> {
			}, (attempt) -> new Thread(attempt).start());
		}

		private CompletableFuture<LettuceChannel> begin() {
			CompletableFuture<LettuceChannel> attempt = new CompletableFuture<>();
			this.begun.add(attempt);
			return attempt;
		}

		void begin(int attempt) {
			await().until(() -> {
				this.link.open();
				return this.begun.size() == attempt;
			});
		}

		void fail() {
			int attempt = this.begun.size() + 1;
			assertThat(this.link.open()).failsWithin(Duration.ofSeconds(10));
			await().until(() -> this.begun.size() == attempt);
		}

		void awaitChannel(@Nullable LettuceChannel expected) {
			await().until(() -> this.link.channel() == expected);
		}

		@SuppressWarnings("unchecked")
		private static LettuceChannel channel() {
			StatefulRedisConnection<byte[], byte[]> connection = mock();
			given(connection.closeAsync()).willReturn(CompletableFuture.completedFuture(null));
			return new LettuceChannel(mock(RedisClient.class), connection, mock(RedisAsyncCommands.class));
		}

	}

}
