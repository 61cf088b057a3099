package io.github.ratelimit.engine;

import java.time.Duration;
import java.util.List;
import java.util.function.UnaryOperator;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import io.github.ratelimit.Adaptive;
import io.github.ratelimit.Algorithm;
import io.github.ratelimit.Ban;
import io.github.ratelimit.Headroom;
import io.github.ratelimit.Limit;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.Reservation;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.local.LocalRateLimitStore;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Ends of calls whose rule has changed: they forgive nothing that was counted since, and
 * never fail.
 */
class RulesInForceTests {

	private static final Duration HOUR = Duration.ofHours(1);

	private static final Limit RATE = Limit.of(10, Duration.ofDays(1))
		.withAlgorithm(Algorithm.SLIDING_LOG)
		.withName("rate");

	private static final Limit HOURLY = Limit.of(10, HOUR).withName("hourly");

	@AutoClose
	private final RateLimitEngine engine = Engines.over(new LocalRateLimitStore(100));

	private final RuleRegistry registry = new RuleRegistry(this.engine, Algorithm.SLIDING_LOG, List.of());

	@ParameterizedTest
	@EnumSource(value = Algorithm.class, mode = EnumSource.Mode.EXCLUDE,
			names = { "DEFAULT", "LEAKY_BUCKET", "WARM_UP", "CONCURRENCY" })
	void raisedLimitKeepsItsCounts(Algorithm algorithm) {
		DecidedCall first = acquire(register(2, algorithm), 2);
		RateLimitRule raised = register(100, algorithm);
		assertThat(acquire(raised, 98).isAllowed()).isTrue();
		first.refund();
		assertThat(remaining(raised)).isBetween(1L, 2L);
	}

	@Test
	void algorithmThatDidNotCountTheCallGivesNothingBack() {
		DecidedCall first = acquire(register(10, Algorithm.SLIDING_LOG), 5);
		RateLimitRule changed = register(10, Algorithm.TOKEN_BUCKET);
		acquire(changed, 5);
		first.refund();
		assertThat(remaining(changed)).isEqualTo(5);
	}

	@Test
	void ruleThatIsNotRegisteredIsRefundedByItself() {
		RateLimitRule rule = rule(10, Algorithm.SLIDING_LOG);
		acquire(rule, 5).refund();
		assertThat(remaining(rule)).isEqualTo(10);
	}

	/**
	 * Changes that trade an attribute of the rule for one of its limit, which no rule has
	 * both.
	 */
	enum Trade {

		HEADROOM_FOR_COUNT_DENIED((rule) -> rule.headroom("low", Headroom.ofUnits(1)),
				(limit) -> limit.countDenied(true)),

		BAN_FOR_COUNT_DENIED((rule) -> rule.ban(new Ban(5, HOUR, HOUR)), (limit) -> limit.countDenied(true)),

		PREFETCH_FOR_COUNT_DENIED((rule) -> rule.prefetch(Duration.ofMillis(20)), (limit) -> limit.countDenied(true)),

		PREFETCH_FOR_MIN_INTERVAL((rule) -> rule.prefetch(Duration.ofMillis(20)),
				(limit) -> limit.minInterval(Duration.ofMillis(1))),

		CANDIDATES_FOR_ADAPTIVE((rule) -> rule.candidate("more", Limit.of(20, HOUR)), (limit) -> limit
			.adaptive(new Adaptive("memory", new Adaptive.Point(0.98, 10), new Adaptive.Point(0.99, 10))));

		private final UnaryOperator<RateLimitRule.Builder> before;

		private final UnaryOperator<Limit.Builder> after;

		Trade(UnaryOperator<RateLimitRule.Builder> before, UnaryOperator<Limit.Builder> after) {
			this.before = before;
			this.after = after;
		}

	}

	@ParameterizedTest
	@EnumSource
	void callIsRefundedAfterAnAttributeOfTheRuleWasTradedForOneOfItsLimit(Trade trade) {
		RateLimiter limiter = this.registry
			.register(trade.before.apply(RateLimitRule.named("changing").limit(RATE)).build());
		Reservation call = limiter.reserve("key", 4);
		this.registry
			.register(RateLimitRule.named("changing").limit(trade.after.apply(RATE.toBuilder()).build()).build());
		assertThat(limiter.peek("key").remaining()).isEqualTo(6);
		call.cancel();
		assertThat(limiter.peek("key").remaining()).isEqualTo(10);
	}

	@Test
	void callFreesItsSlotAfterAnAttributeOfTheRuleWasTradedForOneOfAnotherLimit() {
		Limit slots = Limit.ofConcurrency(1).withName("slots");
		RateLimiter limiter = this.registry.register(
				RateLimitRule.named("changing").limit(RATE).limit(slots).headroom("low", Headroom.ofUnits(0)).build());
		Reservation call = limiter.reserve("key", 1);
		Limit denied = RATE.toBuilder().countDenied(true).build();
		this.registry.register(RateLimitRule.named("changing").limit(denied).limit(slots).build());
		call.close();
		assertThat(limiter.reserve("key", 1).decision().allowed()).isTrue();
	}

	/**
	 * Its slot is in force again when the limit is back.
	 */
	@Test
	void callFreesTheSlotOfALimitThatWasRemovedTogetherWithAnAttributeOfTheRule() {
		Limit slots = Limit.ofConcurrency(1).withName("slots");
		RateLimitRule rule = RateLimitRule.named("changing")
			.limit(RATE)
			.limit(slots)
			.headroom("low", Headroom.ofUnits(0))
			.build();
		RateLimiter limiter = this.registry.register(rule);
		Reservation call = limiter.reserve("key", 1);
		Limit denied = RATE.toBuilder().countDenied(true).build();
		this.registry.register(RateLimitRule.named("changing").limit(denied).limit(HOURLY).build());
		call.close();
		this.registry.register(rule);
		assertThat(limiter.reserve("key", 1).decision().allowed()).isTrue();
	}

	private RateLimitRule register(long max, Algorithm algorithm) {
		RateLimitRule rule = rule(max, algorithm);
		this.registry.register(rule);
		return rule;
	}

	private static RateLimitRule rule(long max, Algorithm algorithm) {
		return RateLimitRule.named("changing").limit(max, Duration.ofDays(100)).algorithm(algorithm).build();
	}

	private DecidedCall acquire(RateLimitRule rule, long cost) {
		return this.engine.acquire(new Demand(rule, "key", cost));
	}

	private long remaining(RateLimitRule rule) {
		return this.engine.keys().peek(new Demand(rule, "key", 1)).remaining();
	}

}
