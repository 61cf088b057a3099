package io.github.ratelimit.store.local;

import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import io.github.ratelimit.store.Correction;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.RuleCounts;
import io.github.ratelimit.store.RuleVariants;
import io.github.ratelimit.store.StoredKey;

import static io.github.ratelimit.store.local.FallbackCalls.DAY;
import static io.github.ratelimit.store.local.FallbackCalls.charge;
import static io.github.ratelimit.store.local.FallbackCalls.log;
import static io.github.ratelimit.store.local.FallbackCalls.rule;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Fallback counts of a rule some of whose keys have numbers of their own.
 */
class FallbackKeyNumbersTests {

	private final LocalRateLimitStore back = new LocalRateLimitStore(1_000);

	private final LocalFallbackStore fallback = new LocalFallbackStore(100, 1);

	private final RuleCounts rule = RuleCounts.of(rule(log(60, DAY)));

	@ParameterizedTest
	@ValueSource(longs = { 1, 900 })
	void keyIsChargedByItsNumbersRegardlessOfTheKeyThatWasCalledLast(long max) {
		RuleCounts changed = withMax(this.rule, max);
		take(changed, "other", max);
		take(this.rule, "alice", 60);
		take(changed, "mallory", 1);
		assertThat(charge(this.fallback, this.back)).containsExactlyInAnyOrder(charged(changed, "other", max),
				charged(this.rule, "alice", 60), charged(changed, "mallory", 1));
		assertThat(remaining(this.rule, "alice")).isZero();
		assertThat(remaining(changed, "other")).isZero();
		assertThat(remaining(changed, "mallory")).isEqualTo(max - 1);
	}

	/**
	 * The store counts as many of the units as are left.
	 */
	@Test
	void numbersOfAKeyHoldUntilTheRuleChangesAndItsUnitsStayCounted() {
		RuleCounts changed = withMax(this.rule, 900);
		take(changed, "acme", 100);
		RuleCounts later = RuleCounts.of(rule(log(80, DAY)));
		take(later, "alice", 1);
		assertThat(charge(this.fallback, this.back)).containsExactlyInAnyOrder(charged(later, "acme", 100),
				charged(later, "alice", 1));
		assertThat(remaining(later, "acme")).isZero();
		assertThat(remaining(later, "alice")).isEqualTo(79);
	}

	private static RuleCounts withMax(RuleCounts counts, long max) {
		return RuleVariants.of(counts).withNumbers(counts.rule().withLimits(List.of(log(max, DAY))));
	}

	private void take(RuleCounts counts, String key, long cost) {
		assertThat(this.fallback.acquire(new Demand(counts, StoredKey.of(key), cost)).isAdmitted()).isTrue();
	}

	private long remaining(RuleCounts counts, String key) {
		return this.back.peek(new Demand(counts, StoredKey.of(key), 1)).outcomes().get(0).remaining();
	}

	private static Correction charged(RuleCounts counts, String key, long units) {
		return Correction.charge(counts, StoredKey.of(key), List.of(units), 0);
	}

}
