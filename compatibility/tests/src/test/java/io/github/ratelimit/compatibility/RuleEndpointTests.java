package io.github.ratelimit.compatibility;

import java.net.URLEncoder;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;

import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.RateLimiterRegistry;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.WebApplicationType;
import org.springframework.http.MediaType;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Endpoint {@code ratelimits}: state and changes of rules in one process.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@OnOuterLines
abstract class RuleEndpointTests {

	private static final String RULES = "/actuator/ratelimits";

	private final WebApplicationType type;

	@AutoClose
	private Server server;

	RuleEndpointTests(WebApplicationType type) {
		this.type = type;
	}

	@BeforeAll
	void startServer() {
		this.server = Server.start(this.type, ForumApplication.class,
				"management.endpoints.web.exposure.include=ratelimits", "ratelimit.store=local",
				"ratelimit.rules.tiers.max=60", "ratelimit.rules.tiers.period=1h",
				"ratelimit.rules.tiers.plan=principal", "ratelimit.rules.tiers.plans.free.max=2",
				"ratelimit.rules.tiers.plans.pro.max=600", "ratelimit.rules.sms.mode=shadow",
				"ratelimit.rules.sms.limits[0].name=minute", "ratelimit.rules.sms.limits[0].max=1",
				"ratelimit.rules.sms.limits[0].period=1m", "ratelimit.rules.sms.limits[1].name=day",
				"ratelimit.rules.sms.limits[1].max=10", "ratelimit.rules.sms.limits[1].period=1d",
				"ratelimit.rules.search.algorithm=token-bucket", "ratelimit.rules.search.max=30",
				"ratelimit.rules.search.period=60s", "ratelimit.rules.search.burst=3", "ratelimit.rules.log.max=5",
				"ratelimit.rules.log.period=60s", "ratelimit.rules.guard.max=1", "ratelimit.rules.guard.period=1m",
				"ratelimit.rules.guard.ban.after=3", "ratelimit.rules.guard.ban.within=10m",
				"ratelimit.rules.guard.ban.lasting=1h", "ratelimit.rules.guard.ban.growing-to=24h",
				"ratelimit.web.requests[0].path=/never/**", "ratelimit.web.requests[0].rule=log",
				"ratelimit.web.requests[0].unless=status < 400", "ratelimit.rules.hits.max=2",
				"ratelimit.rules.hits.period=1h", "ratelimit.web.requests[1].path=/why/**",
				"ratelimit.web.requests[1].methods=POST", "ratelimit.web.requests[1].rule=hits",
				"ratelimit.web.requests[1].key=header('X-Api-Key')", "ratelimit.rules.quiet.max=5",
				"ratelimit.rules.quiet.period=60s", "ratelimit.rules.quiet.key=ip",
				"ratelimit.rules.quiet.headers=none", "ratelimit.web.requests[2].path=/quiet/**",
				"ratelimit.web.requests[2].rule=quiet");
	}

	@Test
	void describesRulesAndTheSourcesOfTheirValues() {
		HttpResponse<String> all = this.server.get(RULES);
		assertThat(all.statusCode()).as(all.body()).isEqualTo(200);
		assertThat(all.body()).contains("\"name\":\"reply-controller-reply\"", "\"name\":\"sms-minute\"",
				"\"overridesHold\":\"in this process only, until they are removed or it ends\"");
		String annotation = "@RateLimited on ReplyController.reply(String)";
		String reply = this.server.get(RULES + "/reply-controller-reply").body();
		assertThat(reply).contains("\"mode\":\"enforce\"", "\"onStoreFailure\":\"local\"",
				"\"ReplyController.reply(String)\":\"#userId + ':reply'\"",
				"\"algorithm\":\"sliding-log\",\"max\":5,\"period\":\"1m\"", "\"max\":\"" + annotation + ": max\"",
				"\"algorithm\":\"ratelimit.defaults.algorithm\"");
		String sms = this.server.get(RULES + "/sms").body();
		assertThat(sms).contains("\"mode\":\"shadow\"", "\"mode\":\"ratelimit.rules.sms.mode\"",
				"\"max\":\"ratelimit.rules.sms.limits[0].max\"", "\"period\":\"1d\"");
		assertThat(this.server.get(RULES + "/log").body())
			.contains("\"ends\":{\"ratelimit.web.requests[0]\":{\"unless\":\"status < 400\"}}");
		assertThat(this.server.get(RULES + "/search").body()).contains("\"burst\":3",
				"\"burst\":\"ratelimit.rules.search.burst\"");
	}

	@Test
	void describesTheKeyOfUrlsAndTheHeaders() {
		assertThat(this.server.get(RULES + "/quiet").body()).contains("\"keys\":{\"ratelimit.web.requests[2]\":\"ip\"}",
				"\"headers\":[\"none\"]", "\"headers\":\"ratelimit.rules.quiet.headers\"");
		assertThat(this.server.get(RULES + "/log").body()).contains("\"keys\":{\"ratelimit.web.requests[0]\":\"\"}",
				"\"headers\":[\"ietf\"]", "\"headers\":\"ratelimit.web.headers\"");
	}

	@ParameterizedTest
	@ValueSource(strings = { "laoqian", "laoqian:reply", "a/b", "/a", "a//b/", "100%", "%41", "a+b", "a b", "老钱",
			"a;b=c", "..", ".", "?", "&key=b", "\"", "\\", "", "[]", "~'!()*" })
	void everyKeyHasAName(String key) {
		take(key);
		String name = RULES + "/log?key=" + URLEncoder.encode(key, StandardCharsets.UTF_8);
		assertUsed(name + "&explain", key, 1);
		assertThat(this.server.delete(name).statusCode()).isEqualTo(200);
		assertUsed(name, key, 0);
	}

	@ParameterizedTest
	@CsvSource({ "laoqian, /laoqian", "laoqian:reply, /laoqian:reply", "a b, /a%20b", "a+b, /a+b",
			"老钱, /%E8%80%81%E9%92%B1", "100%, /100%25", "%41, /%2541" })
	void simpleKeysAreAPath(String key, String path) {
		take(key);
		assertUsed(RULES + "/log" + path, key, 1);
		assertThat(this.server.delete(RULES + "/log" + path).statusCode()).isEqualTo(200);
		assertUsed(RULES + "/log" + path, key, 0);
	}

	private void take(String key) {
		this.server.bean(RateLimiterRegistry.class).limiter("log").tryAcquire(key);
	}

	private void assertUsed(String path, String key, int used) {
		for (int i = 0; i < 2; i++) {
			HttpResponse<String> state = this.server.get(path);
			assertThat(state.statusCode()).as(state.body()).isEqualTo(200);
			assertThat(Json.of(state.body()).text("key")).isEqualTo(key.replace("\\", "\\\\").replace("\"", "\\\""));
			assertThat(Json.of(state.body()).text("used")).as(state.body()).isEqualTo(String.valueOf(used));
			assertThat(Json.of(state.body()).text("origin")).isEqualTo("local");
		}
	}

	@Test
	void explainsARequestThatNobodyHasSent() {
		String request = "{\"request\":{\"method\":\"post\",\"path\":\"/why/x?a=b\",\"headers\":{\"X-Api-Key\":\"k\"},"
				+ "\"principal\":\"ann\"}}";
		for (int i = 2; i > 0; i--) {
			String passes = this.server.postJson(RULES, request).body();
			assertThat(passes).contains("\"passes\":true,\"status\":200",
					"\"RateLimit\":\"\\\"hits\\\";r=" + (i - 1) + ';', "\"at\":\"ratelimit.web.requests[1]\"",
					"\"keyExpression\":\"header('X-Api-Key')\"", "\"key\":\"k\"", "\"remaining\":" + i,
					"\"because\":\"/why/x does not match /never/**\"");
			assertThat(this.server.post("/why/x", "X-Api-Key", "k").headers().firstValue("RateLimit"))
				.hasValue(Json.of(passes).text("RateLimit").replace("\\", ""));
		}
		assertThat(this.server.postJson(RULES, request).body()).contains("\"passes\":false,\"status\":429",
				"\"Retry-After\":\"", "quota has been exceeded\",\"status\":429", "Rate limit exceeded: ",
				"\"violated-policies\":[\"hits\"]");
		assertThat(this.server.post("/why/x", "X-Api-Key", "k").statusCode()).isEqualTo(429);
		assertThat(this.server.postJson(RULES, "{\"request\":{\"path\":\"/why/x\"}}").body())
			.contains("\"because\":\"GET is none of its methods\"", "\"passes\":true");
		assertThat(this.server.postJson(RULES, "{\"request\":{\"method\":\"POST\",\"path\":\"/why/x\"}}").body())
			.contains("\"passes\":false,\"status\":400", "\"title\":\"Bad Request\",\"status\":400",
					"The request has no header X-Api-Key.");
		HttpResponse<String> unknown = this.server.postJson(RULES,
				"{\"request\":{\"path\":\"/why/x\",\"session\":\"1\"}}");
		assertThat(unknown.statusCode()).isEqualTo(400);
		assertThat(unknown.body())
			.contains("\\\"session\\\" is unknown. Known here: headers, method, path, principal, remoteAddress.");
		HttpResponse<String> undecodable = this.server.postJson(RULES, "{\"request\":{\"path\":\"/api/%zz\"}}");
		assertThat(undecodable.statusCode()).isEqualTo(400);
		assertThat(undecodable.body()).contains("it cannot be decoded");
		assertRefused(this.server.postJson(RULES, "{\"request\":{\"path\":\"/why/x\",\"remoteAddress\":5}}"),
				"remoteAddress = \"5\" is invalid: it is not an IP address.");
		HttpResponse<String> noPath = this.server.postJson(RULES, "{\"request\":{}}");
		assertThat(noPath.statusCode()).isEqualTo(400);
		assertThat(noPath.body()).contains("path is missing", "it is the path of the request to explain");
	}

	@Test
	void explainedProblemHasTheTypeOfTheRealOne() {
		String explained = this.server.postJson(RULES, "{\"request\":{\"method\":\"POST\",\"path\":\"/why/x\"}}")
			.body();
		String sent = this.server.post("/why/x").body();
		assertThat(sent).contains("The request has no header X-Api-Key.");
		assertThat(explained.contains("\"type\"")).as(explained).isEqualTo(sent.contains("\"type\""));
		assertThat(explained.contains("\"type\":\"about:blank\"")).isEqualTo(sent.contains("\"type\":\"about:blank\""));
	}

	@Test
	void requestThatLacksItsKeyPassesInShadowMode() {
		this.server.postJson(RULES + "/hits", "{\"mode\":\"shadow\"}");
		String passes = this.server.postJson(RULES, "{\"request\":{\"method\":\"POST\",\"path\":\"/why/x\"}}").body();
		int status = this.server.post("/why/x").statusCode();
		this.server.delete(RULES + "/hits");
		assertThat(passes).contains("\"passes\":true,\"status\":200", "the request has no header X-Api-Key.",
				"\"mode\":\"shadow\"", "The rule is in shadow mode, so it neither counts nor denies the request.");
		assertThat(status).isEqualTo(this.server.post("/why/x", "X-Api-Key", "shadow").statusCode());
	}

	@Test
	void saysHowARequestIsDescribed() {
		String notAnObject = "\"request\" is not an object in a body of 256 KB at most. Write {";
		assertRefused(this.server.postJson(RULES, "{\"request\":\"/why/x\"}"), notAnObject);
		assertRefused(this.server.postJson(RULES, "{\"request\":[1]}"), notAnObject);
		assertRefused(this.server.postJson(RULES, "{\"reqest\":{\"path\":\"/why/x\"}}"),
				"\"reqest\" is unknown. Did you mean request? ");
		assertRefused(this.server.postJson(RULES, "[]"), notAnObject);
		assertRefused(this.server.postJson(RULES, "{\"request\":"), notAnObject);
		assertRefused(
				this.server.postJson(RULES,
						"{\"request\":{\"path\":\"/why/x\",\"principal\":\"" + "a".repeat(300_000) + "\"}}"),
				notAnObject);
		assertRefused(this.server.postJson(RULES, "{\"request\":{\"path\":\"/why/x\",\"headers\":{\"A\":{\"b\":1}}}}"),
				"headers = \"A\" is invalid: it is not a header with a text.");
		assertRefused(this.server.postJson(RULES, "{\"request\":{\"path\":[\"/why/x\"]}}"),
				"\"path\" cannot be a list. Write one value.");
		assertRefused(
				this.server.postJson(RULES, "{\"request\":{\"path\":\"/why/x\",\"principal\":{\"name\":\"ann\"}}}"),
				"\"principal\" cannot be an object. Write one value.");
		assertRefused(this.server.postJson(RULES, "{\"request\":{\"path\":\"/why/x\",\"headers\":[\"X-Api-Key: k\"]}}"),
				"\"headers\" cannot be a list. Write {\"headers\": {\"X-Api-Key\": \"k\"}} for example.");
	}

	@Test
	void describedRequestIsReadByItsEndpointAlone() {
		assertThat(this.server.postJson(RULES + "/log", "{\"request\":{\"max\":9}}").statusCode()).isEqualTo(400);
		assertThat(this.server.bean(RateLimiterRegistry.class).limiter("log").rule().limits().get(0).max())
			.isNotEqualTo(9);
	}

	@Test
	void listsExplainsAndLiftsBans() {
		RateLimiter limiter = this.server.bean(RateLimiterRegistry.class).limiter("guard");
		for (int i = 0; i < 4; i++) {
			limiter.tryAcquire("mallory");
			limiter.tryAcquire("bob", 0);
		}
		assertThat(limiter.peek("mallory").violated()).containsExactly("guard-ban");
		assertThat(this.server.get(RULES + "/guard").body())
			.contains("\"ban\":{\"after\":3,\"within\":\"10m\",\"lasting\":\"1h\",\"growingTo\":\"1d\"}")
			.contains("\"ban\":\"ratelimit.rules.guard.ban\"");
		HttpResponse<String> banned = this.server.get(RULES + "/guard?banned");
		assertThat(banned.body()).matches("\\{\"rule\":\"guard\",\"banned\":\\[\\{\"key\":\"mallory\",\"until\":"
				+ "\"[-0-9]+T[:0-9]+Z\",\"endsAfterMs\":3[0-9]{6}}]}");
		assertThat(this.server.get(RULES + "/guard/mallory?explain").body()).contains("\"bannedUntil\":\"",
				"All calls are denied, because the key is banned after 3 denials until ",
				"because of \\\"guard-ban\\\"");
		assertThat(this.server.get(RULES + "/guard/mallory?banned").statusCode()).isEqualTo(400);
		assertThat(this.server.delete(RULES + "/guard/mallory").body()).doesNotContain("bannedUntil");
		assertThat(this.server.get(RULES + "/guard?banned").body()).contains("\"banned\":[]");
		assertThat(limiter.tryAcquire("mallory").allowed()).isTrue();
	}

	@ParameterizedTest
	@ValueSource(strings = { "?explain", "?explain=true", "?explain=" })
	void explainsTheDecisionForUsers(String explain) {
		this.server.statuses(5, "/replies?userId=explained");
		String path = RULES + "/reply-controller-reply/explained:reply";
		HttpResponse<String> state = this.server.get(path + explain);
		assertThat(state.body()).contains("5 of 5 used, 0 left", "The next call passes in ",
				"max = 5 comes from @RateLimited on ReplyController.reply(String): max", "counters of this process");
		long next = Long.parseLong(Json.of(state.body()).text("nextCallAfterMs"));
		assertThat(next).isBetween(30_000L, 60_000L);
		assertThat(this.server.get(path).body()).doesNotContain("explanation");
		assertThat(this.server.get(path + "?explain=false").body()).doesNotContain("explanation");
	}

	@Test
	void showsAKeyUnderEachPlan() {
		this.server.bean(RateLimiterRegistry.class).limiter("tiers").withPlan("free").tryAcquire("acme", 2);
		String path = RULES + "/tiers/acme";
		assertThat(this.server.get(path).body()).contains("\"max\":60", "\"remaining\":58").doesNotContain("plan");
		assertThat(this.server.get(path + "?plan=free").body()).contains("\"plan\":\"free\"", "\"remaining\":0");
		assertThat(this.server.get(path + "?explain&plan=pro").body()).contains("\"plan\":\"pro\"", "\"remaining\":598",
				"admits 600 per 1h instead of 60 per 1h under plan pro",
				"max = 600 comes from plan pro of ratelimit.rules.tiers.plans, period = 1h from ratelimit.rules.tiers.period");
		assertThat(this.server.get(path + "?explain&plan=gold").body()).contains("\"max\":60",
				"because there is no plan gold. Known: ");
		assertThat(this.server.get(RULES + "/tiers").body()).contains("\"plan\":\"principal\"",
				"\"free\":[{\"name\":\"tiers\",\"max\":2,\"period\":\"1h\"}]");
	}

	@Test
	void explainsAnOverriddenKeyWithoutPlans() {
		String path = RULES + "/tiers/partner";
		assertThat(this.server.postJson(RULES + "/tiers?key=partner", "{\"max\":900}").statusCode()).isEqualTo(200);
		for (String plan : List.of("", "&plan=free", "&plan=gold")) {
			assertThat(this.server.get(path + "?explain" + plan).body())
				.contains("0 of 900 used",
						"max = 900 comes from the override of key \\\"partner\\\"; plans do not apply "
								+ "to it. The limit has period = 1h from ratelimit.rules.tiers.period")
				.doesNotContain("max = 60 ", "admits 2 ", "write plan=", "own numbers");
		}
		this.server.delete(path + "?override");
		assertThat(this.server.get(path + "?explain").body()).contains("max = 60 comes from ratelimit.rules.tiers.max",
				"write plan=");
	}

	@Test
	void unknownRuleIsNotFound() {
		for (HttpResponse<String> answer : List.of(this.server.get(RULES + "/rply"),
				this.server.get(RULES + "/rply/laoqian"), this.server.delete(RULES + "/rply/laoqian"),
				this.server.delete(RULES + "/rply"), this.server.postJson(RULES + "/rply", "{\"max\":5}"))) {
			assertThat(answer.statusCode()).as(answer.body()).isEqualTo(404);
			assertThat(answer.headers().firstValue("Content-Type").orElseThrow())
				.startsWith("application/problem+json");
			assertThat(Json.of(answer.body()).text("detail"))
				.startsWith("There is no rate limit rule \\\"rply\\\". Known: ")
				.contains("reply-controller-reply");
		}
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '`',
			textBlock = """
					{"max":0}|max of "log" = 0 is invalid: it has to be between 1 and 1000000000.
					{"max":20000}|max of "log" = 20000 is invalid: the algorithm sliding-log keeps one entry per admitted unit
					{"max":5.5}|max of "log" = "5.5" is invalid: it is not a whole number.
					{"max":"many"}|max of "log" = "many" is invalid: it is not a whole number. Write how many
					{"max":99999999999999999999}|is invalid: it is too large.
					{"period":"soon"}|period of "log" = "soon" is invalid: it is not a duration.
					{"period":"1000000000000d"}|period of "log" = 1000000000000d is invalid: it has to be between 1 ms and 366 days. Write a duration, "period": "60s" for example; a number without a unit means seconds.
					{"period":"9223372036854775807d"}|period of "log" = "9223372036854775807d" is invalid: it is not a duration.
					{"period":"400d"}|period of "log" = 400d is invalid: it has to be between 1 ms and 366 days.
					{"period":"-1s"}|period of "log" = -1s is invalid
					{"mode":"shadwo"}|mode of "log" = "shadwo" is invalid: there is no such mode. Write enforce, shadow or off.
					{}|This would change nothing of the rule "log". Write max, period or mode, {"max": 10} for example.
					{"max":[5]}|"max" cannot be a list. Write one value.
					{"request":{"max":9}}|"request" is unknown. Known here: adopt,
					[]|The body is not a JSON object of 256 KB at most. Write {"max": 10} for example.
					5|The body is not a JSON object of 256 KB at most.
					{"max":|The body is not a JSON object of 256 KB at most.
					{"maxx":5}|"maxx" is unknown. Did you mean max? Known here: adopt, algorithm, blocked, burst, candidate, key, lasting, limit, max, mode, period, unlimited.
					{"max":5,"limit":"day"}|limit = "day" is invalid: rule "log" has one limit only. Leave limit out.
					""")
	void invalidChangeIsRefusedWithTheReason(String body, String why) {
		assertRefused(this.server.postJson(RULES + "/log", body), why);
		assertThat(this.server.get(RULES + "/log").body()).contains("\"max\":5").doesNotContain("override");
	}

	@Test
	void oneOfSeveralLimitsIsNamed() {
		assertRefused(this.server.postJson(RULES + "/sms", "{\"max\":5}"),
				"limit is missing: rule \"sms\" has several: day, minute. Write which of them to change");
		assertRefused(this.server.postJson(RULES + "/sms", "{\"max\":5,\"limit\":\"hour\"}"),
				"limit = \"hour\" is invalid: rule \"sms\" has day, minute.");
		assertRefused(this.server.postJson(RULES + "/sms", "{\"mode\":\"off\",\"limit\":\"day\"}"),
				"limit of \"sms\" = \"day\" is invalid: the mode is that of the whole rule.");
		for (String limit : List.of("day", "sms-day")) {
			HttpResponse<String> changed = this.server.postJson(RULES + "/sms",
					"{\"max\":5,\"limit\":\"" + limit + "\"}");
			assertThat(changed.statusCode()).as(changed.body()).isEqualTo(200);
			assertThat(changed.body()).contains("\"name\":\"sms-day\",\"algorithm\":\"sliding-log\",\"max\":5,",
					"\"limits\":{\"day\":{\"max\":5}}", "\"mode\":\"shadow\"");
			assertThat(this.server.delete(RULES + "/sms").statusCode()).isEqualTo(200);
		}
	}

	private static void assertRefused(HttpResponse<String> answer, String why) {
		assertThat(answer.statusCode()).as(answer.body()).isEqualTo(400);
		assertThat(Json.of(answer.body()).text("detail").replace("\\\"", "\"")).contains(why);
	}

	@Test
	void changeHoldsFromTheNextCallAndKeepsConsumedUnits() {
		String path = RULES + "/reply-controller-mono";
		assertThat(this.server.statuses(5, "/mono?userId=changed")).containsOnly(200);
		assertThat(this.server.statuses(1, "/mono?userId=changed")).containsOnly(429);
		HttpResponse<String> changed = this.server.postJson(path, "{\"max\":7,\"period\":\"90s\"}");
		assertThat(changed.statusCode()).as(changed.body()).isEqualTo(200);
		assertThat(changed.body()).contains("\"max\":7,\"period\":\"90s\"", "\"max\":\"run time\"", "\"made\":\"20");
		assertThat(this.server.statuses(3, "/mono?userId=changed")).isEqualTo(List.of(200, 200, 429));
		assertThat(this.server.postJson(path, "{\"mode\":\"shadow\"}").body()).contains("\"max\":7", "\"shadow\"");
		assertThat(this.server.statuses(1, "/mono?userId=changed")).containsOnly(200);
		assertThat(this.server.get(RULES).body()).contains("\"overrides\":{\"reply-controller-mono\":{\"made\":\"20");
		assertThat(this.server.delete(path).statusCode()).isEqualTo(200);
		assertThat(this.server.statuses(1, "/mono?userId=changed")).containsOnly(429);
		HttpResponse<String> again = this.server.delete(path);
		assertThat(again.statusCode()).isEqualTo(404);
		assertThat(again.body()).contains("is not changed at run time");
	}

	@Test
	void unknownOrDuplicateNamesAreRefused() {
		assertRefused(this.server.get(RULES + "/log?kye=a"),
				"\"kye\" is unknown. Did you mean key? Known here: banned, candidates, explain, key, plan, priority, top.");
		assertRefused(this.server.get(RULES + "?banned"),
				"\"banned\" is unknown. Known here: changes. Others belong to a rule: "
						+ "/actuator/ratelimits/{rule}?key=acme for example.");
		assertRefused(this.server.delete(RULES + "/log?kye=a"), "\"kye\" is unknown.");
		assertRefused(this.server.get(RULES + "/log?key=a&key=b"), "\"key\" is given 2 times. Write it once.");
		assertRefused(this.server.get(RULES + "/log/a?explain=maybe"), "explain = \"maybe\" is invalid");
	}

	@Test
	void onlyThePathDeterminesRuleAndKey() {
		take("kept");
		for (String name : List.of("rule", "path")) {
			String unknown = '"' + name + "\" is unknown.";
			assertRefused(this.server.postJson(RULES + "/log", "{\"" + name + "\":\"search\",\"max\":9}"), unknown);
			assertRefused(this.server.postJson(RULES + "/log?" + name + "=search", "{\"max\":9}"), unknown);
			assertRefused(this.server.postJson(RULES + "/log", "{\"" + name + "\":null,\"max\":9}"), unknown);
			assertRefused(this.server.get(RULES + "/log?" + name + "=search"), unknown);
			assertRefused(this.server.get(RULES + "/log?" + name + "=search&" + name + "=sms"), unknown);
			assertRefused(this.server.delete(RULES + "/log/a?" + name + "=log&" + name + "=kept"), unknown);
			assertRefused(this.server.delete(RULES + "/log?" + name + "=search"), unknown);
		}
		assertRefused(this.server.delete(RULES + "/log/a?key=kept"), "the path has a key already");
		assertUsed(RULES + "/log/kept", "kept", 1);
		assertThat(this.server.get(RULES + "/log").body()).contains("\"max\":5").doesNotContain("override");
		assertThat(this.server.get(RULES + "/search").body()).contains("\"max\":30").doesNotContain("override");
	}

	/**
	 * A browser sends these to a foreign server without asking it first.
	 */
	@Test
	void bodiesThatAForeignPageCanSendChangeNothing() {
		String json = "{\"max\":9}";
		String multipart = "--a\r\nContent-Disposition: form-data; name=\"max\"\r\n\r\n9\r\n--a--\r\n";
		for (String path : List.of(RULES, RULES + "/log", RULES + "/log?max=9", RULES + "/log?max=9&key=ann")) {
			for (HttpResponse<String> answer : List.of(this.server.send(path, MediaType.TEXT_PLAIN, json),
					this.server.send(path, MediaType.APPLICATION_FORM_URLENCODED, json),
					this.server.send(path, MediaType.APPLICATION_FORM_URLENCODED, "max=9"),
					this.server.send(path, MediaType.valueOf("multipart/form-data;boundary=a"), multipart),
					this.server.postUntyped(path, json), this.server.post(path))) {
				assertThat(answer.statusCode()).as(path + ": " + answer.body()).isEqualTo(415);
			}
		}
		assertThat(this.server.get(RULES + "/log").body()).contains("\"max\":5").doesNotContain("verride");
	}

	@Test
	void requestsThatAreTooLargeChangeNothing() {
		// a server may close the connection of a much larger one before its answer is
		// read
		String large = "a".repeat(263_000);
		for (String body : List.of(large, "{\"max\":9,\"key\":\"" + large + "\"}", "{\"" + large + "\":9,\"max\":9}",
				"{\"max\":9,\"candidate\":\"" + large + "\"}")) {
			assertRefused(this.server.postJson(RULES + "/log", body),
					"The body is not a JSON object of 256 KB at most. Write {\"max\": 10} for example.");
		}
		HttpResponse<String> longName = this.server.postJson(RULES + "/log",
				"{\"max\":4,\"candidate\":\"" + "a".repeat(10_000) + "\"}");
		assertRefused(longName, "Use 1 to 100 lower case letters, digits and hyphens");
		assertThat(longName.body()).hasSizeLessThan(2_000);
		assertThat(this.server.get(RULES + "/log").body()).contains("\"max\":5").doesNotContain("verride", "candidate");
	}

	@Test
	void pathsOfNoRuleAreNotFound() {
		assertRefused(this.server.postJson(RULES, "{\"max\":9}"), "\"max\" is unknown");
		for (HttpResponse<String> answer : List.of(this.server.postJson(RULES + "/log/a", "{\"max\":9}"),
				this.server.delete(RULES), this.server.get(RULES + "/log/a/b"),
				this.server.delete(RULES + "/log/a/b"))) {
			assertThat(answer.statusCode()).as(answer.body()).isEqualTo(404);
		}
	}

}
