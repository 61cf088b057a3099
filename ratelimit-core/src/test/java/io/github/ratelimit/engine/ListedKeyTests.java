package io.github.ratelimit.engine;

import java.time.Duration;
import java.util.List;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.Decision;
import io.github.ratelimit.Headroom;
import io.github.ratelimit.InvalidAttributeException;
import io.github.ratelimit.KeyLists;
import io.github.ratelimit.KeyOverride;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.store.local.LocalRateLimitStore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Effect of the lists of a rule on calls.
 */
class ListedKeyTests {

	private static final Duration HOUR = Duration.ofHours(1);

	private final RateLimitEngine engine = Engines.over(new LocalRateLimitStore(100));

	private final RuleRegistry registry = new RuleRegistry(this.engine, Algorithm.SLIDING_LOG, List.of());

	private final String longKey = "k".repeat(200);

	private final RateLimiter limiter = this.registry.register(RateLimitRule.named("search")
		.limit(1, HOUR)
		.allow("health-check", "10.0.0.0/8", "192.0.2.7", "2001:db8::/32", "a/b", "both", this.longKey)
		.deny("mallory", "10.9.0.0/16", "203.0.113.0/24", "2001:db8:bad::/48", "both")
		.build());

	@ParameterizedTest
	@CsvSource({ "health-check, NONE", "10.1.2.3, NONE", "10.0.0.0, NONE", "192.0.2.7, NONE", "192.0.2.8, LOCAL",
			"11.0.0.0, LOCAL", "a/b, NONE", "a, LOCAL", "Health-Check, LOCAL", "2001:db8::1, NONE",
			"2001:db8:1:2:0:0:0:0/64, NONE", "2001:db9:1:2:0:0:0:0/64, LOCAL", "2001::/16, LOCAL",
			"user 10.1.2.3, LOCAL", "10.1.2.3:80, LOCAL", "10.1.2.0/24, LOCAL", "10.1.2.3/32, LOCAL",
			"010.1.2.3, LOCAL", "10.0.0.0/8, NONE", "::ffff:10.1.2.3, NONE", "'', LOCAL" })
	void keyOrAddressIsOnTheListOfThoseThatPass(String key, Decision.Origin origin) {
		for (int i = 0; i < 3; i++) {
			Decision decision = this.limiter.tryAcquire(key);
			assertThat(decision.origin()).isEqualTo(origin);
			assertThat(decision.allowed()).isEqualTo(i == 0 || origin == Decision.Origin.NONE);
		}
	}

	@ParameterizedTest
	@CsvSource({ "mallory", "10.9.1.1", "203.0.113.255", "2001:db8:bad:1:0:0:0:0/64", "both" })
	void keyOrAddressOnTheOtherListNeverPasses(String key) {
		assertThat(this.limiter.tryAcquire(key))
			.isEqualTo(new Decision(false, "search", 1, 0, Decision.NEVER, Decision.NEVER, Duration.ZERO, List.of(),
					Decision.Origin.NONE, List.of(new Decision.Denial("search", "search", Decision.Cause.BLOCK))));
	}

	@ParameterizedTest
	@ValueSource(
			strings = { "bob", "a b", "1.2.3", "1.3.6.1.4.1", "01.02.2026", "00:1a:2b:3c:4d:5e", "10:20:30", "a:b:c",
					"2026-01-31", "10.0.0.1-42", "10.0.0.1:80", "2026/01", "50%", "*", "a.b.c.d", "[bob]", "0", "007" })
	void keyThatOnlyHasCharactersOfAnAddressIsAKey(String key) {
		assertThat(new KeyLists(List.of(key), List.of()).allow()).containsExactly(key);
	}

	@Test
	void keyOfAnyLengthIsListed() {
		this.limiter.tryAcquire(this.longKey);
		assertThat(this.limiter.tryAcquire(this.longKey).origin()).isEqualTo(Decision.Origin.NONE);
	}

	@Test
	void overrideWinsOverAList() {
		VerdictSource keys = this.engine.keys().verdicts();
		keys.put("search", "mallory", KeyOverride.max(2));
		keys.put("search", "health-check", KeyOverride.blocked());
		assertThat(this.limiter.tryAcquire("mallory").allowed()).isTrue();
		assertThat(this.limiter.tryAcquire("mallory").limit()).isEqualTo(2);
		assertThat(this.limiter.tryAcquire("mallory").allowed()).isFalse();
		assertThat(this.limiter.tryAcquire("health-check").allowed()).isFalse();
		keys.put("search", "mallory", KeyOverride.unlimited());
		assertThat(this.limiter.tryAcquire("mallory").allowed()).isTrue();
	}

	@Test
	void overrideThatDoesNotFitTheRuleLeavesItsListsInForce() {
		this.engine.keys().verdicts().put("search", "mallory", KeyOverride.max("gone", 2));
		assertThat(this.limiter.tryAcquire("mallory").denials()).extracting(Decision.Denial::cause)
			.containsExactly(Decision.Cause.BLOCK);
	}

	@Test
	void overrideThatDoesNotFitTheRuleLeavesItsListsInForceForEachClass() {
		RateLimiter classes = this.registry.register(RateLimitRule.named("classes")
			.limit(10, HOUR)
			.headroom("low", Headroom.ofPercent(10))
			.deny("mallory")
			.build());
		this.engine.keys().verdicts().put("classes", "mallory", KeyOverride.max(10_001));
		assertThat(classes.tryAcquire("mallory").allowed()).isFalse();
		assertThat(classes.withPriority("low").tryAcquire("mallory").allowed()).isFalse();
	}

	@Test
	void changedRuleKeepsItsLists() {
		RateLimitRule rule = this.limiter.rule();
		assertThat(rule.withDefault(Algorithm.TOKEN_BUCKET).lists()).isEqualTo(rule.lists());
		assertThat(rule.withLimits(rule.limits()).lists()).isEqualTo(rule.lists());
		assertThat(rule).isNotEqualTo(RateLimitRule.named("search").limit(1, HOUR).build());
		assertThat(RateLimitRule.named("search").limit(1, HOUR).allow().build().lists()).isSameAs(KeyLists.NONE);
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '`',
			textBlock = """
					``              | it is blank. Remove it
					` `             | it is blank. Remove it
					`  10.0.0.0/8`  | it begins or ends with a blank. Write "10.0.0.0/8".
					`bob `          | it begins or ends with a blank. Write "bob".
					10/8            | it is not a network.
					10.0.0.0 /8     | it is not a network.
					999.1.1.1       | it is not a network.
					1::2::3         | it is not a network.
					[2001:db8::1]   | it is not a network.
					fe80::%eth0/64  | it is not a network.
					0x0a.0.0.0/8    | it is not a network.
					10.0.0.0\\8      | it is not a network.
					10.*            | it is not a network.
					10.0.*.*        | it is not a network.
					10.0.0.0-10.0.0.9 | it is not a network.
					010.0.0.0/8     | it has leading zeros, which some read as octal. Write "10.0.0.0/8".
					10.0.0.0/08     | it has leading zeros, which some read as octal. Write "10.0.0.0/8".
					192.168.001.010 | it has leading zeros, which some read as octal. Write "192.168.1.10".
					::ffff:010.0.0.1 | it is not a network.
					::ffff:10.0.0.0/104 | clients with such an address are counted by the IPv4 address in it. Write their IPv4 network
					64:ff9b::/96    | clients with such an address are counted by the IPv4 address in it.
					10.0.0.0/33     | it is not a network. Write an address and the number of its leading bits
					10.0.0/8        | it is not a network.
					10.0.0.256/8    | it is not a network.
					2001:db8::/129  | it is not a network.
					10.0.0.0/eight  | it is not a network.
					10.1.2.3/8      | the address has bits set after the first 8. Write "10.0.0.0/8" for the network, or the address
					2001:db8::1/32  | the address has bits set after the first 32. Write "2001:db8:0:0:0:0:0:0/32"
					""")
	void malformedNetworkIsRefused(String entry, String why) {
		assertThatExceptionOfType(InvalidAttributeException.class)
			.isThrownBy(() -> new KeyLists(List.of("fine"), List.of("fine", entry)))
			.withMessageContaining("deny[1] = \"" + entry + "\" is invalid: " + why);
	}

}
