package io.github.ratelimit.actuate.endpoint;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;

import org.springframework.boot.actuate.endpoint.SecurityContext;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.CalendarUnit;
import io.github.ratelimit.Headroom;
import io.github.ratelimit.Limit;
import io.github.ratelimit.OnStoreFailure;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.engine.Engines;
import io.github.ratelimit.engine.RateLimitEngine;
import io.github.ratelimit.engine.RuleRegistry;
import io.github.ratelimit.override.KeyOverrideRegistry;
import io.github.ratelimit.override.LocalOverrideStore;
import io.github.ratelimit.override.OverrideStore;
import io.github.ratelimit.override.OverrideText;
import io.github.ratelimit.override.RuleOverrideRegistry;
import io.github.ratelimit.store.local.LocalRateLimitStore;

import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Candidates at the endpoint: their figures, changes at run time, and adoption.
 */
class CandidateEndpointTests {

	private static final Duration MINUTE = Duration.ofMinutes(1);

	private Instant now = EndpointUnderTest.NOW;

	private final Clock clock = ((InstantSource) () -> this.now).withZone(ZoneOffset.UTC);

	private final LocalOverrideStore store = new LocalOverrideStore(Instance::micros);

	private final Instance instance = new Instance(this.store);

	@Test
	void figuresAreThoseOfTheSameCalls() {
		for (int i = 0; i < 12; i++) {
			this.instance.registry.limiter("reply").tryAcquire("ann");
		}
		this.instance.registry.limiter("reply").tryAcquire("bob");
		Map<String, Object> answer = ok(this.instance.candidates("reply"));
		assertThat(answer.get("limits")).asString().contains("max=10, period=1m");
		assertThat(answer.get("candidates")).asString()
			.startsWith("[{name=tight, limits=[{name=reply, algorithm=sliding-log, max=5, period=1m}], since=")
			.contains("calls=13, denied=7, deniedShare=0.53846", "deniedKeys=1, liveDenied=2},",
					"{name=smooth, limits=[{name=reply, algorithm=token-bucket, max=5, period=1m, burst=8}]",
					"calls=13, denied=4, ");
		assertThat(ok(this.instance.http.rule(path("reply"), null, null, null, null, null, null, null)))
			.containsEntry("candidates", this.instance.rule("reply").candidates().keySet());
	}

	@Test
	void candidateIsAddedChangedAndRemovedForAllInstances() {
		Instance other = new Instance(this.store);
		assertThat(ok(this.instance.tryCandidate("plain", "tight", "3", null, null, null)).get("candidates")).asString()
			.contains("name=tight", "max=3, period=1m", "calls=0, denied=0, deniedShare=0.0,");
		other.http.change(SecurityContext.NONE, path("bucket"), null, "7", null, null, null, null, null, null, null,
				null, null, null);
		assertThat(other.rule("plain").candidates()).hasToString("{tight=[sliding-log 3 per 1m]}");
		for (int i = 0; i < 4; i++) {
			this.instance.registry.limiter("plain").tryAcquire("ann");
		}
		assertThat(ok(this.instance.candidates("plain")).get("candidates")).asString().contains("calls=4, denied=1");
		ok(this.instance.tryCandidate("plain", "tight", "2", "30s", "token-bucket", "4"));
		assertThat(this.instance.rule("plain").candidates())
			.hasToString("{tight=[token-bucket 2 per 30s with a burst of 4]}");
		assertThat(ok(this.instance.candidates("plain")).get("candidates")).asString().contains("calls=0, denied=0");
		assertThat(ok(this.instance.remove("plain", "tight"))).containsEntry("candidates", List.of());
		assertProblem(this.instance.remove("plain", "tight"), 404, "tries no candidate \"tight\"");
	}

	@Test
	void candidateThatLeavesNothingToAClassIsRefused() {
		this.instance.registry
			.register(RateLimitRule.named("busy").limit(10, MINUTE).headroom("low", Headroom.ofUnits(4)).build());
		assertProblem(this.instance.tryCandidate("busy", "tight", "4", null, null, null), 400,
				"headroom.low = 4 is invalid: with the candidate tight no call of this class would be admitted");
		ok(this.instance.tryCandidate("busy", "tight", "5", null, null, null));
	}

	@Test
	void candidateOfThePropertiesIsRemovedUntilItIsAddedAgain() {
		ok(this.instance.remove("reply", "tight"));
		assertThat(this.instance.rule("reply").candidates()).containsOnlyKeys("smooth");
		ok(this.instance.tryCandidate("reply", "tight", "4", null, null, null));
		assertThat(this.instance.rule("reply").candidates()).containsOnlyKeys("smooth", "tight");
	}

	@Test
	void candidateThatIsNotTriedHereIsRemovedOnce() {
		for (String text : List.of("burst=9", "unknown=1")) {
			this.store.replace(OverrideStore.RULES, "plain?odd", null, new OverrideText(text), "ann");
			assertThat(this.instance.rule("plain").candidates()).isEmpty();
			ok(this.instance.remove("plain", "odd"));
			assertThat(this.store.read(OverrideStore.RULES)).isEmpty();
			assertProblem(this.instance.remove("plain", "odd"), 404, "tries no candidate \"odd\"");
		}
	}

	@Test
	void candidateOfThePropertiesIsRemovedOnce() {
		ok(this.instance.remove("reply", "tight"));
		assertProblem(this.instance.remove("reply", "tight"), 404, "tries no candidate \"tight\". Known: smooth.");
		assertThat(this.instance.rule("reply").candidates()).containsOnlyKeys("smooth");
	}

	@Test
	void candidateHasTheNumbersInForceThatItLeavesOut() {
		ok(changeNumbers("plain", null, "30s", null));
		ok(this.instance.tryCandidate("plain", "tight", "3", null, null, null));
		assertThat(this.instance.rule("plain").candidates()).hasToString("{tight=[sliding-log 3 per 30s]}");
		ok(this.instance.adopt("plain", "tight"));
		assertThat(this.instance.rule("plain").limits()).hasToString("[sliding-log 3 per 30s]");
		ok(this.instance.tryCandidate("plain", "slow", null, "2m", null, null));
		ok(changeNumbers("plain", "7", "10s", null));
		assertThat(this.instance.rule("plain").candidates())
			.hasToString("{slow=[sliding-log 3 per 2m], tight=[sliding-log 3 per 30s]}");
	}

	@Test
	void candidateOfOneOfSeveralLimitsHasTheNumbersInForceThatItLeavesOut() {
		ok(changeNumbers("sms", null, "12h", "day"));
		ok(this.instance.http.change(SecurityContext.NONE, path("sms"), null, "3", null, null, "sms-day", null, null,
				null, "few", null, null, null));
		assertThat(this.instance.rule("sms").candidates())
			.hasToString("{few=[sliding-log 1 per 1m, sliding-log 3 per 12h]}");
	}

	private WebEndpointResponse<Map<String, Object>> changeNumbers(String rule, String max, String period,
			String limit) {
		return this.instance.http.change(SecurityContext.NONE, path(rule), null, max, period, null, limit, null, null,
				null, null, null, null, null);
	}

	@Test
	void changesOfCandidatesSayWhatIsConfiguredAndWhatIsGone() {
		ok(this.instance.tryCandidate("plain", "tight", "3", null, null, null));
		ok(this.instance.remove("plain", "tight"));
		ok(this.instance.tryCandidate("reply", "tight", "4", null, null, null));
		ok(this.instance.remove("reply", "tight"));
		this.store.replace(OverrideStore.RULES, "gone?tight", null, new OverrideText("max=2"), "ann");
		assertThat(changes()).containsExactlyInAnyOrder("plain tight: none -> max=3", "plain tight: max=3 -> none",
				"reply tight: as configured -> max=4", "reply tight: max=4 -> removed", "gone tight: none -> max=2");
	}

	private List<String> changes() {
		return ((List<?>) ok(this.instance.http.rules("true")).get("changes")).stream()
			.map(Map.class::cast)
			.map((each) -> each.get("rule") + " " + each.get("candidate") + ": " + each.get("from") + " -> "
					+ each.get("to"))
			.toList();
	}

	@Test
	void candidateBeginsAnewWhenItGetsTheNumbersThatItHasOrHad() {
		ok(this.instance.tryCandidate("plain", "tight", "2", null, null, null));
		assertThat(decisionsOfTight()).isEqualTo("calls=3, denied=1, ");
		this.now = this.now.plusMillis(1);
		ok(this.instance.tryCandidate("plain", "tight", "2", null, null, null));
		assertThat(decisionsOfTight()).isEqualTo("calls=3, denied=1, ");
		ok(this.instance.tryCandidate("plain", "tight", "1", null, null, null));
		assertThat(decisionsOfTight()).isEqualTo("calls=3, denied=2, ");
		this.now = this.now.plusMillis(1);
		ok(this.instance.tryCandidate("plain", "tight", "2", null, null, null));
		assertThat(decisionsOfTight()).isEqualTo("calls=3, denied=1, ");
		ok(this.instance.remove("plain", "tight"));
		this.now = this.now.plusMillis(1);
		ok(this.instance.tryCandidate("plain", "tight", "2", null, null, null));
		assertThat(decisionsOfTight()).isEqualTo("calls=3, denied=1, ");
	}

	private String decisionsOfTight() {
		for (int i = 0; i < 3; i++) {
			this.instance.registry.limiter("plain").tryAcquire("ann");
		}
		String candidates = ok(this.instance.candidates("plain")).get("candidates").toString();
		return candidates.replaceAll(".*(calls=\\d+, denied=\\d+, ).*", "$1");
	}

	@Test
	void changeOfTheRuleKeepsTheFiguresOfItsCandidates() {
		this.instance.registry.limiter("reply").tryAcquire("ann");
		this.instance.http.change(SecurityContext.NONE, path("reply"), null, "20", null, null, null, null, null, null,
				null, null, null, null);
		assertThat(this.instance.rule("reply").limits().get(0).max()).isEqualTo(20);
		assertThat(ok(this.instance.candidates("reply")).get("candidates")).asString().contains("max=5", "calls=1");
	}

	@Test
	void adoptedCandidateGivesItsNumbersToTheRule() {
		Map<String, Object> answer = ok(this.instance.adopt("reply", "tight"));
		assertThat(answer.get("limits")).asString().contains("max=5, period=1m");
		assertThat(this.instance.rule("reply").limits().get(0).max()).isEqualTo(5);
		assertThat(this.store.read(OverrideStore.RULES).get("reply")).isEqualTo("made=2026-11-23T19:00:00Z max=5");
		assertProblem(this.instance.adopt("reply", "tight"), 400, "has these numbers already");
		assertProblem(this.instance.adopt("reply", "smooth"), 400,
				"it counts by token-bucket, and the rule \"reply\" by sliding-log");
		assertProblem(this.instance.adopt("reply", "loose"), 400, "tries tight, smooth.");
		assertProblem(this.instance.adopt("plain", "loose"), 400, "tries no candidates.");
		ok(this.instance.tryCandidate("bucket", "wide", null, null, null, "40"));
		assertProblem(this.instance.adopt("bucket", "wide"), 400, "by more than max and period");
	}

	@Test
	void numbersOfOneOfSeveralLimitsAreTriedAndAdopted() {
		ok(this.instance.http.change(SecurityContext.NONE, path("sms"), null, "3", null, null, "sms-day", null, null,
				null, "few", null, null, null));
		assertThat(this.instance.rule("sms").candidates())
			.hasToString("{few=[sliding-log 1 per 1m, sliding-log 3 per 1d]}");
		ok(this.instance.adopt("sms", "few"));
		assertThat(this.instance.rule("sms").limits()).hasToString("[sliding-log 1 per 1m, sliding-log 3 per 1d]");
	}

	@Test
	void changesOfTheRuleAtRunTimeKeepACandidateOfOneOfSeveralLimits() {
		changeMinute("2");
		ok(this.instance.http.change(SecurityContext.NONE, path("sms"), null, "3", null, null, "day", null, null, null,
				"few", null, null, null));
		this.instance.registry.limiter("sms").tryAcquire("ann");
		changeMinute("4");
		assertFewIsTheSame();
		this.instance.overrides.remove("sms", "ann");
		assertFewIsTheSame();
	}

	private void changeMinute(String max) {
		ok(this.instance.http.change(SecurityContext.NONE, path("sms"), null, max, null, null, "minute", null, null,
				null, null, null, null, null));
	}

	private void assertFewIsTheSame() {
		assertThat(this.instance.rule("sms").candidates())
			.hasToString("{few=[sliding-log 2 per 1m, sliding-log 3 per 1d]}");
		assertThat(ok(this.instance.candidates("sms")).get("candidates")).asString().contains("calls=1");
	}

	@Test
	void candidatesOfARuleByTheCalendarAreTriedAndAdopted() {
		ok(this.instance.tryCandidate("quota", "hourly", "100", "1h", null, null));
		assertThat(this.instance.rule("quota").candidates()).hasToString("{hourly=[fixed-window 100 per 1h]}");
		assertProblem(this.instance.adopt("quota", "hourly"), 400, "by more than max and period");
		ok(this.instance.tryCandidate("quota", "less", "500", null, null, null));
		ok(this.instance.adopt("quota", "less"));
		assertThat(this.instance.rule("quota").limits()).hasToString("[fixed-window 500 per month in UTC]");
	}

	@Test
	void limitThatIsMissingOrUnknownIsRefusedWithARemedyInJson() {
		assertProblem(this.instance.tryCandidate("sms", "tight", "3", null, null, null), 400,
				"limit is missing: rule \"sms\" has several: day, minute. Write which of them to change, "
						+ "\"limit\": \"day\" for example.");
		changeMinute("2");
		assertProblem(this.instance.tryCandidate("sms", "tight", "3", null, null, null), 400, "limit is missing: ");
		assertProblem(
				this.instance.http.change(SecurityContext.NONE, path("sms"), null, "3", null, null, "hour", null, null,
						null, "tight", null, null, null),
				400, "limit = \"hour\" is invalid: rule \"sms\" has day, minute. Write one of these.");
		assertProblem(
				this.instance.http.change(SecurityContext.NONE, path("plain"), null, "3", null, null, "hour", null,
						null, null, "tight", null, null, null),
				400, "limit = \"hour\" is invalid: rule \"plain\" has one limit only. Leave limit out.");
	}

	@Test
	void mistakesAreRefused() {
		assertProblem(this.instance.tryCandidate("reply", "Tight", "3", null, null, null), 400,
				"the name of a candidate becomes part of metric tags");
		assertProblem(this.instance.tryCandidate("reply", "tight", null, null, null, null), 400, "would try nothing");
		assertProblem(this.instance.tryCandidate("reply", "tight", "few", null, null, null), 400,
				"is not a whole number");
		assertProblem(this.instance.tryCandidate("reply", "tight", "3", null, "concurrency", null), 400,
				"candidates do not count by it");
		assertProblem(this.instance.tryCandidate("reply", "tight", "3", null, null, "9"), 400, "burst");
		assertProblem(this.instance.http.change(SecurityContext.NONE, path("reply"), "ann", "3", null, null, null, null,
				null, null, "tight", null, null, null), 400, "a candidate is one of the whole rule");
		assertProblem(this.instance.http.change(SecurityContext.NONE, path("reply"), null, "3", null, null, null, null,
				null, null, null, null, "9", null), 400, "at run time it is that of a candidate only");
		assertProblem(this.instance.http.change(SecurityContext.NONE, path("reply"), null, "3", null, null, null, null,
				null, null, null, null, null, "tight"), 400, "the candidate gives all numbers");
		assertProblem(this.instance.http.rule(path("reply", "ann"), null, null, null, null, null, null, ""), 400,
				"candidates are those of the whole rule");
		assertProblem(this.instance.http.restore(SecurityContext.NONE, path("reply"), "ann", null, "tight"), 400,
				"candidate = \"tight\" is invalid: candidates are those of the whole rule.");
		assertProblem(this.instance.candidates("rply"), 404, "There is no rate limit rule \"rply\"");
		for (String name : List.of("one", "two")) {
			ok(this.instance.tryCandidate("reply", name, "3", null, null, null));
		}
		assertProblem(this.instance.tryCandidate("reply", "three", "3", null, null, null), 400,
				"a rule tries at most 4 candidates");
	}

	private static Map<String, Object> ok(WebEndpointResponse<Map<String, Object>> response) {
		assertThat(response.getStatus()).as(() -> String.valueOf(response.getBody())).isEqualTo(200);
		return response.getBody();
	}

	private static void assertProblem(WebEndpointResponse<Map<String, Object>> response, int status, String detail) {
		assertThat(response.getBody()).asString().contains(detail);
		assertThat(response.getStatus()).isEqualTo(status);
	}

	private static String[] path(String... path) {
		return path;
	}

	/**
	 * Instance of the application, whose calls are counted in this process at a time that
	 * stands still.
	 */
	private final class Instance {

		final RuleRegistry registry;

		final RuleOverrideRegistry overrides;

		final RateLimitsEndpoint http;

		Instance(LocalOverrideStore store) {
			LocalRateLimitStore counters = new LocalRateLimitStore(100, Instance::micros);
			RateLimitEngine engine = Engines.over(counters);
			this.registry = new RuleRegistry(engine, Algorithm.SLIDING_LOG, List.of());
			this.registry.register(RateLimitRule.named("plain").limit(5, MINUTE).build());
			this.registry.register(RateLimitRule.named("reply")
				.limit(10, MINUTE)
				.candidate("tight", Limit.of(5, MINUTE))
				.candidate("smooth", Limit.of(5, MINUTE).withAlgorithm(Algorithm.TOKEN_BUCKET).withBurst(8))
				.build());
			this.registry.register(RateLimitRule.named("bucket")
				.limit(Limit.of(10, MINUTE).withAlgorithm(Algorithm.TOKEN_BUCKET).withBurst(20))
				.build());
			this.registry.register(RateLimitRule.named("sms")
				.limit(Limit.of(1, MINUTE).withName("minute"))
				.limit(Limit.of(10, Duration.ofDays(1)).withName("day"))
				.build());
			this.registry.register(RateLimitRule.named("quota")
				.limit(Limit.builder().max(1000).calendar(CalendarUnit.MONTH).build())
				.build());
			KeyOverrideRegistry keys = new KeyOverrideRegistry(this.registry, engine.keys(), store, Instance::micros);
			this.overrides = new RuleOverrideRegistry(this.registry, keys, CandidateEndpointTests.this.clock);
			this.http = new RateLimitsEndpoint(this.registry, engine, counters, this.overrides, keys,
					() -> OnStoreFailure.LOCAL, (rule) -> Map.of(), CandidateEndpointTests.this.clock, () -> null);
		}

		private static long micros() {
			return EndpointUnderTest.NOW.toEpochMilli() * 1000;
		}

		RateLimitRule rule(String name) {
			return this.registry.limiter(name).rule();
		}

		WebEndpointResponse<Map<String, Object>> candidates(String rule) {
			return this.http.rule(path(rule), null, null, null, null, null, null, "");
		}

		WebEndpointResponse<Map<String, Object>> tryCandidate(String rule, String name, String max, String period,
				String algorithm, String burst) {
			return this.http.change(SecurityContext.NONE, path(rule), null, max, period, null, null, null, null, null,
					name, algorithm, burst, null);
		}

		WebEndpointResponse<Map<String, Object>> adopt(String rule, String name) {
			return this.http.change(SecurityContext.NONE, path(rule), null, null, null, null, null, null, null, null,
					null, null, null, name);
		}

		WebEndpointResponse<Map<String, Object>> remove(String rule, String name) {
			return this.http.restore(SecurityContext.NONE, path(rule), null, null, name);
		}

	}

}
