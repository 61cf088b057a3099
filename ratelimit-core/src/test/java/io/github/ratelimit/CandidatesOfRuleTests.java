package io.github.ratelimit;

import java.time.Duration;
import java.util.List;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class CandidatesOfRuleTests {

	private static final Limit OWN = Limit.of(60, Duration.ofMinutes(1));

	private static final Limit PER_DAY = Limit.of(600, Duration.ofDays(1)).withName("day");

	@Test
	void candidateCompletesOnlyLimitsThatDiffer() {
		RateLimitRule rule = sms().candidate("tight", PER_DAY.withMax(100)).build();
		assertThat(rule.candidates().get("tight")).containsExactly(OWN.withName("minute"), PER_DAY.withMax(100));
		assertThat(rule.ofCandidate("tight").limits()).isEqualTo(rule.candidates().get("tight"));
		assertThat(rule.ofCandidate("tight").candidates()).isEmpty();
	}

	@Test
	void candidateDecidesWithoutWhatConcernsTheWholeRule() {
		RateLimitRule tried = RateLimitRule.named("api")
			.limit(OWN)
			.key("#user")
			.ban(new Ban(20, Duration.ofMinutes(1), Duration.ofHours(1)))
			.allow("a")
			.deny("b")
			.plan("#plan")
			.plan("pro", OWN.withMax(100))
			.candidate("tight", OWN.withMax(5))
			.build()
			.ofCandidate("tight");
		assertThat(tried).isEqualTo(RateLimitRule.named("api").limit(OWN.withMax(5)).key("#user").build());
	}

	@Test
	void limitsOfACandidateAreLimitsOfTheRule() {
		assertRefused(api(), List.of(), "candidates.tight = [] is invalid: it tries nothing.");
		assertRefused(api(), List.of(OWN, PER_DAY), "candidates.tight.limits = ");
		assertRefused(api(), List.of(PER_DAY),
				"candidates.tight.limits[0].name = day is invalid: the rule has one limit only. Leave the name out.");
		assertRefused(sms(), List.of(OWN),
				"candidates.tight.limits[0].name is missing: a candidate tries other numbers");
		assertRefused(sms(), List.of(PER_DAY, PER_DAY), "candidates.tight.limits[1].name = day is invalid");
	}

	@Test
	void mistakeOfACandidateHasItsPlace() {
		Limit large = PER_DAY.withMax(10_001);
		assertRefused(sms().algorithm(Algorithm.SLIDING_LOG), List.of(large),
				"candidates.tight.limits[0].max = 10001 is invalid: the algorithm sliding-log keeps one entry");
		assertRefused(api().headroom("low", Headroom.ofUnits(10)), List.of(OWN.withMax(10)),
				"headroom.low = 10 is invalid: with the candidate tight no call of this class would be admitted");
		assertRefused(api().settle("#result.tokens"), List.of(OWN.withAlgorithm(Algorithm.LEAKY_BUCKET)),
				"settle = \"#result.tokens\" is invalid: with the candidate tight a call may use more than it took");
	}

	@Test
	void whatCandidatesCannotFollowIsRefused() {
		assertRefused(api().maxWait(Duration.ofSeconds(2)), List.of(OWN),
				"candidates = tight is invalid: max-wait 2s lets calls wait");
		assertRefused(api().prefetch(Duration.ofMillis(20)), List.of(OWN),
				"candidates = tight is invalid: prefetch lets instances decide");
	}

	@Test
	void concurrencyIsLocatedAtTheCandidateOrTheRuleThatHasIt() {
		Limit slots = Limit.ofConcurrency(5);
		assertRefused(api().candidate("loose", OWN.withMax(90)), List.of(slots),
				"candidates.tight.algorithm = concurrency is invalid: it counts calls until they end, and calls that "
						+ "a candidate would have denied run. Write another algorithm");
		assertRefused(sms(), List.of(slots.withName("day")), "candidates.tight.limits[0].algorithm = concurrency");
		assertRefused(RateLimitRule.named("api").limit(slots), List.of(slots.withMax(2)),
				"candidates = tight is invalid: concurrency counts calls until they end");
	}

	private static void assertRefused(RateLimitRule.Builder rule, List<Limit> candidate, String message) {
		assertThatExceptionOfType(InvalidAttributeException.class)
			.isThrownBy(() -> rule.candidate("tight", candidate).build())
			.withMessageStartingWith(message);
	}

	private static RateLimitRule.Builder api() {
		return RateLimitRule.named("api").limit(OWN);
	}

	private static RateLimitRule.Builder sms() {
		return RateLimitRule.named("sms").limit(OWN.withName("minute")).limit(PER_DAY);
	}

}
