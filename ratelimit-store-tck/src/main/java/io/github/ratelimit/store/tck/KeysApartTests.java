package io.github.ratelimit.store.tck;

import java.time.Duration;
import java.util.List;

import io.github.ratelimit.Limit;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.store.Demand;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Different keys have different counters, regardless of their characters and length. So
 * have different rules.
 */
class KeysApartTests {

	/**
	 * Ends of keys that encodings and collations confuse: characters that they replace,
	 * letters that differ in case or accent, spaces, zeros and line ends.
	 */
	private static final List<String> ENDS = List.of("?", "!", "\uD800", "\uD801", "\uDC00", "\uFFFD", "\uD83D\uDE00",
			"\uD83D\uDE01", "e", "E", "\u00E9", "e\u0301", "e ", "e\0", "e\r\n");

	@CommonTest
	void keysThatDifferInOneCharacterCountApart(AlgorithmOnStore on) {
		RateLimitRule rule = AlgorithmOnStore.rule(limit(on));
		for (String beginning : List.of(AlgorithmOnStore.freshKey(),
				AlgorithmOnStore.freshKey() + "x".repeat(65_536))) {
			for (String end : ENDS) {
				assertUnused(on, new Demand(rule, beginning + end, 1), "key that ends with \"" + end + '"');
			}
		}
	}

	@CommonTest
	void ruleAndKeyThatReadLikeThoseOfAnotherCallCountApart(AlgorithmOnStore on) {
		String key = AlgorithmOnStore.freshKey();
		for (String between : List.of("", "-")) {
			String other = "sms" + between + "minute";
			assertUnused(on, new Demand(rule(on, "sms"), "minute" + between + key, 1), "key of sms");
			assertUnused(on, new Demand(rule(on, other), key, 1), "key of " + other);
		}
	}

	private static Limit limit(AlgorithmOnStore on) {
		return on.algorithm().limit(5, Duration.ofMinutes(1));
	}

	private static RateLimitRule rule(AlgorithmOnStore on, String name) {
		return RateLimitRule.named(name).limit(limit(on)).build();
	}

	/**
	 * Assert that nothing was counted before a call, which counts.
	 */
	private static void assertUnused(AlgorithmOnStore on, Demand call, String description) {
		on.store().setClock(AlgorithmOnStore.NOW);
		assertThat(on.store().peek(call).resetAfter()).as("unused %s", description).isZero();
		assertThat(on.store().acquire(List.of(call)).get(0).admitted()).isTrue();
		assertThat(on.store().peek(call).resetAfter()).as("used %s", description).isPositive();
	}

}
