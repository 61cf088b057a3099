package io.github.ratelimit.actuate.endpoint;

import java.security.Principal;
import java.time.Duration;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;

import io.github.ratelimit.CalendarUnit;
import io.github.ratelimit.KeyOverride;
import io.github.ratelimit.Limit;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.ScheduledPlan;
import io.github.ratelimit.override.OverrideText;
import io.github.ratelimit.store.StoreException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.util.MimeType;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Answers of the endpoint.
 */
class RateLimitsEndpointTests {

	private final EndpointUnderTest endpoint = new EndpointUnderTest();

	@Test
	void allRulesAreListedWithTheirChanges() {
		change("log", "7", null, null, null);
		override("sms", "acme", "9", "day", null, null);
		Map<String, Object> all = ok(this.endpoint.http.rules(null));
		assertThat(all).containsOnlyKeys("rules", "overrides", "overridesHold");
		assertThat(all.get("rules")).asString()
			.contains("name=guard", "name=log", "name=tiers", "{name=sms,", "keyOverrides=1");
		assertThat(all.get("overrides")).hasToString("{log={made=2026-11-23T19:00:00Z, max=7, changedBy=anonymous}}");
		assertThat(all.get("rules")).asString()
			.contains("override={made=2026-11-23T19:00:00Z, max=7, changedBy=anonymous}");
		assertThat(all).containsEntry("overridesHold", "in this process only, until they are removed or it ends");
	}

	@Test
	void whatIsOfASingleKeyIsRefusedWithoutOne() {
		assertProblem(this.endpoint.http.rule(path("log"), null, "", null, null, null, null, null), 400,
				"explain of \"log\" = \"\" is invalid: it is for a single key. Name the key, ?key=acme for example.");
		assertProblem(this.endpoint.http.rule(path("log"), null, null, null, "pro", null, null, null), 400,
				"plan of \"log\" = \"pro\" is invalid: it is for a single key.");
		assertProblem(this.endpoint.http.rule(path("log"), null, null, null, null, "low", null, null), 400,
				"priority of \"log\" = \"low\" is invalid: it is for a single key.");
	}

	@Test
	void ruleIsDescribedWithTheSourceOfEachValue() {
		Map<String, Object> rule = ok(get("log", null));
		assertThat(rule).containsEntry("name", "log")
			.containsEntry("mode", "enforce")
			.containsEntry("onStoreFailure", "local")
			.containsEntry("keys", Map.of("ReplyController.reply(String)", "#userId"))
			.doesNotContainKeys("ban", "plans", "override", "keyOverrides", "ends");
		assertThat(rule.get("limits")).asString()
			.startsWith("[{name=log, algorithm=sliding-log, max=5, period=1m, sources={");
		assertThat(ok(get("guard", null)).get("ban")).hasToString("{after=1, within=10m, lasting=1h, growingTo=1h}");
		assertThat(ok(get("tiers", null)).get("plans")).hasToString("{pro=[{name=tiers, max=600, period=1h}]}");
	}

	@Test
	void keyIsPeekedAndNotCounted() {
		take("log", "ann", 2);
		for (int i = 0; i < 2; i++) {
			Map<String, Object> state = ok(get("log", "ann"));
			assertThat(state).containsEntry("key", "ann")
				.containsEntry("origin", "local")
				.containsEntry("nextCallAfterMs", 0L)
				.doesNotContainKeys("explanation", "override", "list", "plan", "bannedUntil");
			assertThat(state.get("limits")).hasToString("[{name=log, max=5, period=1m, capacity=5, used=2, remaining=3,"
					+ " nextCallAfterMs=0, resetAfterMs=60000}]");
		}
	}

	@Test
	void stateIsThatOfAClassOfCalls() {
		take("shop", "ann", 4);
		Map<String, Object> low = ok(
				this.endpoint.http.rule(path("shop", "ann"), null, "", null, null, "low", null, null));
		assertThat(low).containsEntry("priority", "low");
		assertThat(low.get("limits")).asString().contains("capacity=14", "remaining=10");
		assertThat(sentences(low)).contains(
				"Calls of class low leave 6 of the 20 units of limit \"shop\" free; the numbers above are what they "
						+ "may take.");
		assertThat(
				sentences(ok(this.endpoint.http.rule(path("shop", "ann"), null, "", null, "pro", "low", null, null))))
			.contains("Calls of class low leave 60 of the 200 units of limit \"shop\" free; the numbers above are what "
					+ "they may take.");
		Map<String, Object> unknown = ok(
				this.endpoint.http.rule(path("shop", "ann"), null, "", null, null, "gold", null, null));
		assertThat(unknown).containsEntry("priority", "other");
		assertThat(sentences(unknown))
			.contains("There is no class gold, so its calls are those of other. Known: low, other.");
		assertThat(sentences(ok(this.endpoint.http.rule(path("shop", "ann"), null, "", null, null, null, null, null))))
			.contains("The classes are low, other: write priority=low to see what one may take.");
		assertThat(sentences(ok(this.endpoint.http.rule(path("log", "ann"), null, "", null, null, "low", null, null))))
			.contains("The rule has no headroom, so all classes of calls are equal.");
		assertThat(ok(get("shop", null))).hasEntrySatisfying("headroom",
				(headroom) -> assertThat(headroom).hasToString("{low=30%, other=5}"));
	}

	@Test
	void classThatCanNeverPassHasNoTimeOfItsNextCall() {
		override("merge", "ann", "1", null, null, null);
		Map<String, Object> state = ok(
				this.endpoint.http.rule(path("merge", "ann"), null, "", null, null, "low", null, null));
		assertThat(state).doesNotContainKey("nextCallAfterMs");
		assertThat(state.get("limits")).asString().contains("capacity=0").doesNotContain("nextCallAfterMs");
		assertThat(sentences(state)).contains("No such call can ever pass, because of \"merge\".")
			.noneMatch((sentence) -> sentence.contains("+292"));
	}

	@Test
	void planOrClassThatTheRuleDoesNotHaveIsNamedUnasked() {
		assertThat(
				sentences(ok(this.endpoint.http.rule(path("log", "ann"), null, null, null, "nix", null, null, null))))
			.containsExactly("The rule's own numbers count, because there is no plan nix. Known: none.");
		assertThat(
				sentences(ok(this.endpoint.http.rule(path("log", "ann"), null, null, null, null, "low", null, null))))
			.containsExactly("The rule has no headroom, so all classes of calls are equal.");
		assertThat(sentences(
				ok(this.endpoint.http.rule(path("shop", "ann"), null, null, null, "nix", "gold", null, null))))
			.containsExactly("The rule's own numbers count, because there is no plan nix. Known: pro.",
					"There is no class gold, so its calls are those of other. Known: low, other.");
		assertThat(ok(this.endpoint.http.rule(path("log", "ann"), null, null, null, "", "", null, null)))
			.doesNotContainKey("explanation");
	}

	@Test
	void explanationEndsWithTheSourcesOfTheNumbers() {
		Map<String, Object> state = ok(
				this.endpoint.http.rule(path("tiers", "ann"), null, "", null, "pro", null, null, null));
		assertThat(state).containsEntry("plan", "pro");
		assertThat(String.join(" ", sentences(state))).contains("admits 600 per 1h: 0 of 600 used",
				"admits 600 per 1h instead of 60 per 1h under plan pro", "For \"tiers\", max = 600 comes from ");
		assertThat(sentences(
				ok(this.endpoint.http.rule(path("tiers", "ann"), null, "true", null, "gold", null, null, null))))
			.contains("The rule's own numbers count, because there is no plan gold. Known: pro.");
		assertThat(sentences(
				ok(this.endpoint.http.rule(path("tiers", "ann"), null, "true", null, null, null, null, null))))
			.contains("A call may come under the plan pro: write plan=pro to see its numbers. All plans share one"
					+ " counter per key.");
	}

	@Test
	void intervalThatDeniesTheNextCallIsNamed() {
		take("paced", "ann", 1);
		Map<String, Object> state = ok(
				this.endpoint.http.rule(path("paced", "ann"), null, "", null, null, null, null, null));
		assertThat(sentences(state)).contains("The next call passes in 200 ms, because of \"paced\".")
			.anyMatch((sentence) -> sentence.startsWith(
					"Limit \"paced\" admits 7 per 1m, at most 9 at once, at most one every 200ms: 1 of 9 used, 8 left;"));
	}

	@Test
	void numbersOfAnExpressionAreNotThoseOfTheRule() {
		String sentence = "A call may come with other numbers, by the plan @contracts.of(#tenant), which is not "
				+ "evaluated here.";
		take("contract", "ann", 1);
		assertThat(
				sentences(ok(this.endpoint.http.rule(path("contract", "ann"), null, "", null, null, null, null, null))))
			.contains("The next call passes in 3600 s, because of \"contract\".", sentence);
		assertThat(sentences(
				ok(this.endpoint.http.rule(path("contract", "ann"), null, "", null, "acme", null, null, null))))
			.contains(sentence)
			.noneMatch((each) -> each.contains("no plan acme"));
		assertThat(sentences(
				ok(this.endpoint.http.rule(path("contract", "ann"), null, null, null, "acme", null, null, null))))
			.containsExactly(sentence);
		override("contract", "ann", "5", null, null, null);
		assertThat(
				sentences(ok(this.endpoint.http.rule(path("contract", "ann"), null, "", null, null, null, null, null))))
			.doesNotContain(sentence);
	}

	@Test
	void explanationNamesTheEntryOfTheScheduleThatChoseThePlan() {
		Map<String, Object> state = ok(
				this.endpoint.http.rule(path("hours", "ann"), null, "", null, null, null, null, null));
		assertThat(state).containsEntry("plan", "office");
		assertThat(state.get("scheduled"))
			.hasToString("{plan=office, days=[mon, tue, wed, thu, fri, sat, sun], from=09:00, to=19:30, zone=Z}");
		assertThat(state.get("limits")).asString().contains("max=4");
		assertThat(sentences(state))
			.contains("Calls that select no plan come under plan office now, because entry 1 of "
					+ "the schedule holds: mon, tue, wed, thu, fri, sat, sun from 09:00 to 19:30 Z.");
		Map<String, Object> night = ok(
				this.endpoint.http.rule(path("hours", "ann"), null, "", null, "night", null, null, null));
		assertThat(night).containsEntry("plan", "night").doesNotContainKey("scheduled");
		assertThat(night.get("limits")).asString().contains("max=20");
		assertThat(String.join(" ", sentences(night)))
			.contains("admits 20 per 1m instead of 4 per 1m under plan night");
		assertThat(
				sentences(ok(this.endpoint.http.rule(path("hours", "ann"), null, "", null, "day", null, null, null))))
			.contains("There is no plan day. Known: office, night.")
			.anyMatch((sentence) -> sentence.startsWith("Calls that select no plan come under plan office now"));
		override("hours", "ann", "7", null, null, null);
		assertThat(ok(get("hours", "ann"))).doesNotContainKeys("plan", "scheduled");
	}

	@Test
	void changeIsAddedToEarlierOnesUntilItIsRemoved() {
		change("log", "7", null, null, null);
		Map<String, Object> changed = change("log", null, "90s", "shadow", null);
		assertThat(changed).containsEntry("mode", "shadow")
			.containsEntry("overrideHolds", "in this process only, until they are removed or it ends");
		assertThat(changed.get("override"))
			.hasToString("{made=2026-11-23T19:00:00Z, mode=shadow, max=7, period=90s, changedBy=anonymous}");
		assertThat(ok(delete("log", null))).containsEntry("mode", "enforce").doesNotContainKey("override");
		assertProblem(delete("log", null), 404, "The rate limit rule \"log\" is not changed at run time.");
	}

	@Test
	void changeOfOneLimitNamesIt() {
		assertThat(change("sms", "5", null, null, "day").get("override"))
			.hasToString("{made=2026-11-23T19:00:00Z, limits={day={max=5}}, changedBy=anonymous}");
		assertThat(ok(get("sms", null)).get("limits")).asString()
			.contains("name=sms-day, algorithm=sliding-log, max=5");
		assertThat(ok(delete("sms", null))).doesNotContainKey("override");
	}

	@Test
	void keyGetsItsOwnNumbersAndLosesThem() {
		take("log", "acme", 5);
		Map<String, Object> overridden = override("log", "acme", "7", null, null, "1h");
		assertThat(overridden).containsEntry("overrideHolds", "in this process only");
		assertThat(overridden.get("override")).hasToString("{max=7, until=2026-11-23T20:00:00Z, changedBy=anonymous}");
		assertThat(overridden.get("limits")).asString().contains("max=7", "used=5, remaining=2");
		assertThat(ok(get("log", null)).get("keyOverrides"))
			.hasToString("[{key=acme, max=7, until=2026-11-23T20:00:00Z, changedBy=anonymous}]");
		Map<String, Object> removed = ok(
				this.endpoint.http.restore(SecurityContext.NONE, path("log", "acme"), null, "", null));
		assertThat(removed).doesNotContainKey("override");
		assertProblem(this.endpoint.http.restore(SecurityContext.NONE, path("log"), "acme", "true", null), 404,
				"is not overridden under");
	}

	@Test
	void numberOfALimitReplacesNumbersThatNoLongerFit() {
		this.endpoint.overrides.replace("sms", "acme", null, new OverrideText("hour.max=100"), "ann");
		assertThat(ok(this.endpoint.http.change(SecurityContext.NONE, path("sms"), "acme", "1000", null, null, "day",
				null, null, null, null, null, null, null))
			.get("override")).hasToString("{limits={day={max=1000}}, changedBy=anonymous}");
	}

	@Test
	void keyIsBlockedOrUnlimited() {
		this.endpoint.http.change(SecurityContext.NONE, path("log"), "mallory", null, null, null, null, "true", null,
				null, null, null, null, null);
		assertThat(this.endpoint.limiter("log").tryAcquire("mallory").allowed()).isFalse();
		this.endpoint.http.change(SecurityContext.NONE, path("log"), "mallory", null, null, null, null, null, "true",
				null, null, null, null, null);
		assertThat(this.endpoint.limiter("log").overrides()).containsEntry("mallory", KeyOverride.unlimited());
		assertThat(ok(this.endpoint.http.restore(SecurityContext.NONE, path("log"), "mallory", "true", null)))
			.doesNotContainKey("override");
		assertThat(this.endpoint.limiter("log").overrides()).isEmpty();
	}

	@ParameterizedTest
	@ValueSource(strings = { "shadow", "off" })
	void callsOfARuleThatDeniesNoneWouldBeDenied(String mode) {
		this.endpoint.register(RateLimitRule.named("listed").limit(5, Duration.ofMinutes(1)).deny("mallory").build());
		take("log", "ann", 5);
		for (String rule : List.of("log", "listed")) {
			change(rule, null, null, mode, null);
		}
		override("log", "mallory", null, null, "true", null);
		assertThat(explained("log", "mallory")).containsEntry("nextCallAfterMs", 0L)
			.satisfies((state) -> assertThat(sentences(state))
				.contains("Every call would be denied, because key \"mallory\" is blocked until that is removed."));
		assertThat(explained("listed", "mallory")).containsEntry("nextCallAfterMs", 0L)
			.satisfies((state) -> assertThat(sentences(state))
				.contains("Every call would be denied, because the key is on the deny list."));
		assertThat(explained("log", "ann")).containsEntry("nextCallAfterMs", 0L)
			.satisfies((state) -> assertThat(sentences(state))
				.contains("The next call would pass in 60 s, because of \"log\"."));
	}

	@Test
	void overrideThatDoesNotFitTheRuleAnyMoreIsIgnored() {
		override("sms", "ann", "50", "day", null, null);
		assertThat(sentences(explained("sms", "ann"))).contains(
				"Other numbers than those of the rule hold, because key \"ann\" has 50 of \"sms-day\" until that is removed.");
		this.endpoint.register(RateLimitRule.named("sms")
			.limit(Limit.of(1, Duration.ofMinutes(1)).withName("minute"))
			.limit(Limit.of(10, Duration.ofDays(1)).withName("daily"))
			.build());
		Map<String, Object> state = explained("sms", "ann");
		String why = "limit = \"day\" is invalid: rule \"sms\" has minute, daily. Write one of these.";
		assertThat(state.get("override"))
			.hasToString("{limits={day={max=50}}, ignoredBecause=" + why + ", changedBy=anonymous}");
		assertThat(sentences(state))
			.contains("The override of key \"ann\" is ignored, because it does not fit the rule: " + why)
			.noneMatch((sentence) -> sentence.startsWith("Other numbers"));
	}

	@Test
	void numberOfAnIgnoredOverrideComesFromTheRule() {
		override("sms", "ann", "3", "minute", null, null);
		override("sms", "ann", "50", "day", null, null);
		this.endpoint.register(RateLimitRule.named("sms")
			.limit(Limit.of(3, Duration.ofMinutes(1)).withName("minute"))
			.limit(Limit.of(10, Duration.ofDays(1)).withName("daily"))
			.build());
		assertThat(sentences(explained("sms", "ann")))
			.anyMatch((sentence) -> sentence.startsWith("For \"sms-minute\", max = 3 comes from "))
			.noneMatch((sentence) -> sentence.contains("comes from the override"));
	}

	@Test
	void ignoredOverrideLeavesTheScheduleInForce() {
		override("hours", "ann", "7", null, null, null);
		this.endpoint.register(RateLimitRule.named("hours")
			.limit(Limit.of(10, Duration.ofMinutes(1)).withName("minute"))
			.limit(Limit.of(100, Duration.ofHours(1)).withName("hour"))
			.plan("office", Limit.of(4, Duration.ofMinutes(1)).withName("minute"))
			.schedule(ScheduledPlan.daily("office", LocalTime.of(9, 0), LocalTime.of(19, 30), ZoneOffset.UTC))
			.build());
		assertThat(explained("hours", "ann")).containsEntry("plan", "office");
	}

	@Test
	void zoneOfAnExpressionIsNotEvaluated() {
		this.endpoint.register(RateLimitRule.named("quota")
			.limit(Limit.builder().max(5).calendar(CalendarUnit.MONTH).zone("@customers.zoneOf(#tenant)").build())
			.build());
		assertThat(sentences(explained("quota", "ann")))
			.contains("A call may come in another time zone, by @customers.zoneOf(#tenant), which is not evaluated "
					+ "here: these numbers are those of UTC.");
		assertThat(sentences(explained("log", "ann"))).noneMatch((sentence) -> sentence.contains("time zone"));
	}

	@Test
	void explanationBeginsWithTheCounterAndTheModeAndEndsWithTheNextCall() {
		assertThat(sentences(explained("log", "ann"))).startsWith("Rule \"log\" has one counter for the key \"ann\".")
			.contains("The next call passes now.")
			.noneMatch((sentence) -> sentence.startsWith("It is "));
		assertThat(sentences(explained("log", ""))).startsWith("Rule \"log\" has one counter for all calls.");
		change("log", null, null, "shadow", null);
		assertThat(sentences(explained("log", "ann"))).element(1)
			.isEqualTo("It is in shadow mode: calls are counted, but none is denied.");
		change("log", null, null, "off", null);
		assertThat(sentences(explained("log", "ann"))).element(1)
			.isEqualTo("It is off: calls are neither denied nor counted. What follows was counted before.");
	}

	@Test
	void callsOfABannedKeyWouldBeDeniedInShadowMode() {
		take("guard", "mallory", 3);
		assertThat(sentences(explained("guard", "mallory")))
			.anyMatch((sentence) -> sentence.startsWith("All calls are denied, because the key is banned"));
		change("guard", null, null, "shadow", null);
		assertThat(sentences(explained("guard", "mallory")))
			.anyMatch((sentence) -> sentence.startsWith("All calls would be denied, because the key is banned"));
	}

	@Test
	void callsThatWaitAreExplained() {
		this.endpoint.register(
				RateLimitRule.named("patient").limit(1, Duration.ofMinutes(1)).maxWait(Duration.ofSeconds(5)).build());
		take("patient", "ann", 1);
		String waits = "The next call passes in 60 s, because of \"patient\". Calls wait up to 5s instead of being denied.";
		assertThat(sentences(explained("patient", "ann"))).contains(waits);
		change("patient", null, null, "shadow", null);
		assertThat(sentences(explained("patient", "ann"))).noneMatch((sentence) -> sentence.contains("wait"));
	}

	@Test
	void keyThatIsNotCountedHasNoNextCall() {
		this.endpoint.http.change(SecurityContext.NONE, path("log"), "ann", null, null, null, null, null, "true", null,
				null, null, null, null);
		assertThat(explained("log", "ann")).containsEntry("nextCallAfterMs", 0L);
		assertThat(sentences(explained("log", "ann")))
			.contains("Every call passes and is not counted, because key \"ann\" is unlimited until that is removed.")
			.noneMatch((sentence) -> sentence.startsWith("The next call"));
	}

	@Test
	void removedOverrideLeavesTheStateOfTheKeyOrItsNameIfTheRuleIsGone() {
		override("log", "ann", "7", null, null, null);
		assertThat(ok(this.endpoint.http.restore(SecurityContext.NONE, path("log"), "ann", "", null)))
			.containsEntry("rule", "log")
			.containsKey("limits");
		this.endpoint.overrides.replace("gone", "ann", null, new OverrideText("max=7"), "ann");
		assertThat(ok(this.endpoint.http.restore(SecurityContext.NONE, path("gone"), "ann", "", null)))
			.isEqualTo(Map.of("rule", "gone", "key", "ann"));
	}

	@Test
	void keyIsReset() {
		take("log", "ann", 5);
		assertThat(ok(delete("log", "ann")).get("limits")).asString().contains("used=0");
	}

	@Test
	void changesAreListedWithWhoMadeThem() {
		change("log", "7", null, null, null);
		override("log", "acme", "9", null, null, null);
		this.endpoint.limiter("log").override("acme", KeyOverride.blocked());
		this.endpoint.http.restore(new Operator("ann"), path("log"), null, null, null);
		Map<String, Object> answer = ok(this.endpoint.http.rules(""));
		assertThat(answer).containsOnlyKeys("changes");
		assertThat((List<?>) answer.get("changes")).extracting(Object::toString)
			.containsExactlyInAnyOrder(
					"{at=2026-11-23T19:00:00Z, changedBy=anonymous, rule=log, from=as configured, to=max=7}",
					"{at=2026-11-23T19:00:00Z, changedBy=anonymous, rule=log, key=acme, from=as configured, to=max=9}",
					"{at=2026-11-23T19:00:00Z, changedBy=application, rule=log, key=acme, from=max=9, to=blocked}",
					"{at=2026-11-23T19:00:00Z, changedBy=ann, rule=log, from=max=7, to=as configured}");
		assertThat(ok(get("log", "acme")).get("override")).hasToString("{blocked=true, changedBy=application}");
		assertThat(ok(get("log", null)).get("keyOverrides"))
			.hasToString("[{key=acme, blocked=true, changedBy=application}]");
		for (int i = 0; i < 120; i++) {
			change("log", String.valueOf(10 + i), null, null, null);
		}
		assertThat((List<?>) ok(this.endpoint.http.rules("true")).get("changes")).hasSize(100)
			.first()
			.asString()
			.contains("max=128", "max=129");
	}

	private record Operator(String name) implements SecurityContext {

		@Override
		public Principal getPrincipal() {
			return () -> this.name;
		}

		@Override
		public boolean isUserInRole(String role) {
			return false;
		}

	}

	@Test
	void bannedKeysAreListedWithTheEndsOfTheirBans() {
		take("guard", "mallory", 3);
		Map<String, Object> banned = ok(this.endpoint.http.rule(path("guard"), null, null, "", null, null, null, null));
		assertThat(banned)
			.hasToString("{rule=guard, banned=[{key=mallory, until=2026-11-23T20:00:00Z," + " endsAfterMs=3600000}]}");
		assertThat(ok(get("guard", "mallory"))).containsEntry("bannedUntil", "2026-11-23T20:00:00Z");
		assertProblem(this.endpoint.http.rule(path("guard", "mallory"), null, null, "true", null, null, null, null),
				400, "it lists the banned keys of the whole rule");
		assertThat(ok(delete("guard", "mallory"))).doesNotContainKey("bannedUntil");
	}

	@Test
	void bansAndBlocksEndByTheClockOfTheStore() {
		EndpointUnderTest ahead = new EndpointUnderTest(Duration.ofSeconds(7));
		for (int i = 0; i < 3; i++) {
			ahead.limiter("guard").tryAcquire("mallory");
		}
		assertThat(ok(ahead.http.rule(path("guard"), null, null, "", null, null, null, null)).get("banned")).asString()
			.contains("until=2026-11-23T20:00:00Z");
		ahead.block("log", "ann", Duration.ofHours(1));
		assertThat(ok(ahead.http.rule(path("log"), "ann", "", null, null, null, null, null)).get("explanation"))
			.asString()
			.contains("is denied until 2026-11-23T20:00:00Z, because an API requested it.");
	}

	@Test
	void unknownRuleIsNotFoundAndTheKnownOnesAreNamed() {
		String why = "There is no rate limit rule \"lgo\". Known: contract, guard, hours, log, merge, "
				+ "paced, shop, sms, tiers.";
		assertProblem(get("lgo", null), 404, why);
		assertProblem(get("lgo", "ann"), 404, why);
		assertProblem(delete("lgo", null), 404, why);
		assertProblem(delete("lgo", "ann"), 404, why);
		assertProblem(this.endpoint.http.restore(SecurityContext.NONE, path("lgo"), "ann", "", null), 404, why);
		assertProblem(this.endpoint.http.change(SecurityContext.NONE, path("lgo"), null, "7", null, null, null, null,
				null, null, null, null, null, null), 404, why);
		assertProblem(this.endpoint.http.change(SecurityContext.NONE, path("lgo"), "ann", "7", null, null, null, null,
				null, null, null, null, null, null), 404, why);
	}

	@Test
	void valuesOfRuleAndKeyAreNotMixed() {
		assertProblem(
				this.endpoint.http.change(SecurityContext.NONE, path("log"), "ann", "7", "1h", null, null, null, null,
						null, null, null, null, null),
				400, "period of \"log\" = \"1h\" is invalid: a single key can only have another max.");
		assertProblem(
				this.endpoint.http.change(SecurityContext.NONE, path("log"), "ann", null, null, "off", null, null, null,
						null, null, null, null, null),
				400, "mode of \"log\" = \"off\" is invalid: a single key can only have another max.");
		assertProblem(
				this.endpoint.http.change(SecurityContext.NONE, path("log"), null, null, null, null, null, "true", null,
						null, null, null, null, null),
				400, "blocked of \"log\" = \"true\" is invalid: it is for a single key.");
		assertProblem(
				this.endpoint.http.change(SecurityContext.NONE, path("log"), null, null, null, null, null, null, "true",
						null, null, null, null, null),
				400, "unlimited of \"log\" = \"true\" is invalid: it is for a single key.");
		assertProblem(
				this.endpoint.http.change(SecurityContext.NONE, path("log"), null, "7", null, null, null, null, null,
						"1h", null, null, null, null),
				400, "lasting of \"log\" = \"1h\" is invalid: it is for a single key.");
	}

	@Test
	void changeThatIsAlwaysOvertakenIsAConflict() {
		this.endpoint.overrides.isOvertaken = true;
		assertProblem(this.endpoint.http.change(SecurityContext.NONE, path("log"), null, "7", null, null, null, null,
				null, null, null, null, null, null), 409, "log");
	}

	@Test
	void storeThatCannotAnswerIsUnavailableAndItsRemedyIsGiven() {
		this.endpoint.overrides.failure = new StoreException("Redis does not answer", null);
		assertProblem(
				this.endpoint.http.change(SecurityContext.NONE, path("log"), null, "7", null, null, null, null, null,
						null, null, null, null, null),
				503, "Redis does not answer. Nothing was changed, as far as is known. Try again when it answers.");
		this.endpoint.overrides.failure = new StoreException("NOPERM", null, "noperm", false, "Allow it.");
		assertProblem(delete("log", null), 503, "NOPERM. Nothing was changed, as far as is known. Allow it.");
	}

	@Test
	void readThatTheStoreCannotAnswerSaysNothingOfChanges() {
		this.endpoint.overrides.failure = new StoreException("Redis does not answer", null);
		assertThat(this.endpoint.http.rules("true").getBody()).asString()
			.contains("detail=Redis does not answer. Try again when it answers.");
		assertProblem(this.endpoint.http.rule(path("guard"), null, null, "", null, null, null, null), 503,
				"Redis does not answer. Try again when it answers.");
	}

	@Test
	void ruleWithoutABanListsNoKeyAndAsksNoStore() {
		this.endpoint.overrides.failure = new StoreException("Redis does not answer", null);
		assertThat(ok(this.endpoint.http.rule(path("log"), null, null, "", null, null, null, null)))
			.hasToString("{rule=log, banned=[]}");
	}

	private void take(String rule, String key, int calls) {
		for (int i = 0; i < calls; i++) {
			this.endpoint.limiter(rule).tryAcquire(key);
		}
	}

	private WebEndpointResponse<Map<String, Object>> get(String rule, @Nullable String key) {
		return this.endpoint.http.rule(path(rule), key, null, null, null, null, null, null);
	}

	private Map<String, Object> explained(String rule, String key) {
		return ok(this.endpoint.http.rule(path(rule), key, "", null, null, null, null, null));
	}

	private WebEndpointResponse<Map<String, Object>> delete(String rule, @Nullable String key) {
		return this.endpoint.http.restore(SecurityContext.NONE, path(rule), key, null, null);
	}

	private Map<String, Object> change(String rule, @Nullable String max, @Nullable String period,
			@Nullable String mode, @Nullable String limit) {
		return ok(this.endpoint.http.change(SecurityContext.NONE, path(rule), null, max, period, mode, limit, null,
				null, null, null, null, null, null));
	}

	private Map<String, Object> override(String rule, String key, @Nullable String max, @Nullable String limit,
			@Nullable String blocked, @Nullable String lasting) {
		return ok(this.endpoint.http.change(SecurityContext.NONE, path(rule), key, max, null, null, limit, blocked,
				null, lasting, null, null, null, null));
	}

	private static String[] path(String... segments) {
		return segments;
	}

	@SuppressWarnings("unchecked")
	private static List<String> sentences(Map<String, Object> state) {
		return (List<String>) state.get("explanation");
	}

	private static Map<String, Object> ok(WebEndpointResponse<Map<String, Object>> answer) {
		assertThat(answer.getStatus()).as(String.valueOf(answer.getBody())).isEqualTo(200);
		return answer.getBody();
	}

	private static void assertProblem(WebEndpointResponse<Map<String, Object>> answer, int status, String detail) {
		assertThat(answer.getStatus()).as(String.valueOf(answer.getBody())).isEqualTo(status);
		assertThat(answer.getContentType()).isEqualTo(MimeType.valueOf("application/problem+json"));
		assertThat(answer.getBody()).containsEntry("status", status).containsKeys("type", "title");
		assertThat(answer.getBody().get("detail")).asString().contains(detail);
	}

}
