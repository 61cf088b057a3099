package io.github.ratelimit.store.redis;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;

import org.junit.jupiter.api.Test;

import org.springframework.data.redis.connection.RedisConnection;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.Limit;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.store.Correction;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.RuleCounts;
import io.github.ratelimit.store.StoredKey;
import io.github.ratelimit.store.tck.AlgorithmOnStore;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A bucket that records its takes stores them behind itself, in a form that scripts tell
 * from the one that they stored before.
 */
class RedisSettledBucketFormTests {

	private static final int BUCKET = 27;

	private static final int KNOWN_SINCE = 8;

	private static final int TAKE = 17;

	private static final long BEGINNING = 1_700_000_000_000_000L;

	private final RateLimitRule rule = AlgorithmOnStore
		.settledRule(Limit.of(100, Duration.ofSeconds(100)).withAlgorithm(Algorithm.TOKEN_BUCKET));

	private final String key = AlgorithmOnStore.freshKey();

	private long clock = BEGINNING;

	private final RedisRateLimitStore store = RedisUnderTest.store(RedisUnderTest.connections(), "form",
			Duration.ofSeconds(20), () -> this.clock);

	@Test
	void takesAreStoredBehindTheBucket() {
		take(10);
		assertThat(stored()).hasSize(BUCKET + 1 + TAKE);
		this.clock += 1_000_000;
		take(10);
		assertThat(stored()).hasSize(BUCKET + KNOWN_SINCE + 1 + 2 * TAKE);
	}

	@Test
	void takesOfTheFormerFormAreForgotten() {
		take(10);
		byte[] formerTake = ByteBuffer.allocate(12).putLong(BEGINNING).putInt(0).array();
		byte[] bucket = Arrays.copyOf(stored(), BUCKET);
		store(ByteBuffer.allocate(BUCKET + 11).put(bucket).put(formerTake, 1, 11).array());
		take(10);
		assertThat(remaining()).isEqualTo(80);
		AlgorithmOnStore.correct(this.store,
				List.of(Correction.refund(new Demand(this.rule, this.key, 5), this.clock)));
		assertThat(remaining()).isEqualTo(85);
		assertThat(stored()).hasSize(BUCKET + 1 + TAKE);
	}

	private void take(long cost) {
		this.store.acquire(new Demand(this.rule, this.key, cost));
	}

	private long remaining() {
		return this.store.peek(new Demand(this.rule, this.key, 1)).outcome(0).remaining();
	}

	private byte[] stored() {
		try (RedisConnection connection = RedisUnderTest.connections().getConnection()) {
			return connection.stringCommands().get(storedKey());
		}
	}

	private void store(byte[] changed) {
		try (RedisConnection connection = RedisUnderTest.connections().getConnection()) {
			connection.stringCommands().set(storedKey(), changed);
		}
	}

	private byte[] storedKey() {
		return RedisUnderTest.keys("form").counters(RuleCounts.of(this.rule)).first(StoredKey.of(this.key));
	}

}
