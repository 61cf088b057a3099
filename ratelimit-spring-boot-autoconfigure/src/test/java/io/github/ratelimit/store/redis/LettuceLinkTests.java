package io.github.ratelimit.store.redis;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import org.junit.jupiter.api.Test;

import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Connection that cannot be opened.
 */
class LettuceLinkTests {

	private final List<Runnable> attempts = new ArrayList<>();

	private Error failure;

	private final LettuceLink link = new LettuceLink(new LettuceConnectionFactory(), Duration.ofSeconds(1), () -> {
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
	void attemptsThatAreUnderWayAreOne() {
		assertThat(this.link.open()).isSameAs(this.link.open());
		assertThat(this.attempts).hasSize(1);
	}

}
