package io.github.ratelimit.actuate.endpoint;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.Ban;
import io.github.ratelimit.Decision;
import io.github.ratelimit.KeyOverride;
import io.github.ratelimit.Limit;
import io.github.ratelimit.LimitStatus;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.engine.KeyMaintenance.KeyExemption;
import io.github.ratelimit.engine.KeyMaintenance.KeyState;
import io.github.ratelimit.store.BanOutcome;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.LimitOutcome;
import io.github.ratelimit.store.RuleAnswer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Sentences about the state of a key.
 */
class KeyDescriptionTests {

	private static final Instant NOW = Instant.parse("2026-11-23T19:00:00Z");

	private static final Duration MINUTE = Duration.ofMinutes(1);

	@Test
	void timesBeyondAnHourAreInstants() {
		assertThat(explain(Duration.ofHours(1), null)).contains("unused again in 3600 s.")
			.contains("The next call passes in 3600 s, because of \"sign-in\".");
		assertThat(explain(Duration.ofHours(173), null)).contains("unused again at 2026-12-01T00:00:00Z.")
			.contains("The next call passes at 2026-12-01T00:00:00Z, because of \"sign-in\".");
	}

	@Test
	void longerWaitIsExplainedByItsCause() {
		assertThat(explain(MINUTE, Duration.ofMinutes(10)))
			.contains("banned after 3 denials until 2026-11-23T19:10:00Z")
			.contains("The next call passes in 600 s, because of \"sign-in-ban\".");
		assertThat(explain(MINUTE, Duration.ofSeconds(10)))
			.contains("banned after 3 denials until 2026-11-23T19:00:10Z")
			.contains("The next call passes in 60 s, because of \"sign-in\".");
	}

	@Test
	void onlyLimitsThatDenyForLongerThanTheBanAreNamed() {
		RateLimitRule rule = RateLimitRule.named("sms").limit(1, MINUTE).ban(new Ban(3, MINUTE, MINUTE)).build();
		Duration day = Duration.ofDays(1);
		Decision denial = new Decision(false, "sms", 1, 0, day, day, Duration.ZERO,
				List.of(new LimitStatus("minute", 1, 1, MINUTE, 0, MINUTE, MINUTE),
						new LimitStatus("day", 9, 9, day, 0, day, day)),
				Decision.Origin.LOCAL, List.of(new Decision.Denial("sms", "sms-ban", Decision.Cause.BAN)));
		assertThat(new KeyDescription(rule, "ann", state(denial, MINUTE, Map.of()), "local",
				new KeyExemption(null, null, null, null), NOW)
			.explain()).contains("The next call passes at 2026-11-24T19:00:00Z, because of \"day\".");
	}

	@Test
	void unitsThatInstancesHoldAreNotAmongThoseLeft() {
		RateLimitRule rule = RateLimitRule.named("reply").limit(5, MINUTE).prefetch(Duration.ofMillis(20)).build();
		Decision decision = new Decision(true, "reply", 5, 5, Duration.ZERO, Duration.ZERO, Duration.ZERO,
				List.of(new LimitStatus("reply", 5, 5, MINUTE, 5, Duration.ZERO, Duration.ZERO)), Decision.Origin.REDIS,
				List.of());
		assertThat(new KeyDescription(rule, "ann", state(decision, null, Map.of()), "local",
				new KeyExemption(null, null, null, null), NOW)
			.explain()).last()
			.isEqualTo(
					"These are the counters in Redis, of all instances together. Units that instances hold, for 20ms "
							+ "at most, are not among those left.");
	}

	@Test
	void blockOfThisInstanceIsExplained() {
		assertThat(explain(MINUTE, null, new KeyExemption(null, null, null, MINUTE)))
			.contains("Every call of this instance is denied until 2026-11-23T19:01:00Z, because an API requested it.")
			.doesNotContain("The next call passes");
		assertThat(explain(MINUTE, null, new KeyExemption(KeyOverride.max(9), null, null, MINUTE)))
			.contains("has 9 until that is removed. Every call of this instance is denied until");
		assertThat(explain(MINUTE, null, new KeyExemption(KeyOverride.blocked(), null, null, MINUTE)))
			.doesNotContain("of this instance");
	}

	@Test
	void slotsAreFreeWhenRunningCallsHaveEnded() {
		RateLimitRule rule = RateLimitRule.named("export").limit(Limit.ofConcurrency(3)).build();
		LimitStatus slots = new LimitStatus("export", "export", 3, 3, Duration.ZERO, 0, Duration.ZERO, Duration.ZERO,
				null, null, false);
		Decision denial = new Decision(false, "export", 3, 0, Duration.ZERO, Duration.ZERO, Duration.ZERO,
				List.of(slots), Decision.Origin.REDIS, List.of(new Decision.Denial("export")));
		KeyDescription description = new KeyDescription(rule, "acme", state(denial, null, Map.of()), "local",
				new KeyExemption(null, null, null, null), NOW);
		assertThat(String.join(" ", description.explain()))
			.contains("Limit \"export\" admits 3 at once: 3 of 3 held by running calls, 0 left.")
			.contains("The next call passes when running calls have ended, because of \"export\".");
		assertThat(description.describe()).doesNotContainKey("nextCallAfterMs")
			.extractingByKey("limits")
			.asString()
			.isEqualTo("[{name=export, max=3, capacity=3, used=3, remaining=0}]");
	}

	@ParameterizedTest
	@CsvSource({ "REDIS, Redis", "JDBC, The database" })
	void storeThatCannotAnswerIsNamed(Decision.Origin store, String name) {
		RateLimitRule rule = RateLimitRule.named("reply").limit(5, MINUTE).build();
		Decision decision = new Decision(true, "reply", 5, 5, Duration.ZERO, Duration.ZERO, Duration.ZERO,
				List.of(new LimitStatus("reply", 5, 5, MINUTE, 5, Duration.ZERO, Duration.ZERO)),
				Decision.Origin.FALLBACK, List.of());
		KeyDescription description = new KeyDescription(rule, "ann", new KeyState(decision, store, null, Map.of()),
				"local", new KeyExemption(null, null, null, null), NOW);
		assertThat(String.join(" ", description.explain())).contains(name
				+ " cannot answer at the moment. The policy of the rule is local: these are the counters of this process "
				+ "until it is back.");
	}

	@Test
	void debtOfEarlierCallsIsNamed() {
		RateLimitRule rule = RateLimitRule.named("model").limit(10, MINUTE).algorithm(Algorithm.TOKEN_BUCKET).build();
		LimitStatus limit = new LimitStatus("model", 10, 10, MINUTE, 0, MINUTE, MINUTE);
		Decision denial = new Decision(false, "model", 10, 0, MINUTE, MINUTE, Duration.ZERO, List.of(limit),
				Decision.Origin.REDIS, List.of(new Decision.Denial("model")));
		KeyDescription description = new KeyDescription(rule, "acme", state(denial, null, Map.of("model", 120L)),
				"local", new KeyExemption(null, null, null, null), NOW);
		assertThat(String.join(" ", description.explain()))
			.contains("It admits no call, because 120 units of earlier calls are owed until 2026-11-23T19:01:00Z.");
		assertThat(description.describe()).extractingByKey("limits").asString().contains("remaining=0, owed=120");
	}

	/**
	 * The clock of the store is behind that of the instance.
	 */
	@Test
	void exactEndOfAWindowIsShownExactly() {
		Duration toMidnight = Duration.ofHours(5).plusNanos(1_000);
		LimitStatus day = new LimitStatus("quota", 5, 5, Duration.ofDays(1), 0, toMidnight, toMidnight);
		Decision denial = new Decision(false, "quota", 5, 0, toMidnight, toMidnight, Duration.ZERO, List.of(day),
				Decision.Origin.REDIS, List.of(new Decision.Denial("quota")));
		KeyState state = state(denial, toMidnight, Map.of("quota", 2L), NOW.minusNanos(1_000));
		RateLimitRule rule = RateLimitRule.named("quota").limit(5, Duration.ofDays(1)).build();
		KeyDescription description = new KeyDescription(rule, "acme", state, "local",
				new KeyExemption(null, null, null, null), NOW);
		assertThat(String.join(" ", description.explain())).contains("unused again at 2026-11-24T00:00:00Z.")
			.contains("are owed until 2026-11-24T00:00:00Z.")
			.contains("The next call passes at 2026-11-24T00:00:00Z");
		assertThat(description.describe()).containsEntry("bannedUntil", "2026-11-24T00:00:00Z");
	}

	private static KeyState state(Decision decision, @Nullable Duration bannedFor, Map<String, Long> owed) {
		return state(decision, bannedFor, owed, NOW);
	}

	private static KeyState state(Decision decision, @Nullable Duration bannedFor, Map<String, Long> owed,
			Instant time) {
		Demand demand = new Demand(
				RateLimitRule.named("any").limit(1, MINUTE).algorithm(Algorithm.FIXED_WINDOW).build(), "any", 1);
		RuleAnswer answer = RuleAnswer.of(demand, micros(Duration.between(Instant.EPOCH, time)),
				new LimitOutcome(0, 0, 0));
		return new KeyState(decision, Decision.Origin.REDIS, (bannedFor == null) ? answer
				: answer.bannedBy(new BanOutcome(false, micros(bannedFor), micros(bannedFor))), owed);
	}

	private static long micros(Duration time) {
		return time.toNanos() / 1_000;
	}

	private static String explain(Duration ofLimit, @Nullable Duration ofBan) {
		return explain(ofLimit, ofBan, new KeyExemption(null, null, null, null));
	}

	private static String explain(Duration ofLimit, @Nullable Duration ofBan, KeyExemption exemption) {
		RateLimitRule rule = RateLimitRule.named("sign-in")
			.limit(5, Duration.ofMinutes(15))
			.ban(new Ban(3, MINUTE, MINUTE))
			.build();
		LimitStatus limit = new LimitStatus("sign-in", 5, 5, Duration.ofMinutes(15), 0, ofLimit, ofLimit);
		boolean isBanLonger = ofBan != null && ofBan.compareTo(ofLimit) > 0;
		Decision denial = new Decision(false, "sign-in", 5, 0, isBanLonger ? ofBan : ofLimit, ofLimit, Duration.ZERO,
				List.of(limit), Decision.Origin.LOCAL,
				List.of((ofBan != null) ? new Decision.Denial("sign-in", "sign-in-ban", Decision.Cause.BAN)
						: new Decision.Denial("sign-in")));
		return String.join(" ",
				new KeyDescription(rule, "ann", state(denial, ofBan, Map.of()), "local", exemption, NOW).explain());
	}

}
