package io.github.ratelimit.store.redis;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;

import org.junit.jupiter.api.Test;

import io.github.ratelimit.store.Correction;
import io.github.ratelimit.store.Demand;

import static io.github.ratelimit.store.redis.BatchQueueUnderTest.failure;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Units of calls that have ended before their batch was answered are refunded.
 */
class BatchRefundTests {

	private final BatchQueueUnderTest batches = new BatchQueueUnderTest();

	@Test
	void unitsOfCallsThatHaveEndedAreRefundedTogether() {
		List<PendingCall> entered = this.batches.enter("a", "b", "c", "d", "e");
		this.batches.reply(0);
		entered.get(2).answer().cancel(true);
		this.batches.queue.end(100);
		this.batches.reply(2);
		assertThat(this.batches.refunds).extracting((refund) -> refund.demand().key().text())
			.containsExactly("c", "d", "e");
		assertThat(this.batches.refunds).extracting(Correction::countedAt).containsOnly(1L);
	}

	@Test
	void callThatIsAnsweredInTimeOrDeniedIsNotRefunded() {
		List<PendingCall> entered = this.batches.enter("a", "b");
		this.batches.reply(0);
		entered.get(1).answer().cancel(true);
		this.batches.replies.get(1)
			.complete(ByteBuffer.allocate(8 + 24).putLong(1).putLong(0).putLong(5_000).putLong(5_000).array());
		assertThat(this.batches.refunds).isEmpty();
	}

	@Test
	void replyThatComesAfterItsBatchWasGivenUpIsRefunded() {
		List<PendingCall> entered = this.batches.enter("a", "b", "c", "d");
		this.batches.reply(0);
		this.batches.replies.get(2).completeExceptionally(new TimeoutException());
		assertThat(failure(entered.get(2)).reason()).isEqualTo("timeout");
		assertThat(this.batches.refunds).isEmpty();
		this.batches.late.get(2).accept(BatchQueueUnderTest.reply("c", "d"));
		assertThat(this.batches.refunds).extracting((refund) -> refund.demand().key().text()).containsExactly("c", "d");
	}

	@Test
	void callsThatOnlyPeekAreNotRefunded() {
		PendingCall peek = PendingCall.of(new Demand(BatchQueueUnderTest.RULE, "a", 0),
				RedisUnderTest.keys("test").encoded(CallerClock.of(() -> 0), 1), 100, new CompletableFuture<>(), null);
		this.batches.enter(peek);
		peek.answer().cancel(true);
		this.batches.reply(0);
		assertThat(this.batches.refunds).isEmpty();
	}

}
