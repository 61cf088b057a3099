package io.github.ratelimit.fuzz;

import java.time.Duration;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.Align;
import io.github.ratelimit.Ban;
import io.github.ratelimit.CalendarUnit;
import io.github.ratelimit.Limit;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.LimitOutcome;
import io.github.ratelimit.store.RuleAnswer;
import io.github.ratelimit.store.RuleCounts;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A rule per form of a stored state, and what holds for every decision, whatever the
 * state is.
 */
public final class FuzzedRules {

	/**
	 * The time at which all calls are decided, in microseconds.
	 */
	public static final long NOW = TimeUnit.DAYS.toMicros(20_000) + 123_456_789;

	private static final int MAX = 3;

	private static final Duration PERIOD = Duration.ofMinutes(1);

	private static final long LONGEST = TimeUnit.DAYS.toMicros(40_000);

	private static final List<RuleCounts> RULES = List.of(rule(limit(Algorithm.SLIDING_LOG)),
			rule(limit(Algorithm.SLIDING_WINDOW)), rule(limit(Algorithm.WEIGHTED_WINDOW)),
			rule(limit(Algorithm.FIXED_WINDOW)), rule(limit(Algorithm.FIXED_WINDOW).withAlign(Align.FIRST_REQUEST)),
			rule(Limit.ofCalendar(MAX, CalendarUnit.DAY, ZoneOffset.UTC)), rule(limit(Algorithm.TOKEN_BUCKET)),
			rule(limit(Algorithm.LEAKY_BUCKET).withBurst(MAX)),
			rule(Limit.of(MAX, Duration.ofSeconds(1))
				.withWarmUpPeriod(Duration.ofSeconds(10))
				.withAlgorithm(Algorithm.WARM_UP)),
			rule(limit(Algorithm.SLIDING_LOG).withMinInterval(Duration.ofMillis(1))), rule(Limit.ofConcurrency(MAX)),
			RuleCounts.of(named().limit(limit(Algorithm.TOKEN_BUCKET)).settle("#result").build()),
			RuleCounts.of(named().limit(limit(Algorithm.SLIDING_LOG)).prefetch(Duration.ofMillis(20)).build()),
			RuleCounts.of(named().limit(limit(Algorithm.FIXED_WINDOW))
				.ban(new Ban(2, Duration.ofMinutes(1), Duration.ofHours(1)))
				.build()));

	private static final AtomicLong calls = new AtomicLong();

	private FuzzedRules() {
	}

	private static Limit limit(Algorithm algorithm) {
		return Limit.of(MAX, PERIOD).withAlgorithm(algorithm);
	}

	private static RateLimitRule.Builder named() {
		return RateLimitRule.named("fuzzed");
	}

	private static RuleCounts rule(Limit limit) {
		return RuleCounts.of(named().limit(limit).build());
	}

	/**
	 * Return how many rules there are.
	 */
	public static int size() {
		return RULES.size();
	}

	/**
	 * Return a call that costs one unit, of the rule that an input begins with.
	 */
	public static Demand call(FuzzInput from) {
		return new Demand(RULES.get(from.below(RULES.size())), "secret-" + calls.incrementAndGet(), 1);
	}

	/**
	 * Make calls until one is denied. No more are admitted than the limit holds.
	 * @param decide decides a call
	 * @return the calls that were admitted
	 */
	public static List<Demand> assertDecided(Demand call, Function<Demand, RuleAnswer> decide) {
		List<Demand> admitted = new ArrayList<>();
		Demand next = call;
		RuleAnswer answer = decide.apply(next);
		while (answer.isAdmitted() && admitted.size() <= MAX) {
			assertAnswer(answer);
			admitted.add(next);
			next = new Demand(call.counts(), call.key(), call.cost());
			answer = decide.apply(next);
		}
		assertAnswer(answer);
		assertThat(admitted).as("admitted at once").hasSizeLessThanOrEqualTo(MAX);
		return admitted;
	}

	/**
	 * Verify that all numbers of an answer are possible.
	 */
	public static void assertAnswer(RuleAnswer answer) {
		for (LimitOutcome outcome : answer.outcomes()) {
			assertThat(outcome.remaining()).as("remaining").isBetween(0L, (long) MAX);
			assertThat(outcome.retryAfter()).as("retry-after")
				.satisfiesAnyOf((time) -> assertThat(time).isBetween(LimitOutcome.NEVER, LONGEST),
						(time) -> assertThat(time).isEqualTo(LimitOutcome.UNKNOWN));
			assertThat(outcome.resetAfter()).as("reset-after").isBetween(0L, LONGEST);
		}
	}

}
