package io.github.ratelimit.store.redis;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.HexFormat;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.Ban;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.RuleAnswer;
import io.github.ratelimit.store.tck.AlgorithmOnStore;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Stored form of bans: the latest ban, and the denials since.
 */
@Tag("every-redis")
class BanFormTests {

	private static final long WITHIN = 30_000_000;

	private static final long LASTING = 60_000_000;

	private static final RateLimitRule LOGIN = rule(
			new Ban(3, Duration.ofSeconds(30), Duration.ofMinutes(1), Duration.ofMinutes(2)));

	private final RedisStoreUnderTest redis = new RedisStoreUnderTest();

	private final String key = AlgorithmOnStore.freshKey();

	private long clock = AlgorithmOnStore.NOW;

	private static RateLimitRule rule(Ban ban) {
		return RateLimitRule.named("login")
			.limit(1, Duration.ofHours(1))
			.algorithm(Algorithm.SLIDING_LOG)
			.ban(ban)
			.build();
	}

	@Test
	void denialsAreStoredByTheirTimes() {
		acquire();
		assertThat(stored()).isEmpty();
		acquire();
		assertThat(stored()).containsExactly(this.clock, 0, 0, 0, WITHIN, this.clock);
		assertExpiresAt(this.clock + WITHIN);
		long first = this.clock++;
		acquire();
		assertThat(stored()).containsExactly(this.clock, 0, 0, 0, WITHIN, first, this.clock);
		assertExpiresAt(this.clock + WITHIN);
		this.clock = first + WITHIN;
		acquire();
		assertThat(stored()).containsExactly(this.clock, 0, 0, 0, WITHIN, first + 1, this.clock);
	}

	@Test
	void banReplacesTheDenialsThatHaveBegunIt() {
		long ends = ban();
		assertThat(stored()).containsExactly(this.clock, ends, LASTING, LASTING, WITHIN);
		assertExpiresAt(ends + LASTING);
		this.clock = ends;
		acquire();
		assertThat(stored()).containsExactly(ends, ends, LASTING, LASTING, WITHIN, ends);
		assertExpiresAt(ends + LASTING);
		this.clock = ends + LASTING - 1;
		acquire();
		assertThat(stored()).containsExactly(this.clock, ends, LASTING, LASTING, WITHIN, this.clock);
		assertExpiresAt(this.clock + WITHIN);
	}

	@Test
	void banIsForgottenAsLongAfterItsEndAsItLasted() {
		long ends = ban();
		letTheKeyOutliveItsTime();
		this.clock = ends + LASTING;
		acquire();
		assertThat(stored()).containsExactly(this.clock, 0, LASTING, LASTING, WITHIN, this.clock);
	}

	@Test
	void banTakesNothingUntilItsLastMicrosecond() {
		RateLimitRule rule = RateLimitRule.named("login")
			.limit(1, Duration.ofSeconds(1))
			.algorithm(Algorithm.SLIDING_LOG)
			.ban(new Ban(1, Duration.ofSeconds(30), Duration.ofMinutes(1)))
			.build();
		acquire(rule);
		assertThat(acquire(rule).isBanned()).isTrue();
		this.clock += LASTING - 1;
		assertThat(acquire(rule).isBanned()).isTrue();
		this.clock++;
		assertThat(acquire(rule).isAdmitted()).isTrue();
	}

	@Test
	void banThatDoesNotGrowIsForgottenAtItsEnd() {
		RateLimitRule rule = rule(new Ban(1, Duration.ofSeconds(30), Duration.ofMinutes(1)));
		acquire(rule);
		acquire(rule);
		assertThat(stored()).containsExactly(this.clock, this.clock + LASTING, LASTING, 0, WITHIN);
		assertExpiresAt(this.clock + LASTING);
	}

	@Test
	void denialThatFindsTheClockSetBackMovesTheOthersBack() {
		RateLimitRule rule = rule(new Ban(9, Duration.ofSeconds(30), Duration.ofMinutes(1)));
		acquire(rule);
		acquire(rule);
		this.clock += 10;
		acquire(rule);
		this.clock -= 1_000;
		acquire(rule);
		assertThat(stored()).containsExactly(this.clock, 0, 0, 0, WITHIN, this.clock - 10, this.clock, this.clock);
	}

	@Test
	void attemptThatFindsTheClockSetBackMovesTheBanBack() {
		long ends = ban();
		this.clock -= 1_000;
		assertThat(acquire().isBanned()).isTrue();
		assertThat(stored()).containsExactly(this.clock, ends - 1_000, LASTING, LASTING, WITHIN);
	}

	@Test
	void attemptAtTheMicrosecondOfABanWritesNothing() {
		ban();
		long later = this.clock + 2 * LASTING + 1;
		RedisUnderTest.process().command("HSET", "expires", name(), Long.toString(later));
		assertThat(acquire().isBanned()).isTrue();
		assertExpiresAt(later);
	}

	private long ban() {
		for (int i = 0; i < 4; i++) {
			acquire();
		}
		return this.clock + LASTING;
	}

	private RuleAnswer acquire() {
		return acquire(LOGIN);
	}

	private RuleAnswer acquire(RateLimitRule rule) {
		this.redis.setClock(this.clock);
		return this.redis.answer(new Demand(rule, this.key, 1)).get(0);
	}

	private void letTheKeyOutliveItsTime() {
		RedisUnderTest.process().command("HDEL", "expires", name());
	}

	private void assertExpiresAt(long time) {
		assertThat(RedisUnderTest.process().command("HGET", "expires", name())).isEqualTo(Long.toString(time));
	}

	private long[] stored() {
		String hex = (String) RedisUnderTest.process()
			.command("EVAL", "return (string.gsub(redis.call('GET', KEYS[1]) or '', '.', function(byte) "
					+ "return string.format('%02x', string.byte(byte)) end))", "1", name());
		ByteBuffer form = ByteBuffer.wrap(HexFormat.of().parseHex(hex));
		return IntStream.iterate(0, (i) -> form.hasRemaining(), (i) -> i + 1)
			.mapToLong((i) -> number(form, (i < 2 || i > 4) ? 7 : 6))
			.toArray();
	}

	private static long number(ByteBuffer form, int bytes) {
		return IntStream.range(0, bytes).mapToLong((i) -> form.get() & 0xFF).reduce(0, (high, low) -> high << 8 | low);
	}

	private String name() {
		return "test:{login:" + this.key + "}:ban";
	}

}
