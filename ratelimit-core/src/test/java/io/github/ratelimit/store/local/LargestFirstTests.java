package io.github.ratelimit.store.local;

import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;

import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.store.tck.Seeds;
import io.github.ratelimit.store.tck.AlgorithmUnderTest;
import io.github.ratelimit.store.RuleCounts;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The rule with the most entries is first after any addition or removal.
 */
class LargestFirstTests {

	private static final RuleCounts RULE = RuleCounts
		.of(RateLimitRule.named("rule").limit(AlgorithmUnderTest.SLIDING_LOG.limit(5, Duration.ofMinutes(1))).build());

	@Test
	void ruleWithTheMostEntriesIsFirst() {
		Seeds.seeds().forEach((seed) -> {
			Random random = new Random(seed);
			LargestFirst largestFirst = new LargestFirst();
			List<LocalRule> rules = IntStream.range(0, 20).mapToObj((i) -> rule("rule-" + i)).toList();
			rules.forEach(largestFirst::add);
			for (int step = 0; step < 10_000; step++) {
				LocalRule rule = rules.get(random.nextInt(1 + random.nextInt(20)));
				if (!largestFirst.contains(rule)) {
					largestFirst.add(rule);
				}
				if (rule.size() > 0 && random.nextBoolean()) {
					rule.evictOne(0, 0);
					largestFirst.hasShrunk(rule);
				}
				else if (rule.size() == 0 && random.nextBoolean()) {
					largestFirst.remove(rule);
				}
				else {
					rule.add(new Entry(rule, RULE, "key", 1));
					largestFirst.hasGrown(rule);
				}
				assertThat(rules.stream().filter((each) -> !largestFirst.contains(each)))
					.allMatch((each) -> each.size() == 0);
				assertThat(largestFirst.first().evictable()).as("seed %d, step %d", seed, step)
					.isEqualTo(rules.stream().mapToInt((each) -> each.evictable()).max().orElseThrow());
			}
		});
	}

	private static LocalRule rule(String name) {
		return new LocalRule(name);
	}

}
