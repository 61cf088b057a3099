package io.github.ratelimit.metrics;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

import io.github.ratelimit.Decision.Origin;
import io.github.ratelimit.LimitStatus;
import io.github.ratelimit.RuleDecision;
import io.github.ratelimit.RuleDecision.Outcome;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Names, tags and values of the meters.
 */
class RateLimitMetersTests {

	private final MeterRegistry registry = new SimpleMeterRegistry();

	private final RateLimitMeters meters = new RateLimitMeters(this.registry);

	@ParameterizedTest
	@CsvSource({ "ALLOWED, REDIS, allowed, redis", "DENIED, LOCAL, denied, local",
			"SHADOW_DENIED, FALLBACK, shadow-denied, fallback" })
	void decisionsAreCountedByRuleOutcomeAndOrigin(Outcome outcome, Origin origin, String outcomeTag,
			String originTag) {
		decided("reply", outcome, origin, 4);
		decided("reply", outcome, origin, 3);
		decided("other", outcome, origin, 3);
		assertThat(this.registry.get("ratelimit.decisions")
			.tags("rule", "reply", "outcome", outcomeTag, "origin", originTag)
			.counter()
			.count()).isEqualTo(2);
	}

	@Test
	void allOutcomesOfAnOriginBeginAtZero() {
		decided("reply", Outcome.ALLOWED, Origin.REDIS, 4);
		assertThat(this.registry.get("ratelimit.decisions").counters()).hasSize(3);
		assertThat(this.registry.get("ratelimit.decisions").tag("outcome", "denied").counter().count()).isZero();
	}

	@Test
	void decisionsUnderNamedPlansAreCountedByPlanAsWell() {
		this.meters
			.decided(new RuleDecision("search", Outcome.DENIED, Origin.REDIS, Duration.ZERO, List.of(), "free", null));
		this.meters
			.decided(new RuleDecision("search", Outcome.DENIED, Origin.REDIS, Duration.ZERO, List.of(), null, null));
		assertThat(this.registry.get("ratelimit.plans.decisions")
			.tags("rule", "search", "plan", "free", "outcome", "denied")
			.counter()
			.count()).isEqualTo(1);
		assertThat(this.registry.get("ratelimit.decisions").tags("outcome", "denied").counter().count()).isEqualTo(2);
		assertThat(this.registry.get("ratelimit.plans.decisions").counters()).hasSize(3);
	}

	@Test
	void rulesWithoutPlansHaveNoMetersOfPlans() {
		decided("reply", Outcome.ALLOWED, Origin.REDIS, 4);
		assertThat(this.registry.find("ratelimit.plans.decisions").counters()).isEmpty();
	}

	@Test
	void decisionsOfRulesWithClassesAreCountedByClassAsWell() {
		this.meters
			.decided(new RuleDecision("api", Outcome.DENIED, Origin.DENY_CACHE, Duration.ZERO, List.of(), null, "low"));
		assertThat(this.registry.get("ratelimit.priority.decisions")
			.tags("rule", "api", "priority", "low", "outcome", "denied")
			.counter()
			.count()).isEqualTo(1);
		decided("reply", Outcome.ALLOWED, Origin.REDIS, 4);
		assertThat(this.registry.get("ratelimit.priority.decisions").counters()).hasSize(3);
	}

	@Test
	void callsUnderUnknownPlansAreCountedByRule() {
		this.meters.planUnknown("search");
		this.meters.planUnknown("search");
		assertThat(this.registry.get("ratelimit.plans.unknown").tags("rule", "search").counter().count()).isEqualTo(2);
	}

	@Test
	void lostSlotsAreCountedByRule() {
		this.meters.slotsLost("export");
		this.meters.slotsLost("export");
		assertThat(this.registry.get("ratelimit.slots.lost").tags("rule", "export").counter().count()).isEqualTo(2);
	}

	@ParameterizedTest
	@CsvSource({ "20, 0", "19, 1", "0, 1", "100, 0" })
	void callsThatLeaveLessThanAFifthAreNearTheLimit(long remaining, double count) {
		decided("reply", Outcome.ALLOWED, Origin.REDIS, remaining);
		assertThat(nearLimit()).isEqualTo(count);
	}

	@Test
	void callIsNearTheLimitOnceIfSeveralLimitsAre() {
		this.meters.decided(new RuleDecision("reply", Outcome.ALLOWED, Origin.LOCAL, Duration.ZERO,
				List.of(status(100), status(1), status(2)), null, null));
		assertThat(nearLimit()).isOne();
	}

	@Test
	void deniedCallsAreNotNearTheLimitButBeyondIt() {
		decided("reply", Outcome.DENIED, Origin.REDIS, 0);
		decided("reply", Outcome.SHADOW_DENIED, Origin.REDIS, 0);
		assertThat(nearLimit()).isZero();
	}

	@Test
	void fallbackIsNearNoLimitSinceItsShareIsAnother() {
		decided("reply", Outcome.ALLOWED, Origin.FALLBACK, 0);
		assertThat(nearLimit()).isZero();
	}

	@Test
	void waitsAreTimedIfThereAreAny() {
		decided("export", Outcome.ALLOWED, Origin.REDIS, 4);
		this.meters.decided(new RuleDecision("export", Outcome.ALLOWED, Origin.REDIS, Duration.ofMillis(200),
				List.of(status(0)), null, null));
		var wait = this.registry.get("ratelimit.wait").tag("rule", "export").timer();
		assertThat(wait.count()).isOne();
		assertThat(wait.totalTime(TimeUnit.MILLISECONDS)).isEqualTo(200);
	}

	@Test
	void storeIsTimedAndItsFailuresCountedByReason() {
		this.meters.storeCalled(Duration.ofMillis(2));
		this.meters.storeFailed("timeout", null);
		this.meters.storeFailed("timeout", null);
		this.meters.storeFailed("wrongtype", "Remove the key.");
		assertThat(this.registry.get("ratelimit.store.duration").timer().totalTime(TimeUnit.MILLISECONDS)).isEqualTo(2);
		assertThat(this.registry.get("ratelimit.store.failures").tag("reason", "timeout").counter().count())
			.isEqualTo(2);
		assertThat(this.registry.get("ratelimit.store.failures").tag("reason", "wrongtype").counter().count()).isOne();
	}

	@Test
	void tagsAreTheDocumentedOnes() {
		decided("reply", Outcome.ALLOWED, Origin.REDIS, 4);
		this.meters.storeFailed("timeout", null);
		assertThat(this.registry.getMeters()).map(RateLimitMetersTests::nameAndTags)
			.containsOnly("ratelimit.decisions[origin, outcome, rule]", "ratelimit.near.limit[rule]",
					"ratelimit.wait[rule]", "ratelimit.store.duration[]", "ratelimit.store.failures[reason]");
	}

	private static String nameAndTags(Meter meter) {
		return meter.getId().getName() + meter.getId().getTags().stream().map(Tag::getKey).toList();
	}

	private double nearLimit() {
		return this.registry.get("ratelimit.near.limit").tag("rule", "reply").counter().count();
	}

	private void decided(String rule, Outcome outcome, Origin origin, long remaining) {
		this.meters
			.decided(new RuleDecision(rule, outcome, origin, Duration.ZERO, List.of(status(remaining)), null, null));
	}

	private static LimitStatus status(long remaining) {
		return new LimitStatus("reply", 100, 100, Duration.ofMinutes(1), remaining, Duration.ZERO, Duration.ZERO);
	}

}
