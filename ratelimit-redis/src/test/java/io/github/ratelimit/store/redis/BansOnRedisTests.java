package io.github.ratelimit.store.redis;

import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.data.redis.connection.RedisConnection;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.Ban;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.store.tck.AlgorithmOnStore;
import io.github.ratelimit.store.BanOutcome;
import io.github.ratelimit.store.BannedKey;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.RuleAnswer;
import io.github.ratelimit.store.RuleCounts;
import io.github.ratelimit.store.StoreAnswer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Stored state of bans, its time to live, and the list of bans.
 */
@Tag("every-redis")
class BansOnRedisTests {

	private static final Duration PATIENCE = Duration.ofSeconds(20);

	private static final Ban BAN = new Ban(3, Duration.ofSeconds(30), Duration.ofMinutes(1), Duration.ofMinutes(2));

	private static final RateLimitRule LOGIN = rule(BAN);

	private static final long NOW = AlgorithmOnStore.NOW / 1000 * 1000;

	private long clock = NOW;

	private final RedisRateLimitStore store = RedisUnderTest.store(RedisUnderTest.connections(), "bans", PATIENCE,
			() -> this.clock);

	private final String key = AlgorithmOnStore.freshKey();

	private static RateLimitRule rule(Ban ban) {
		return RateLimitRule.named("login")
			.limit(1, Duration.ofHours(1))
			.algorithm(Algorithm.SLIDING_LOG)
			.ban(ban)
			.build();
	}

	@Test
	void bansAreCountedBesideTheLimits() {
		byte[][] names = RedisUnderTest.keys("ratelimit")
			.counters(RuleCounts.of(LOGIN))
			.of(new Demand(LOGIN, "laoqian", 1).key());
		assertThat(Stream.of(names).map(String::new)).containsExactly("ratelimit:{login:laoqian}:times",
				"ratelimit:{login:laoqian}:ban");
	}

	@Test
	void admittedCallsStoreNoBan() {
		acquire();
		assertThat(command("GET", "ban")).isNull();
	}

	@Test
	void deniedCallWritesOnlyTheBan() {
		acquire();
		command("PEXPIRE", "times", "100000");
		Object before = command("DUMP", "times");
		acquire();
		acquire();
		assertThat(acquire().isBanned()).isTrue();
		acquire();
		assertThat((byte[]) command("DUMP", "times")).isEqualTo(before);
		assertThat((Long) command("PTTL", "times")).isBetween(70_000L, 100_000L);
	}

	@Test
	void attemptOfABannedKeyWritesNothing() {
		ban();
		byte[] before = (byte[]) command("DUMP", "ban");
		command("PEXPIRE", "ban", "100000");
		this.clock += 1_000_000;
		acquire();
		this.store.acquire(new Demand(LOGIN, this.key, 0));
		this.store.peek(new Demand(LOGIN, this.key, 1));
		assertThat((byte[]) command("DUMP", "ban")).isEqualTo(before);
		assertThat((Long) command("PTTL", "ban")).isBetween(70_000L, 100_000L);
	}

	@Test
	void denialsLiveAsLongAsTheyCountAndBansAsLongAsTheyAreRemembered() {
		acquire();
		acquire();
		assertThat((Long) command("PTTL", "ban")).isBetween(15_000L, 30_000L);
		acquire();
		acquire();
		assertThat((Long) command("PTTL", "ban")).as("a minute, and one after it").isBetween(100_000L, 120_000L);
	}

	@Test
	void banThatDoesNotGrowIsForgottenAtItsEnd() {
		RateLimitRule rule = rule(new Ban(1, Duration.ofSeconds(1), Duration.ofMinutes(1)));
		this.store.acquire(new Demand(rule, this.key, 1));
		this.store.acquire(new Demand(rule, this.key, 1));
		assertThat((Long) command("PTTL", "ban")).isBetween(40_000L, 60_000L);
	}

	@Test
	void keyWithoutTimeToLiveGetsOne() {
		ban();
		command("PERSIST", "ban");
		this.clock += 30_000_000;
		this.store.acquire(new Demand(LOGIN, this.key, 0));
		assertThat(command("PTTL", "ban")).as("a peek writes nothing").isEqualTo(-1L);
		acquire();
		assertThat((Long) command("PTTL", "ban")).isBetween(70_000L, 90_000L);
	}

	@Test
	void eachCallOfABatchIsADenial() {
		RedisStoreUnderTest redis = new RedisStoreUnderTest();
		redis.setClock(NOW);
		List<StoreAnswer> answers = redis.answersTogether(Collections.nCopies(6, new Demand(LOGIN, this.key, 1)));
		assertThat(answers).extracting(StoreAnswer::isAdmitted)
			.containsExactly(true, false, false, false, false, false);
		long ends = TimeUnit.MINUTES.toMicros(1);
		assertThat(answers).extracting((answer) -> answer.get(0).ban())
			.containsExactly(null, null, null, new BanOutcome(true, ends, 2 * ends),
					new BanOutcome(false, ends, 2 * ends), new BanOutcome(false, ends, 2 * ends));
	}

	@Test
	void bannedKeysAreListedUntilTheirBansEnd() {
		RateLimitRule rule = RateLimitRule.named(AlgorithmOnStore.freshKey())
			.limit(LOGIN.limits().get(0))
			.ban(BAN)
			.build();
		RuleCounts counts = RuleCounts.of(rule);
		assertThat(this.store.bans(counts)).isEmpty();
		ban(rule, "first");
		this.clock += 10_000_000;
		ban(rule, "老钱");
		BannedKey first = new BannedKey("first", Duration.ofSeconds(50));
		BannedKey second = new BannedKey("老钱", Duration.ofSeconds(60));
		await().untilAsserted(() -> assertThat(this.store.bans(counts)).containsExactly(first, second));
		this.clock += 50_000_000;
		assertThat(this.store.bans(counts)).containsExactly(new BannedKey("老钱", Duration.ofSeconds(10)));
		this.store.reset(counts, new Demand(rule, "老钱", 1).key());
		await().untilAsserted(() -> assertThat(this.store.bans(counts)).isEmpty());
	}

	/**
	 * Instances write the list after their calls, so an entry may come after the key was
	 * reset, or after a later one.
	 */
	@Test
	void lateEntriesOfTheListShowNoBanThatWasLiftedAndNoFormerEnd() {
		RateLimitRule rule = RateLimitRule.named(AlgorithmOnStore.freshKey())
			.limit(LOGIN.limits().get(0))
			.ban(BAN)
			.build();
		RuleCounts counts = RuleCounts.of(rule);
		ban(rule, "again");
		String formerEnd = String.valueOf(this.clock + 60_000_000);
		this.store.reset(counts, new Demand(rule, "again", 1).key());
		RedisUnderTest.process().command("ZADD", "bans:{bans}:" + rule.name(), formerEnd, "again");
		assertThat(this.store.bans(counts)).isEmpty();
		this.clock += 10_000_000;
		ban(rule, "again");
		RedisUnderTest.process().command("ZADD", "bans:{bans}:" + rule.name(), formerEnd, "again");
		assertThat(this.store.bans(counts)).containsExactly(new BannedKey("again", Duration.ofSeconds(60)));
	}

	@Test
	void listIsBoundedAndEndsWithItsLastBan() {
		RateLimitRule rule = RateLimitRule.named(AlgorithmOnStore.freshKey())
			.limit(LOGIN.limits().get(0))
			.ban(new Ban(1, Duration.ofSeconds(1), Duration.ofMinutes(1)))
			.build();
		for (int i = 0; i <= BannedKey.MOST; i++) {
			this.clock++;
			this.store.acquire(new Demand(rule, "key-" + i, 1));
			this.store.acquire(new Demand(rule, "key-" + i, 1));
		}
		await().untilAsserted(() -> assertThat(this.store.bans(RuleCounts.of(rule))).hasSize(BannedKey.MOST)
			.extracting(BannedKey::key)
			.startsWith("key-1")
			.endsWith("key-" + BannedKey.MOST));
		assertThat((Long) RedisUnderTest.process().command("PTTL", "bans:{bans}:" + rule.name())).isBetween(50_000L,
				60_000L);
	}

	@Test
	void bannedKeyIsNotFetchedFor() {
		RateLimitRule rule = RateLimitRule.named("login")
			.limit(100, Duration.ofHours(1))
			.algorithm(Algorithm.SLIDING_LOG)
			.prefetch(Duration.ofMillis(20))
			.ban(new Ban(1, Duration.ofSeconds(1), Duration.ofMinutes(1)))
			.build();
		PortionsUnderTest portions = new PortionsUnderTest(RuleCounts.of(rule));
		assertThat(fetched(portions.fetch(0, 1, 10))).isEqualTo(10);
		assertThat(portions.take(1, 95, 0).outcome().retryAfter()).as("denied, and banned").isPositive();
		assertThat(fetched(portions.fetch(30_000, 0, 10))).isZero();
		assertThat(fetched(portions.fetch(60_000_001, 0, 10))).isEqualTo(10);
	}

	/**
	 * Return the units that a call has fetched. Portions follow the only limit.
	 */
	private static long fetched(PortionsUnderTest.Answer answer) {
		return answer.outcomes().get(1).remaining();
	}

	private RuleAnswer acquire() {
		return this.store.acquire(new Demand(LOGIN, this.key, 1)).get(0);
	}

	private void ban() {
		ban(LOGIN, this.key);
	}

	private void ban(RateLimitRule rule, String banned) {
		for (int i = 0; i < 4; i++) {
			this.store.acquire(new Demand(rule, banned, 1));
		}
	}

	private Object command(String name, String kind, String... arguments) {
		try (RedisConnection connection = RedisUnderTest.connections().getConnection()) {
			byte[][] all = new byte[1 + arguments.length][];
			all[0] = ("bans:{login:" + this.key + "}:" + kind).getBytes();
			for (int i = 0; i < arguments.length; i++) {
				all[i + 1] = arguments[i].getBytes();
			}
			return connection.execute(name, all);
		}
	}

}
