package io.github.ratelimit.store.tck;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import org.junit.jupiter.api.Tag;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.Ban;
import io.github.ratelimit.Decision;
import io.github.ratelimit.Limit;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.store.Correction;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.Demands;
import io.github.ratelimit.store.StoreAnswer;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Bans on all stores: the third denial within ten seconds bans a key for a minute, and
 * later bans for up to four minutes. Every second one call is admitted.
 */
@Tag("every-redis")
class BanTests {

	private static final Ban BAN = new Ban(3, Duration.ofSeconds(10), Duration.ofMinutes(1), Duration.ofMinutes(4));

	private static final RateLimitRule LOGIN = rule(1, Duration.ofSeconds(1));

	private static final long MINUTE = 60_000;

	private static RateLimitRule rule(long max, Duration period) {
		return RateLimitRule.named("login").limit(max, period).ban(BAN).build().withDefault(Algorithm.SLIDING_LOG);
	}

	@StoreTest
	void denialThatBansNamesItsLimitAndTheBan(StoreUnderTest store) {
		Attempts attempts = new Attempts(store);
		assertThat(attempts.at(0)).isEqualTo("allowed");
		assertThat(attempts.at(100)).isEqualTo("login in 900");
		assertThat(attempts.at(200)).isEqualTo("login in 800");
		assertThat(attempts.at(300)).isEqualTo("login, login-ban in 60000");
		assertThat(attempts.at(400)).isEqualTo("login-ban in 59900");
		assertThat(attempts.at(60_299)).isEqualTo("login-ban in 1");
		assertThat(attempts.at(60_300)).isEqualTo("allowed");
	}

	@StoreTest
	void denialsCountWithinTheirTimeOnly(StoreUnderTest store) {
		Attempts attempts = new Attempts(store);
		attempts.at(0);
		assertThat(attempts.at(1)).isEqualTo("login in 999");
		attempts.at(5000);
		assertThat(attempts.at(5001)).isEqualTo("login in 999");
		attempts.at(10_000);
		assertThat(attempts.at(10_001)).isEqualTo("login in 999");
		assertThat(attempts.at(10_002)).isEqualTo("login, login-ban in 60000");
	}

	@StoreTest
	void denialsCountWithinTheShorterTimeIfItChanges(StoreUnderTest store) {
		Attempts attempts = new Attempts(store);
		Attempts longer = new Attempts(store,
				RateLimitRule.named("login")
					.limit(LOGIN.limits().get(0))
					.ban(new Ban(3, Duration.ofSeconds(20), Duration.ofMinutes(1)))
					.build(),
				attempts.key);
		attempts.at(0);
		assertThat(attempts.at(1)).isEqualTo("login in 999");
		attempts.at(5000);
		assertThat(attempts.at(5001)).isEqualTo("login in 999");
		longer.at(10_001);
		assertThat(longer.at(10_002)).as("the second within the time before").isEqualTo("login in 999");
		attempts.at(15_001);
		assertThat(attempts.at(15_002)).as("the second within the time from now on").isEqualTo("login in 999");
		assertThat(attempts.at(15_003)).isEqualTo("login, login-ban in 60000");
	}

	@StoreTest
	void attemptsDuringABanNeitherExtendItNorCount(StoreUnderTest store) {
		Attempts attempts = new Attempts(store);
		long end = attempts.ban(0);
		for (long time = 1000; time < end; time += 500) {
			assertThat(attempts.at(time)).isEqualTo("login-ban in " + (end - time));
		}
		attempts.at(end);
		assertThat(attempts.at(end + 1)).isEqualTo("login in 999");
		assertThat(attempts.at(end + 2)).isEqualTo("login in 998");
		assertThat(attempts.at(end + 3)).startsWith("login, login-ban");
	}

	@StoreTest
	void banThatFollowsSoonLastsTwiceAsLong(StoreUnderTest store) {
		Attempts attempts = new Attempts(store);
		long end = attempts.ban(0);
		for (long minutes : new long[] { 2, 4, 4 }) {
			long begun = end + MINUTE - 1 - 3;
			end = attempts.ban(begun);
			assertThat(end - begun - 3).isEqualTo(minutes * MINUTE);
		}
		assertThat(attempts.ban(end + MINUTE - 3) - end - MINUTE).as("a minute after the end").isEqualTo(MINUTE);
	}

	@StoreTest
	void banIsRememberedForTheShorterTimeIfItChanges(StoreUnderTest store) {
		Attempts attempts = new Attempts(store);
		Attempts longer = new Attempts(store,
				RateLimitRule.named("login")
					.limit(LOGIN.limits().get(0))
					.ban(new Ban(3, Duration.ofSeconds(10), Duration.ofMinutes(3), Duration.ofMinutes(9)))
					.build(),
				attempts.key);
		long end = longer.ban(0);
		assertThat(end).isEqualTo(3 + 3 * MINUTE);
		assertThat(attempts.ban(end + MINUTE - 3)).as("a minute after the end").isEqualTo(end + 2 * MINUTE);
	}

	@StoreTest
	void banLastsNoLongerThanTheLimit(StoreUnderTest store) {
		Attempts attempts = new Attempts(store, rule(1, Duration.ofHours(1)));
		attempts.at(0);
		attempts.at(1);
		attempts.at(2);
		assertThat(attempts.at(3)).isEqualTo("login, login-ban in 3599997");
		assertThat(attempts.at(MINUTE)).isEqualTo("login-ban in 3540000");
		assertThat(attempts.at(2 * MINUTE)).isEqualTo("login in 3480000");
	}

	@StoreTest
	void callsThatTakeNothingDoNotCountAndShowTheBan(StoreUnderTest store) {
		Attempts attempts = new Attempts(store);
		attempts.at(0);
		for (int i = 0; i < 9; i++) {
			assertThat(attempts.at(1, 0)).isEqualTo("allowed");
			assertThat(attempts.peek(1)).isEqualTo("login in 999");
			assertThat(attempts.at(1, 2)).isEqualTo("login never");
		}
		long end = attempts.ban(2000);
		assertThat(attempts.at(end - 1, 0)).isEqualTo("login-ban in 1");
		assertThat(attempts.peek(end - 1)).isEqualTo("login-ban in 1");
		assertThat(attempts.at(end - 1, 2)).isEqualTo("login-ban never");
		assertThat(attempts.at(end, 0)).isEqualTo("allowed");
	}

	@StoreTest
	void resetLiftsTheBan(StoreUnderTest store) {
		Attempts attempts = new Attempts(store);
		attempts.ban(0);
		store.reset(LOGIN, attempts.key);
		assertThat(attempts.at(10)).isEqualTo("allowed");
		assertThat(attempts.ban(1010)).as("nothing is remembered").isEqualTo(1013 + MINUTE);
	}

	@StoreTest
	void refundLiftsNoBan(StoreUnderTest store) {
		Attempts attempts = new Attempts(store);
		attempts.ban(0);
		store.correct(List.of(Correction.refund(new Demand(LOGIN, attempts.key, 1), Correction.NEWEST)));
		assertThat(attempts.at(2000)).startsWith("login-ban");
	}

	@StoreTest
	void callsThatWaitAreNoDenialsAndNobodyWaitsForTheEndOfABan(StoreUnderTest store) {
		Attempts attempts = new Attempts(store).waiting(Duration.ofSeconds(2));
		attempts.at(0);
		assertThat(attempts.at(0)).isEqualTo("allowed in 1000");
		assertThat(attempts.at(0)).isEqualTo("allowed in 2000");
		assertThat(attempts.at(0)).isEqualTo("login in 1000");
		assertThat(attempts.at(0)).isEqualTo("login in 1000");
		assertThat(attempts.at(0)).isEqualTo("login, login-ban in 60000");
		assertThat(attempts.at(59_999)).isEqualTo("login-ban in 1");
		assertThat(attempts.at(60_000)).isEqualTo("allowed");
	}

	@StoreTest
	void eachRuleOfACallCountsTheDenialsOfItsOwnLimits(StoreUnderTest store) {
		RateLimitRule other = RateLimitRule.named("other")
			.limit(Limit.of(100, Duration.ofHours(1)).withAlgorithm(Algorithm.SLIDING_LOG))
			.ban(BAN)
			.build();
		Attempts attempts = new Attempts(store);
		Demands both = Demands.of(new Demand(other, attempts.key, 1), new Demand(LOGIN, attempts.key, 1));
		store.setClock(AlgorithmOnStore.NOW);
		assertThat(Attempts.describe(store.answer(both))).isEqualTo("allowed");
		assertThat(Attempts.describe(store.answer(both))).isEqualTo("login in 1000");
		assertThat(Attempts.describe(store.answer(both))).isEqualTo("login in 1000");
		assertThat(Attempts.describe(store.answer(both))).isEqualTo("login, login-ban in 60000");
		assertThat(Attempts.describe(store.answer(both))).isEqualTo("login-ban in 60000");
		assertThat(store.answer(new Demand(other, attempts.key, 1)).remaining()).as("one was counted").isEqualTo(98);
	}

	@StoreTest
	void clockSetBackLengthensABanByItsTimeSoFarAtMost(StoreUnderTest store) {
		Attempts attempts = new Attempts(store);
		attempts.ban(0);
		assertThat(attempts.at(-1_000_000)).isEqualTo("login-ban in 60000");
		assertThat(attempts.at(-940_001)).isEqualTo("login-ban in 1");
		assertThat(attempts.at(-940_000)).isEqualTo("allowed");
	}

	@StoreTest
	void denialsMoveBackWithTheClock(StoreUnderTest store) {
		Attempts attempts = new Attempts(store);
		attempts.at(0);
		attempts.at(1);
		store.correct(List.of(Correction.refund(new Demand(LOGIN, attempts.key, 1), Correction.NEWEST)));
		assertThat(attempts.at(-1_000_000)).as("moves the first denial back").isEqualTo("allowed");
		assertThat(attempts.at(-995_000)).isEqualTo("allowed");
		assertThat(attempts.at(-994_999)).isEqualTo("login in 999");
		assertThat(attempts.at(-990_000)).isEqualTo("allowed");
		assertThat(attempts.at(-989_999)).as("the second denial within ten seconds").isEqualTo("login in 999");
		assertThat(attempts.at(-989_998)).isEqualTo("login, login-ban in 60000");
	}

	@StoreTest
	void banEndsWithTheBlockOfTheRule(StoreUnderTest store) {
		Attempts attempts = new Attempts(store);
		attempts.ban(0);
		Attempts without = new Attempts(store, RateLimitRule.named("login").limit(LOGIN.limits().get(0)).build(),
				attempts.key);
		assertThat(without.at(2000)).isEqualTo("allowed");
		assertThat(attempts.at(2001)).startsWith("login-ban");
	}

	@StoreTest
	void firstDenialBansIfOneIsEnough(StoreUnderTest store) {
		Attempts attempts = new Attempts(store,
				RateLimitRule.named("login")
					.limit(LOGIN.limits().get(0))
					.ban(new Ban(1, Duration.ofSeconds(1), Duration.ofSeconds(5)))
					.build());
		attempts.at(0);
		assertThat(attempts.at(1)).isEqualTo("login, login-ban in 5000");
		assertThat(attempts.at(5001)).isEqualTo("allowed");
		assertThat(attempts.at(5002)).isEqualTo("login, login-ban in 5000");
	}

	@StoreTest
	void ofSimultaneousDenialsExactlyOneBans(StoreUnderTest store) throws Exception {
		RateLimitRule rule = RateLimitRule.named("login")
			.limit(1, Duration.ofHours(1))
			.algorithm(Algorithm.SLIDING_LOG)
			.ban(new Ban(50, Duration.ofMinutes(10), Duration.ofHours(1)))
			.build();
		Demand attempt = new Demand(rule, AlgorithmOnStore.freshKey(), 1);
		List<StoreAnswer> answers = Simultaneous.calls(200, store.instancesOnTheRealClock(),
				(instance, number) -> instance.acquire(attempt));
		Map<String, Integer> outcomes = new TreeMap<>();
		answers.forEach((answer) -> outcomes.merge(String.join(", ", answer.violated()), 1, Integer::sum));
		assertThat(outcomes).isEqualTo(Map.of("", 1, "login", 49, "login, login-ban", 1, "login-ban", 149));
	}

	/**
	 * Attempts of one key, at milliseconds.
	 */
	private static final class Attempts {

		private final StoreUnderTest store;

		private final RateLimitRule rule;

		private final String key;

		private Duration maxWait = Duration.ZERO;

		Attempts(StoreUnderTest store) {
			this(store, LOGIN);
		}

		Attempts(StoreUnderTest store, RateLimitRule rule) {
			this(store, rule, AlgorithmOnStore.freshKey());
		}

		Attempts(StoreUnderTest store, RateLimitRule rule, String key) {
			this.store = store;
			this.rule = rule;
			this.key = key;
		}

		Attempts waiting(Duration maxWait) {
			this.maxWait = maxWait;
			return this;
		}

		String at(long millis) {
			return at(millis, 1);
		}

		String at(long millis, long cost) {
			this.store.setClock(AlgorithmOnStore.NOW + millis * 1000);
			return describe(this.store.answer(new Demand(this.rule, this.key, cost, this.maxWait)));
		}

		String peek(long millis) {
			this.store.setClock(AlgorithmOnStore.NOW + millis * 1000);
			return describe(this.store.answerToPeek(new Demand(this.rule, this.key, 1)));
		}

		/**
		 * Call four times, a millisecond apart, which bans the key.
		 * @return the end of the ban
		 */
		long ban(long millis) {
			assertThat(at(millis)).isEqualTo("allowed");
			at(millis + 1);
			at(millis + 2);
			String banned = at(millis + 3);
			assertThat(banned).startsWith("login, login-ban in ");
			return millis + 3 + Long.parseLong(banned.substring("login, login-ban in ".length()));
		}

		static String describe(StoreAnswer answer) {
			Decision decision = new Decision(answer, Decision.Origin.LOCAL);
			if (decision.allowed()) {
				return decision.delay().isZero() ? "allowed" : "allowed in " + decision.delay().toMillis();
			}
			return String.join(", ", decision.violated()) + (decision.retryAfter().equals(Decision.NEVER) ? " never"
					: " in " + decision.retryAfter().toMillis());
		}

	}

}
