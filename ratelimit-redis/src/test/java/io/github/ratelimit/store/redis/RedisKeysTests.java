package io.github.ratelimit.store.redis;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;

import io.lettuce.core.cluster.SlotHash;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.Limit;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.store.RuleCounts;
import io.github.ratelimit.store.tck.Seeds;
import io.github.ratelimit.store.StoredKey;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Names of counters in Redis: readable, unambiguous, in one hash slot.
 */
class RedisKeysTests {

	private static final List<String> PIECES = List.of("", "a", "b", ":", "::", "{", "}", "}:", "}:times", "}:log:day",
			"\n", "\0", "sha256:", "ratelimit:{", "-", "minute", "day", "bucket", "é", "中", "\uD83D\uDE00", "\uD83D",
			"\uDE00", "\uD800", "?", "\uFFFD", "\uFFFF", " ", "x".repeat(42), "y".repeat(128));

	private static final Limit MINUTE = Limit.of(1, Duration.ofMinutes(1))
		.withAlgorithm(Algorithm.SLIDING_LOG)
		.withName("minute");

	private static final Limit DAY = Limit.of(1, Duration.ofDays(1))
		.withAlgorithm(Algorithm.TOKEN_BUCKET)
		.withName("day");

	private static final Limit HOUR = Limit.of(1, Duration.ofHours(1))
		.withAlgorithm(Algorithm.SLIDING_LOG)
		.withName("day");

	private final RedisKeys keys = RedisUnderTest.keys("ratelimit");

	@Test
	void nameHoldsRuleKeyAndAlgorithm() {
		assertThat(name(rule("reply", MINUTE), MINUTE, "laoqian")).isEqualTo("ratelimit:{reply:laoqian}:times");
		assertThat(name(rule("reply", DAY), DAY, "")).isEqualTo("ratelimit:{reply:}:tokens");
	}

	@Test
	void nameHoldsTheLimitWhenThereAreSeveral() {
		RateLimitRule sms = rule("sms", MINUTE, DAY);
		assertThat(name(sms, MINUTE, "laoqian")).isEqualTo("ratelimit:{sms:laoqian}:times:minute");
		assertThat(name(sms, DAY, "laoqian")).isEqualTo("ratelimit:{sms:laoqian}:tokens:day");
	}

	@Test
	void algorithmHasToBeResolved() {
		Limit limit = Limit.of(1, Duration.ofMinutes(1));
		assertThatIllegalArgumentException().isThrownBy(() -> name(rule("reply", limit), limit, "key"))
			.withMessageContaining("DEFAULT has to be resolved");
	}

	@Test
	void keyOfUpTo128BytesIsKeptAsItIs() {
		for (String key : List.of("x".repeat(42), "x".repeat(43), "x".repeat(128), "é".repeat(64), "中".repeat(42))) {
			assertThat(name(rule("reply", MINUTE), MINUTE, key)).isEqualTo("ratelimit:{reply:" + key + "}:times");
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "sha256:0000000000000000000000000000000000000000000000000000000000000000",
			"sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855" })
	void keyThatLooksLikeAHashIsHashed(String key) {
		assertThat(name(rule("reply", MINUTE), MINUTE, key)).matches("ratelimit:\\{reply:sha256:[0-9a-f]{64}}:times")
			.doesNotContain(key + "}");
	}

	@Test
	void keyOfMoreThan128BytesIsHashed() {
		for (String key : List.of("x".repeat(129), "é".repeat(65), "中".repeat(43), "x".repeat(1_000_000))) {
			assertThat(name(rule("reply", MINUTE), MINUTE, key))
				.matches("ratelimit:\\{reply:sha256:[0-9a-f]{64}}:times");
		}
		assertThat(name(rule("reply", MINUTE), MINUTE, "a".repeat(200)))
			.contains("c2a908d98f5df987ade41b5fce213067efbcc21ef2240212a41e54b5e7c28ae5");
	}

	@Test
	void noTwoCountersShareAName() {
		Seeds.seeds().forEach((seed) -> {
			Random random = new Random(seed);
			Map<String, String> owners = new HashMap<>();
			for (int i = 0; i < 50_000; i++) {
				RateLimitRule rule = randomRule(random);
				Limit limit = rule.limits().get(random.nextInt(rule.limits().size()));
				String key = randomKey(random);
				String owner = rule.name() + '\u0001' + limit.algorithm()
						+ ((rule.limits().size() > 1) ? "\u0001" + limit.name() : "") + '\u0002' + key;
				String earlier = owners.putIfAbsent(name(rule, limit, key), owner);
				assertThat(earlier).as("seed " + seed).isIn(null, owner);
			}
		});
	}

	@Test
	void limitsOfARuleAndKeyShareASlot() {
		Seeds.seeds().forEach((seed) -> {
			Random random = new Random(seed);
			for (int i = 0; i < 10_000; i++) {
				RateLimitRule rule = rule("rule", MINUTE, DAY);
				String key = randomKey(random);
				assertThat(SlotHash.getSlot(name(rule, MINUTE, key))).as("seed %d, key %s", seed, key)
					.isEqualTo(SlotHash.getSlot(name(rule, DAY, key)));
			}
		});
	}

	@Test
	void keysSpreadOverTheSlots() {
		long slots = IntStream.range(0, 1_000)
			.map((key) -> SlotHash.getSlot(name(rule("reply", MINUTE), MINUTE, "user-" + key)))
			.distinct()
			.count();
		assertThat(slots).isGreaterThan(900);
	}

	private static RateLimitRule randomRule(Random random) {
		String name = List.of("a", "b", "a-b", "a-minute").get(random.nextInt(4));
		return switch (random.nextInt(4)) {
			case 0 -> rule(name, MINUTE);
			case 1 -> rule(name, DAY);
			case 2 -> rule(name, MINUTE, HOUR);
			default -> rule(name, MINUTE, DAY);
		};
	}

	private static String randomKey(Random random) {
		StringBuilder key = new StringBuilder();
		for (int i = random.nextInt(5); i >= 0; i--) {
			key.append(PIECES.get(random.nextInt(PIECES.size())));
		}
		return key.toString();
	}

	private static RateLimitRule rule(String name, Limit... limits) {
		RateLimitRule.Builder rule = RateLimitRule.named(name);
		List.of(limits).forEach(rule::limit);
		return rule.build();
	}

	private String name(RateLimitRule rule, Limit limit, String key) {
		byte[][] names = this.keys.counters(RuleCounts.of(rule)).of(StoredKey.of(key));
		return new String(names[rule.limits().indexOf(limit)], StandardCharsets.UTF_8);
	}

}
