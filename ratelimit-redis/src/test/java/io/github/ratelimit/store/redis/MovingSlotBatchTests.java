package io.github.ratelimit.store.redis;

import java.util.List;

import org.junit.jupiter.api.Test;

import static io.github.ratelimit.store.redis.BatchQueueUnderTest.failure;
import static io.github.ratelimit.store.redis.BatchQueueUnderTest.remaining;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Batches with keys of a hash slot that is moving to another node.
 */
class MovingSlotBatchTests {

	private final BatchQueueUnderTest batches = new BatchQueueUnderTest();

	@Test
	void keysOfAMovingSlotAreSentOneByOneAndThenUntilTheyAreAccepted() {
		List<PendingCall> entered = this.batches.enter("a", "b", "c", "d", "c");
		this.batches.reply(0);
		this.batches.refuse(2);
		assertThat(this.batches.keys()).containsExactly("a", "b", "c d c", "c c", "d");
		this.batches.refuse(3);
		this.batches.reply(4);
		assertThat(remaining(entered.get(3))).isEqualTo(100);
		assertThat(entered.get(2).answer()).isNotDone();
		this.batches.pauses.remove(0).run();
		this.batches.refuse(5);
		this.batches.pauses.remove(0).run();
		assertThat(this.batches.keys()).containsExactly("a", "b", "c d c", "c c", "d", "c c", "c c");
		this.batches.reply(6);
		assertThat(remaining(entered.get(4))).isEqualTo(101);
		assertThat(this.batches.pauses).isEmpty();
	}

	@Test
	void callsThatAMovingSlotRefusesUntilTheirDeadlineShowNoOutage() {
		List<PendingCall> entered = this.batches.enter("a", "b");
		this.batches.refuse(0);
		this.batches.refuse(1);
		assertThat(this.batches.queue.isBusy()).isTrue();
		this.batches.pauses.remove(0).run();
		this.batches.pauses.remove(0).run();
		this.batches.refuse(2);
		assertThat(this.batches.queue.pending()).containsExactlyInAnyOrderElementsOf(entered);
		this.batches.queue.end(100);
		assertThat(entered).allSatisfy((call) -> assertThat(failure(call).reason()).isEqualTo("tryagain"));
		this.batches.pauses.remove(0).run();
		assertThat(this.batches.keys()).containsExactly("a", "b", "a", "b");
		this.batches.reply(3);
		assertThat(this.batches.refunds).hasSize(1);
		assertThat(this.batches.queue.isBusy()).isFalse();
		assertThat(this.batches.pending).hasValue(0);
	}

	@Test
	void callsBehindARefusedOneAreSent() {
		this.batches.enter("a", "b", "c");
		this.batches.refuse(0);
		assertThat(this.batches.keys()).containsExactly("a", "b", "c");
	}

	@Test
	void refusedCallsForWhichThereIsNoTimerFail() {
		this.batches.withoutTimer = true;
		List<PendingCall> entered = this.batches.enter("a");
		this.batches.refuse(0);
		assertThat(entered.get(0).answer()).isCompletedExceptionally();
		assertThat(failure(entered.get(0)).reason()).isEqualTo("tryagain");
		assertThat(this.batches.queue.isBusy()).isFalse();
		assertThat(this.batches.pending).hasValue(0);
	}

}
