package io.github.ratelimit.store.redis;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.store.BanOutcome;
import io.github.ratelimit.store.BannedKey;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.LimitOutcome;
import io.github.ratelimit.store.RuleAnswer;
import io.github.ratelimit.store.RuleCounts;
import io.github.ratelimit.store.StoreAnswer;
import io.github.ratelimit.store.tck.AlgorithmOnStore;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The list of the bans of a rule, to the microsecond.
 */
@Tag("every-redis")
class BanListTests {

	private static final long NOW = 1_700_000_000_123_456L;

	private static final RedisKeys KEYS = RedisUnderTest.keys("list");

	private final ScriptRunner runner = new RedisStoreUnderTest.LongLived();

	private final RateLimitRule rule = RateLimitRule.named(AlgorithmOnStore.freshKey())
		.limit(1, Duration.ofSeconds(1))
		.algorithm(Algorithm.SLIDING_LOG)
		.build();

	private long clock = NOW;

	private final BanList bans = bans(this.runner, () -> this.clock);

	@Test
	void keysAreInOrderOfTheEndsOfTheirBans() {
		ban("late", NOW, 3_000);
		ban("老钱", NOW + 1, 1_000);
		ban("middle", NOW + 2, 2_000);
		assertThat(listed()).containsExactly("老钱", "middle", "late");
	}

	@Test
	void keyThatIsBannedAgainIsListedByItsNewEnd() {
		ban("first", NOW, 1_000);
		ban("second", NOW, 2_000);
		ban("first", NOW + 500, 2_000);
		assertThat(listed()).containsExactly("second", "first");
	}

	@Test
	void banIsListedUntilItsLastMicrosecond() {
		ban("first", NOW, 1_000);
		ban("second", NOW, 2_000);
		this.clock = NOW + 999;
		assertThat(listed()).containsExactly("first", "second");
		this.clock = NOW + 1_000;
		assertThat(listed()).containsExactly("second");
		this.clock = NOW + 2_000;
		assertThat(listed()).isEmpty();
	}

	@Test
	void clockOfTheServerEndsBansIfTheInstanceHasNone() {
		ban("over", NOW, 1_000);
		ban("in force", NOW, 1_001);
		assertThat(listed(bans(new ServerTime(NOW + 1_000), () -> 0))).containsExactly("in force");
	}

	@Test
	void bansThatHaveEndedAreRemovedByTheNextOne() {
		ban("over", NOW, 1_000);
		ban("nearly over", NOW, 1_001);
		ban("next", NOW + 1_000, 1_000);
		this.clock = NOW;
		assertThat(listed()).containsExactly("nearly over", "next");
	}

	@Test
	void ofTooManyBansThoseThatEndFirstAreRemoved() {
		for (int i = 0; i < BannedKey.MOST; i++) {
			ban("key-" + i, NOW, 1_000 + i);
		}
		assertThat(listed()).hasSize(BannedKey.MOST);
		ban("shortest", NOW, 999);
		assertThat(listed()).hasSize(BannedKey.MOST).startsWith("key-0");
		ban("longest", NOW, 3_000);
		assertThat(listed()).hasSize(BannedKey.MOST).startsWith("key-1").endsWith("longest");
	}

	@Test
	void listLivesUntilTheEndOfItsLastBan() {
		ban("key", NOW, 2_000);
		assertThat(millisToLive()).isEqualTo("2");
		ban("longest", NOW, 5_001);
		assertThat(millisToLive()).as("rounded up").isEqualTo("6");
		ban("later", NOW + 1_000, 2_000);
		assertThat(millisToLive()).as("of the longest").isEqualTo("5");
	}

	@Test
	void manyKeysArePeekedAtOnePageAfterTheOther() {
		for (int i = 0; i < 2 * BanList.PAGE + 1; i++) {
			ban("key-" + i, NOW, 1_000 + i);
		}
		AtomicInteger unanswered = new AtomicInteger();
		AtomicInteger most = new AtomicInteger();
		List<BannedKey> listed = this.bans.inForce(RuleCounts.of(this.rule), (demand) -> {
			most.accumulateAndGet(unanswered.incrementAndGet(), Math::max);
			return new CompletableFuture<>() {

				@Override
				public StoreAnswer get(long timeout, TimeUnit unit) {
					unanswered.decrementAndGet();
					StoreAnswer answer = peeked(demand, 1).join();
					complete(answer);
					return answer;
				}

			};
		});
		assertThat(listed).hasSize(2 * BanList.PAGE + 1);
		assertThat(most).hasValue(BanList.PAGE);
	}

	private static BanList bans(ScriptRunner runner, LongSupplier clock) {
		return new BanList(new RedisSetup(runner, "list", Duration.ofSeconds(20), RedisSharding.NONE, clock));
	}

	private void ban(String key, long time, long micros) {
		Demand demand = new Demand(this.rule, key, 1);
		this.bans.follow(demand, CompletableFuture.completedFuture(
				RuleAnswer.of(demand, time, new LimitOutcome(0, 1, 1)).bannedBy(new BanOutcome(true, micros, micros))));
	}

	private List<String> listed() {
		return listed(this.bans);
	}

	private List<String> listed(BanList bans) {
		AtomicInteger order = new AtomicInteger();
		return bans.inForce(RuleCounts.of(this.rule), (demand) -> peeked(demand, order.incrementAndGet()))
			.stream()
			.map(BannedKey::key)
			.toList();
	}

	private CompletableFuture<StoreAnswer> peeked(Demand demand, int endsAfter) {
		return CompletableFuture.completedFuture(RuleAnswer.of(demand, this.clock, new LimitOutcome(0, 1, 1))
			.bannedBy(new BanOutcome(false, endsAfter, endsAfter)));
	}

	private Object millisToLive() {
		return ServerTime.lifetime(new String(KEYS.ofRule("bans", this.rule.name()), StandardCharsets.UTF_8));
	}

}
