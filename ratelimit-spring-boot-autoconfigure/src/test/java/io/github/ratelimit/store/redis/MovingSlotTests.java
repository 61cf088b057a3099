package io.github.ratelimit.store.redis;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

import io.lettuce.core.RedisCommandExecutionException;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link MovingSlot}.
 */
class MovingSlotTests {

	private static final Duration PATIENCE = Duration.ofSeconds(30);

	private final AtomicInteger sent = new AtomicInteger();

	@Test
	void refusedScriptIsRepeated() {
		assertThat(MovingSlot
			.run(() -> (this.sent.incrementAndGet() < 3) ? failed("TRYAGAIN Multiple keys") : replied(), PATIENCE))
			.succeedsWithin(PATIENCE);
		assertThat(this.sent).hasValue(3);
	}

	@Test
	void scriptThatIsRefusedForTooLongFails() {
		assertThat(MovingSlot.run(this::refused, MovingSlot.PAUSE.multipliedBy(3))).failsWithin(PATIENCE);
		assertThat(this.sent).hasValue(4);
	}

	@Test
	void otherFailureIsNotRepeated() {
		assertThat(MovingSlot.run(() -> {
			this.sent.incrementAndGet();
			return failed("READONLY no");
		}, PATIENCE)).isCompletedExceptionally();
		assertThat(this.sent).hasValue(1);
	}

	private CompletableFuture<byte[]> refused() {
		this.sent.incrementAndGet();
		return failed("TRYAGAIN Multiple keys");
	}

	private static CompletableFuture<byte[]> failed(String reply) {
		return CompletableFuture.failedFuture(new RedisCommandExecutionException(reply));
	}

	private static CompletableFuture<byte[]> replied() {
		return CompletableFuture.completedFuture(new byte[0]);
	}

}
