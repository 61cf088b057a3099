package io.github.ratelimit.engine;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.CollidingKeys;
import io.github.ratelimit.Limit;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.Retained;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.RuleAnswer;
import io.github.ratelimit.store.RuleCounts;
import io.github.ratelimit.store.StoredKey;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A {@link DenyCache} keeps a bounded number of denials, in bounded memory and time.
 */
class DenyCacheSizeTests {

	private static final Duration MAX_TTL = Duration.ofSeconds(1);

	private static final RateLimitRule RULE = RateLimitRule.named("rule")
		.limit(Limit.of(2, Duration.ofMinutes(1)).withAlgorithm(Algorithm.SLIDING_LOG))
		.build();

	private final FailingStore store = new FailingStore();

	private final AtomicLong clock = new AtomicLong();

	private final DenyCache cache = new DenyCache(100, MAX_TTL, this.clock::get);

	@Test
	void whenThereIsNoRoomOthersAreRememberedAsSoonAsSomeHoldNoMore() {
		DenyCache small = new DenyCache(2, MAX_TTL, this.clock::get);
		Stream.of("first", "second", "third").forEach((key) -> deny(small, key));
		assertThat(Stream.of("first", "second", "third").filter((key) -> isKnown(small, key))).containsExactly("first",
				"second");
		deny(small, "second");
		this.clock.addAndGet(MAX_TTL.toNanos());
		deny(small, "third");
		assertThat(isKnown(small, "third")).isTrue();
	}

	@Test
	void forgottenDenialsMakeRoom() {
		DenyCache small = new DenyCache(2, MAX_TTL, this.clock::get);
		Stream.of("first", "second").forEach((key) -> {
			deny(small, key);
			small.forget(RuleCounts.of(RULE), StoredKey.of(key));
			this.clock.incrementAndGet();
		});
		Stream.of("third", "fourth").forEach((key) -> deny(small, key));
		assertThat(Stream.of("third", "fourth")).allMatch((key) -> isKnown(small, key));
	}

	@Test
	void removedRuleMakesRoomAndNoneOfItsCallsIsRemembered() {
		DenyCache small = new DenyCache(2, MAX_TTL, this.clock::get);
		RuleCounts removed = RuleCounts.of(RULE);
		Stream.of("first", "second").forEach((key) -> deny(small, removed, key));
		small.forget("rule");
		this.clock.incrementAndGet();
		Stream.of("first", "second", "third").forEach((key) -> deny(small, removed, key));
		assertThat(small.find(new Demand(removed, "first", 3))).isNull();
		Stream.of("third", "fourth").forEach((key) -> deny(small, key));
		assertThat(Stream.of("third", "fourth")).allMatch((key) -> isKnown(small, key));
	}

	@Test
	void longKeysAreNotKept() {
		assertThat(Retained.longKeys((key) -> deny(this.cache, key))).isZero();
	}

	@Test
	void keysWithEqualHashCodesAreFoundInAFewSteps() {
		DenyCache large = new DenyCache(100_000, MAX_TTL, this.clock::get);
		RuleAnswer denial = this.store.acquire(new Demand(RULE, "key", 3)).get(0);
		assertThat(CollidingKeys.slowdown((key) -> {
			Demand other = new Demand(RULE, key, 3);
			large.remember(denial.to(other), 0);
			assertThat(large.find(other)).isNotNull();
		})).isLessThan(50);
	}

	private void deny(DenyCache denials, String key) {
		denials.remember(this.store.acquire(new Demand(RULE, key, 3)).get(0), denials.now());
	}

	private void deny(DenyCache denials, RuleCounts rule, String key) {
		denials.remember(this.store.acquire(new Demand(rule, key, 3)).get(0), denials.now());
	}

	private static boolean isKnown(DenyCache denials, String key) {
		return denials.find(new Demand(RULE, key, 3)) != null;
	}

}
