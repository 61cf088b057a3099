package io.github.ratelimit.store.redis;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

import org.junit.jupiter.api.Test;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.Limit;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.LimitOutcome;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Replies read call by call. A bucket of 100 refills 7 units per second, so 2, 4 and 6
 * missing ones in 285,714.3, 571,428.6 and 857,142.9 microseconds.
 */
class ReplyTests {

	private static final long TIME = 1_700_000_000_000_000L;

	private static final Demand DEMAND = new Demand(RateLimitRule.named("rule")
		.limit(Limit.of(7, Duration.ofSeconds(1)).withAlgorithm(Algorithm.TOKEN_BUCKET).withBurst(100))
		.build(), "key", 2);

	private final ByteBuffer bytes = ByteBuffer.allocate(1_000).putLong(TIME);

	@Test
	void answersOfARowFollowFromThatOfItsLastCall() {
		row(3);
		countOfRow(2, 94, 0, 857_143, 7, 1_000_000, 1);
		Reply reply = reply();
		assertThat(outcome(reply)).isEqualTo(new LimitOutcome(98, 0, 285_715));
		assertThat(outcome(reply)).isEqualTo(new LimitOutcome(96, 0, 571_429));
		assertThat(outcome(reply)).isEqualTo(new LimitOutcome(94, 0, 857_143));
	}

	@Test
	void eachCountOfARowHasItsOwnOutcome() {
		row(2);
		countOfRow(1, 5, 0, 60_000_000, 1, 0, 0);
		countOfRow(1, 98, 0, 285_715, 7, 1_000_000, 5);
		Reply reply = reply();
		assertThat(reply.nextCall()).isNull();
		assertThat(reply.nextOutcome(DEMAND)).isEqualTo(new LimitOutcome(6, 0, 60_000_000));
		assertThat(reply.nextOutcome(DEMAND)).isEqualTo(new LimitOutcome(99, 0, 142_858));
		assertThat(reply.nextCall()).isNull();
		assertThat(reply.nextOutcome(DEMAND)).isEqualTo(new LimitOutcome(5, 0, 60_000_000));
		assertThat(reply.nextOutcome(DEMAND)).isEqualTo(new LimitOutcome(98, 0, 285_715));
	}

	@Test
	void unitsOfAStateThatIsAheadAreNotResetBeforeIt() {
		row(2);
		countOfRow(4, 94, 20_000, 285_715, 7, 1_000_000, 5);
		Reply reply = reply();
		assertThat(outcome(reply)).isEqualTo(new LimitOutcome(98, 0, 20_000));
		assertThat(outcome(reply)).isEqualTo(new LimitOutcome(94, 0, 305_715));
	}

	@Test
	void singleAndFailedCallsStandBesideRows() {
		this.bytes.putLong(3).putLong(0).putLong(9);
		row(2);
		countOfRow(1, 1, 0, 10, 1, 0, 0);
		byte[] message = "WRONGTYPE".getBytes(StandardCharsets.UTF_8);
		this.bytes.putLong(-1).putLong(message.length).put(message);
		this.bytes.putLong(0).putLong(-1).putLong(8);
		Reply reply = reply();
		assertThat(reply.time()).isEqualTo(TIME);
		assertThat(outcome(reply)).isEqualTo(new LimitOutcome(3, 0, 9));
		assertThat(outcome(reply)).isEqualTo(new LimitOutcome(2, 0, 10));
		assertThat(outcome(reply)).isEqualTo(new LimitOutcome(1, 0, 10));
		assertThat(reply.nextCall()).hasMessage("WRONGTYPE");
		assertThat(outcome(reply)).isEqualTo(new LimitOutcome(0, -1, 8));
	}

	private void row(long calls) {
		this.bytes.putLong(-2).putLong(calls);
	}

	private void countOfRow(long... numbers) {
		for (long number : numbers) {
			this.bytes.putLong(number);
		}
	}

	private Reply reply() {
		return Reply.of(this.bytes.array());
	}

	private static LimitOutcome outcome(Reply reply) {
		assertThat(reply.nextCall()).isNull();
		return reply.nextOutcome(DEMAND);
	}

}
