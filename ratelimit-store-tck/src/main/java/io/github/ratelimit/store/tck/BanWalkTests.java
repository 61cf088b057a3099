package io.github.ratelimit.store.tck;

import java.time.Duration;
import java.util.List;
import java.util.Random;

import org.junit.jupiter.api.Tag;

import io.github.ratelimit.Ban;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.store.BanOutcome;
import io.github.ratelimit.store.Correction;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.RuleAnswer;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Law 8 for bans: random calls of a key get the same answers on all stores, field by
 * field, and are banned as by an oracle that remembers all of them.
 */
@Tag("every-redis")
class BanWalkTests {

	private static final int STEPS = Seeds.steps(10_000);

	private static final int STEPS_PER_WALK = 100;

	@CommonWalk
	void keysAreBannedAsByTheOracle(AlgorithmOnStore on, long seed) {
		Random random = new Random(seed);
		for (int walk = 0; walk < STEPS / STEPS_PER_WALK; walk++) {
			new Walk(on, random, false).run(walk);
		}
	}

	@CommonWalk
	void storesAgreeWhenClockAndRuleChange(AlgorithmOnStore on, long seed) {
		Random random = new Random(seed);
		for (int walk = 0; walk < STEPS / STEPS_PER_WALK; walk++) {
			new Walk(on, random, true).run(walk);
		}
	}

	/**
	 * Random walk of one key.
	 */
	private static final class Walk {

		private final StoreUnderTest store;

		private final AlgorithmOnStore on;

		private final Random random;

		private final boolean disturbed;

		private final String key = AlgorithmOnStore.freshKey();

		private final BanOracle oracle;

		private RateLimitRule rule;

		private long now = AlgorithmOnStore.NOW;

		Walk(AlgorithmOnStore on, Random random, boolean disturbed) {
			this.store = on.store();
			this.on = on;
			this.random = random;
			this.disturbed = disturbed;
			this.rule = rule();
			this.oracle = this.disturbed ? null : new BanOracle(this.rule.ban());
		}

		private RateLimitRule rule() {
			Duration lasting = millis(1, 5000);
			Ban ban = new Ban(1 + this.random.nextInt(5), millis(1, 5000), lasting,
					lasting.multipliedBy(1 + this.random.nextInt(5)));
			return RateLimitRule.named("rule")
				.limit(this.on.algorithm().limit(1 + this.random.nextInt(5), millis(1, 2000)))
				.ban((this.disturbed && this.random.nextInt(5) == 0) ? null : ban)
				.build();
		}

		private Duration millis(int from, int to) {
			return Duration.ofMillis(from + this.random.nextInt(to - from));
		}

		void run(int number) {
			RuleAnswer last = null;
			for (int i = 0; i < STEPS_PER_WALK; i++) {
				int position = i;
				this.now += gap(last);
				if (this.disturbed) {
					disturb();
				}
				this.store.setClock(this.now);
				Duration maxWait = (this.random.nextInt(4) == 0) ? millis(0, 2000) : Duration.ZERO;
				Demand demand = new Demand(this.rule, this.key, cost(), maxWait);
				boolean peek = this.random.nextInt(10) == 0;
				RuleAnswer answer = peek ? this.store.answerToPeek(demand) : this.store.answer(demand).get(0);
				if (!this.disturbed) {
					assertThat(answer.ban())
						.as(() -> "walk %d, step %d, %s: %s".formatted(number, position, demand, answer))
						.isEqualTo(this.oracle.ban(this.now, !peek && isDenialThatMayCount(answer)));
				}
				last = answer;
			}
		}

		/**
		 * Return whether a limit denies the call, which does not cost too much and is no
		 * peek.
		 */
		private static boolean isDenialThatMayCount(RuleAnswer answer) {
			long retryAfter = answer.retryAfter(0);
			return answer.demand().cost() > 0 && retryAfter > 0;
		}

		private long cost() {
			return switch (this.random.nextInt(8)) {
				case 0 -> 0;
				case 1 -> 2 + this.random.nextInt(10);
				default -> 1;
			};
		}

		private long gap(RuleAnswer last) {
			BanOutcome ban = (last != null) ? last.ban() : null;
			return switch (this.random.nextInt(12)) {
				case 0, 1, 2, 3 -> 0;
				case 4, 5, 6 -> this.random.nextInt(100_000);
				case 7 -> this.random.nextInt(3_000_000);
				case 8 -> (ban != null) ? ban.forgottenAfter() - this.random.nextInt(2) : 1;
				case 9 -> (last != null) ? Math.max(0, last.retryAfter()) : 0;
				default -> (ban != null) ? ban.endsAfter() - this.random.nextInt(2) : this.random.nextInt(10);
			};
		}

		private void disturb() {
			switch (this.random.nextInt(30)) {
				case 0 -> this.now -= this.random.nextInt(10_000_000);
				case 1 -> this.rule = rule();
				case 2 -> this.store.reset(this.rule, this.key);
				case 3 -> this.store
					.correct(List.of(Correction.refund(new Demand(this.rule, this.key, 1), Correction.NEWEST)));
				default -> {
				}
			}
		}

	}

}
