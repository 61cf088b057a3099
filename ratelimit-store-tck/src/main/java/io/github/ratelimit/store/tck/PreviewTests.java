package io.github.ratelimit.store.tck;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

import io.github.ratelimit.Ban;
import io.github.ratelimit.Limit;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.Demands;
import io.github.ratelimit.store.StoreAnswer;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A preview returns the answer that the same call then gets, field by field, and changes
 * nothing.
 */
class PreviewTests {

	private static final int CALLS = Seeds.steps(4_000) / 10;

	@CommonTest
	void returnsTheAnswerThatTheCallThenGets(AlgorithmOnStore on) {
		Random random = new Random(Seeds.seeds().findFirst().orElseThrow());
		for (int walk = 0; walk < 10; walk++) {
			List<RateLimitRule> rules = List.of(rule(on, random, "one"), rule(on, random, "two"));
			List<String> keys = List.of(AlgorithmOnStore.freshKey(), AlgorithmOnStore.freshKey());
			long now = AlgorithmOnStore.NOW;
			for (int i = 0; i < CALLS / 10; i++) {
				now += gap(random);
				on.store().setClock(now);
				Demands demands = demands(rules, keys, random);
				StoreAnswer previewed = on.store().store().preview(demands);
				assertThat(fields(on.store().store().preview(demands))).isEqualTo(fields(previewed));
				assertThat(fields(on.store().answer(demands)))
					.as(() -> demands.asList() + " as previewed: " + previewed)
					.isEqualTo(fields(previewed));
			}
		}
	}

	private static String fields(StoreAnswer answer) {
		return answer.asList()
			.stream()
			.map((each) -> each.time() + " " + each.outcomes() + ' ' + each.ban())
			.toList()
			.toString();
	}

	private static RateLimitRule rule(AlgorithmOnStore on, Random random, String name) {
		Limit limit = on.algorithm().limit(1 + random.nextInt(5), Duration.ofMillis(1 + random.nextInt(2000)));
		RateLimitRule.Builder rule = RateLimitRule.named(name + random.nextInt(1_000_000));
		boolean several = random.nextBoolean();
		rule.limit(several ? limit.withName("short") : limit);
		if (several) {
			rule.limit(on.algorithm().limit(5 + random.nextInt(10), Duration.ofSeconds(10)).withName("long"));
		}
		if (random.nextInt(3) == 0) {
			rule.ban(new Ban(1 + random.nextInt(4), Duration.ofSeconds(2), Duration.ofSeconds(1)));
		}
		return rule.build();
	}

	private static Demands demands(List<RateLimitRule> rules, List<String> keys, Random random) {
		List<Demand> demands = new ArrayList<>();
		for (RateLimitRule rule : rules) {
			Duration maxWait = (random.nextInt(4) == 0) ? Duration.ofMillis(random.nextInt(2000)) : Duration.ZERO;
			demands.add(new Demand(rule, keys.get(random.nextInt(2)), random.nextInt(8) / 3, maxWait));
		}
		return Demands.of((random.nextInt(3) == 0) ? demands : demands.subList(0, 1));
	}

	private static long gap(Random random) {
		return switch (random.nextInt(4)) {
			case 0 -> 0;
			case 1 -> random.nextInt(3_000_000);
			default -> random.nextInt(300_000);
		};
	}

}
