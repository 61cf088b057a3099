package io.github.ratelimit.compatibility;

import java.net.URLEncoder;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;

import io.github.ratelimit.KeyOverride;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.RateLimiterRegistry;
import io.github.ratelimit.override.OverrideStore;
import io.github.ratelimit.override.OverrideText;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.WebApplicationType;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Endpoint {@code ratelimits}: overrides of single keys, and lists of keys, in one
 * process.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@OnOuterLines
abstract class KeyOverrideEndpointTests {

	private static final String RULES = "/actuator/ratelimits";

	private static final String MONO = RULES + "/reply-controller-mono";

	private final WebApplicationType type;

	@AutoClose
	private Server server;

	KeyOverrideEndpointTests(WebApplicationType type) {
		this.type = type;
	}

	@BeforeAll
	void startServer() {
		this.server = Server.start(this.type, ForumApplication.class, "ratelimit.store=local",
				"management.endpoints.web.exposure.include=ratelimits", "ratelimit.rules.sms.limits[0].name=minute",
				"ratelimit.rules.sms.limits[0].max=1", "ratelimit.rules.sms.limits[0].period=1m",
				"ratelimit.rules.sms.limits[1].name=day", "ratelimit.rules.sms.limits[1].max=10",
				"ratelimit.rules.sms.limits[1].period=1d", "ratelimit.rules.log.max=5",
				"ratelimit.rules.log.period=60s", "ratelimit.rules.reply-controller-address.allow[0]=127.0.0.0/8",
				"ratelimit.rules.reply-controller-address.allow[1]=::/64",
				"ratelimit.rules.reply-controller-flux.deny[0]=mallory", "ratelimit.rules.urls.max=5",
				"ratelimit.rules.urls.period=60s", "ratelimit.rules.urls.deny=127.0.0.0/8,::/64",
				"ratelimit.web.requests[0].path=/denied/**", "ratelimit.web.requests[0].rule=urls",
				"ratelimit.web.requests[0].key=ip");
	}

	@Test
	void keyHasOtherNumbersFromTheNextCallOnAndKeepsWhatWasConsumed() {
		assertThat(this.server.statuses(6, "/mono?userId=acme")).isEqualTo(List.of(200, 200, 200, 200, 200, 429));
		HttpResponse<String> overridden = post("?key=acme", "{\"max\":7,\"lasting\":\"7d\"}");
		assertThat(overridden.statusCode()).as(overridden.body()).isEqualTo(200);
		assertThat(overridden.body()).contains("\"key\":\"acme\"", "\"override\":{\"max\":7,\"until\":\"20",
				"\"used\":5,\"remaining\":2", "\"overrideHolds\":\"in this process only\"");
		assertThat(this.server.statuses(3, "/mono?userId=acme")).isEqualTo(List.of(200, 200, 429));
		assertThat(this.server.statuses(6, "/mono?userId=other")).endsWith(200, 429);
		assertThat(this.server.get(MONO).body())
			.contains("\"keyOverrides\":[{\"key\":\"acme\",\"max\":7,\"until\":\"20", "\"max\":5");
		assertThat(this.server.get(RULES).body()).contains("\"keyOverrides\":1");
		assertThat(this.server.get(MONO + "/acme?explain").body()).contains("because key \\\"acme\\\" has 7 until 20",
				"7 of 7 used");
		HttpResponse<String> removed = this.server.delete(MONO + "?key=acme&override");
		assertThat(removed.statusCode()).as(removed.body()).isEqualTo(200);
		assertThat(removed.body()).contains("\"used\":5").doesNotContain("override");
		assertThat(this.server.statuses(1, "/mono?userId=acme")).containsOnly(429);
		HttpResponse<String> again = this.server.delete(MONO + "/acme?override=true");
		assertThat(again.statusCode()).isEqualTo(404);
		assertThat(again.body()).contains("is not overridden");
		assertThat(this.server.get(MONO).body()).doesNotContain("verride");
	}

	@Test
	void blockedKeyIsDeniedUntilTheEnd() {
		assertThat(post("?key=blocked", "{\"blocked\":true,\"lasting\":\"1h\"}").statusCode()).isEqualTo(200);
		HttpResponse<String> denied = this.server.post("/mono?userId=blocked");
		assertThat(denied.statusCode()).isEqualTo(429);
		assertThat(denied.headers().firstValueAsLong("Retry-After").orElseThrow()).isBetween(3590L, 3600L);
		assertThat(denied.headers().firstValue("RateLimit")).isEmpty();
		assertThat(Json.of(denied.body()).text("violated-policies")).isEqualTo("[\"reply-controller-mono\"]");
		assertThat(Json.of(denied.body()).text("detail"))
			.matches("Rate limit ..reply-controller-mono.. blocks such calls\\. Try again in (1 h|59 min \\d+ s)\\.");
		String state = this.server.get(MONO + "/blocked?explain").body();
		assertThat(state).contains("because key \\\"blocked\\\" is blocked until 20", "\"remaining\":5")
			.doesNotContain("passes now");
		assertThat(post("?key=blocked", "{\"blocked\":true}").statusCode()).isEqualTo(200);
		HttpResponse<String> forEver = this.server.post("/mono?userId=blocked");
		assertThat(forEver.statusCode()).isEqualTo(429);
		assertThat(forEver.headers().firstValue("Retry-After")).isEmpty();
		assertThat(this.server.get(MONO + "/blocked?explain").body()).contains("is blocked until that is removed.");
		assertThat(this.server.delete(MONO + "?key=blocked&override").statusCode()).isEqualTo(200);
		assertThat(this.server.statuses(1, "/mono?userId=blocked")).containsOnly(200);
	}

	@Test
	void unlimitedKeyIsNotCounted() {
		assertThat(post("?key=free", "{\"unlimited\":true}").statusCode()).isEqualTo(200);
		assertThat(this.server.statuses(9, "/mono?userId=free")).containsOnly(200);
		assertThat(this.server.post("/mono?userId=free").headers().firstValue("RateLimit")).isEmpty();
		assertThat(this.server.get(MONO + "?key=free&explain").body()).contains("\"used\":0",
				"Every call passes and is not counted, because key \\\"free\\\" is unlimited until that is removed.");
		assertThat(this.server.delete(MONO + "?key=free&override=").statusCode()).isEqualTo(200);
	}

	@ParameterizedTest
	@ValueSource(strings = { "laoqian:reply", "a/b", "100%", "%41", "a+b", "a b", "老钱", "..", "?", "&key=b", "\"", "\\",
			"", "[]" })
	void everyKeyCanBeOverridden(String key) {
		RateLimiter log = this.server.bean(RateLimiterRegistry.class).limiter("log");
		String path = RULES + "/log?key=" + URLEncoder.encode(key, StandardCharsets.UTF_8);
		assertThat(this.server.postJson(path, "{\"max\":7}").statusCode()).isEqualTo(200);
		assertThat(log.overrides()).containsEntry(key, KeyOverride.max(7)).hasSize(1);
		assertThat(this.server.delete(path + "&override").statusCode()).isEqualTo(200);
		assertThat(log.overrides()).isEmpty();
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
			?key | {"max":7}
			?key= | {"max":7}
			?x= | {"key":null,"max":7}
			""")
	void keyWithoutAValueIsNeverTheWholeRule(String query, String body) {
		String path = RULES + "/log" + (query.startsWith("?key") ? query : "");
		assertThat(this.server.postJson(path, body).statusCode()).isEqualTo(200);
		assertThat(this.server.get(RULES + "/log").body())
			.contains("\"keyOverrides\":[{\"key\":\"\",\"max\":7,\"changedBy\":\"anonymous\"}]", "\"max\":5");
		assertThat(this.server.delete(RULES + "/log?key=&override").statusCode()).isEqualTo(200);
	}

	@Test
	void limitsOfARuleWithSeveralAreAddedOneByOne() {
		String sms = RULES + "/sms?key=partner";
		assertRefused(this.server.postJson(sms, "{\"max\":9}"),
				"limit is missing: rule \"sms\" has several: minute, day. Name the one that the key overrides, "
						+ "\"limit\": \"minute\"");
		assertThat(this.server.postJson(sms, "{\"max\":9,\"limit\":\"minute\",\"lasting\":60}").statusCode())
			.isEqualTo(200);
		HttpResponse<String> both = this.server.postJson(sms, "{\"max\":90,\"limit\":\"sms-day\"}");
		assertThat(both.body()).contains("\"override\":{\"limits\":{\"day\":{\"max\":90},\"minute\":{\"max\":9}},"
				+ "\"changedBy\":\"anonymous\"}");
		assertThat(this.server.get(sms + "&explain").body())
			.contains("has 90 of \\\"sms-day\\\", 9 of \\\"sms-minute\\\" until that is removed.");
		assertThat(this.server.delete(sms + "&override").statusCode()).isEqualTo(200);
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '`',
			textBlock = """
					?key=a | {} | An override of a key of rule "log" has one of max, blocked and unlimited. Write {"max": 900},
					?key=a | {"max":7,"blocked":true} | has one of max, blocked and unlimited.
					?key=a | {"blocked":false} | has one of max, blocked and unlimited.
					?key=a | {"blocked":"maybe"} | blocked = "maybe" is invalid: it is neither true nor false.
					?key=a | {"max":0} | max = 0 is invalid: it has to be between 1 and 1000000000.
					?key=a | {"max":"many"} | max of "log" = "many" is invalid: it is not a whole number.
					?key=a | {"max":20000} | max of "log" = 20000 is invalid: the algorithm sliding-log
					?key=a | {"max":7,"limit":"day"} | limit = "day" is invalid: rule "log" has one limit only. Leave limit out.
					?key=a | {"blocked":true,"limit":"log"} | limit of "log" = "log" is invalid: a key is blocked or unlimited
					?key=a | {"max":7,"lasting":"soon"} | lasting of "log" = "soon" is invalid: it is not a duration.
					?key=a&lasting | {"blocked":true} | lasting of "log" = "" is invalid: it is not a duration.
					?max=5 | {"key":["a","b"],"blocked":true} | "key" cannot be a list. Write one value.
					?key=a | {"max":7,"lasting":0} | lasting = 0ms is invalid: it has to be between 1 ms and 366 days.
					?key=a | {"max":7,"lasting":"400d"} | lasting = 400d is invalid: it has to be between 1 ms and 366 days.
					?key=a | {"max":7,"lasting":"999999999999d"} | lasting = 999999999999d is invalid: it has to be between 1 ms and 366 days.
					?key=a | {"max":7,"period":"1h"} | period of "log" = "1h" is invalid: a single key can only have another max.
					?key=a | {"mode":"off"} | mode of "log" = "off" is invalid: a single key can only have another max.
					?kye=a | {"max":7} | "kye" is unknown. Did you mean key? Known here: adopt, algorithm, blocked, burst, candidate, key, lasting, limit, max, mode, period, unlimited.
					?key=a&key=b | {"max":7} | "key" is given 2 times. Write it once.
					?x | {"blocked":true} | "x" is unknown.
					?max=5 | {"blocked":true} | blocked of "log" = "true" is invalid: it is for a single key. Name the key, ?key=acme
					?max=5 | {"lasting":"7d"} | lasting of "log" = "7d" is invalid: it is for a single key.
					""")
	void invalidOverrideIsRefusedWithTheReason(String query, String body, String why) {
		assertRefused(this.server.postJson(RULES + "/log" + query, body), why);
		assertThat(this.server.get(RULES + "/log").body()).contains("\"max\":5").doesNotContain("verride");
	}

	@Test
	void moreThanTenThousandOverridesOfARuleAreAConflict() {
		OverrideStore store = this.server.bean(OverrideStore.class);
		for (int i = 0; i < OverrideStore.MOST_PER_RULE; i++) {
			store.replace("urls", "key " + i, null, new OverrideText("blocked"), "ann");
		}
		HttpResponse<String> refused = this.server.postJson(RULES + "/urls?key=another", "{\"blocked\":true}");
		assertThat(refused.statusCode()).as(refused.body()).isEqualTo(409);
		assertThat(Json.of(refused.body()).text("detail")).contains("has 10000 overrides of keys",
				"Nothing was changed. Remove overrides that are not needed");
		assertThat(this.server.delete(RULES + "/urls?key=key+7&override").statusCode()).isEqualTo(200);
		assertThat(this.server.postJson(RULES + "/urls?key=another", "{\"blocked\":true}").statusCode()).isEqualTo(200);
	}

	@Test
	void unknownRuleIsNotFound() {
		for (HttpResponse<String> answer : List.of(this.server.postJson(RULES + "/lgo?key=a", "{\"max\":7}"),
				this.server.delete(RULES + "/lgo?key=a&override"))) {
			assertThat(answer.statusCode()).as(answer.body()).isEqualTo(404);
			assertThat(answer.body()).contains("There is no rate limit rule");
		}
	}

	@Test
	void overrideToRemoveNeedsItsKeyAndLeavesTheRule() {
		assertThat(this.server.postJson(RULES + "/log", "{\"max\":8}").statusCode()).isEqualTo(200);
		HttpResponse<String> refused = this.server.delete(RULES + "/log?override");
		assertThat(refused.statusCode()).as(refused.body()).isEqualTo(400);
		assertThat(Json.of(refused.body()).text("detail")).contains("it is for a single key. Name the key, ?key=acme");
		assertThat(this.server.get(RULES + "/log").body()).contains("\"max\":8");
		assertThat(this.server.delete(RULES + "/log").statusCode()).isEqualTo(200);
	}

	@Test
	void listedKeysAlwaysPassOrNeverDo() {
		assertThat(this.server.statuses(9, "/address")).containsOnly(200);
		assertThat(this.server.get(RULES + "/reply-controller-address").body()).contains(
				"\"allow\":[\"127.0.0.0/8\",\"::/64\"]",
				"\"allow\":\"ratelimit.rules.reply-controller-address.allow\"");
		assertThat(this.server.get(RULES + "/reply-controller-address?key=127.0.0.1&explain").body())
			.contains("\"list\":\"allow\"", "because the key is on the allow list.");
		HttpResponse<String> denied = this.server.post("/flux?userId=mallory");
		assertThat(denied.statusCode()).isEqualTo(429);
		assertThat(denied.headers().firstValue("Retry-After")).isEmpty();
		assertThat(this.server.get(RULES + "/reply-controller-flux?key=mallory&explain").body())
			.contains("because the key is on the deny list.");
		assertThat(this.server.statuses(6, "/flux?userId=other")).endsWith(200, 429);
		assertThat(this.server.statuses(2, "/denied/path")).containsOnly(429);
	}

	private HttpResponse<String> post(String query, String json) {
		return this.server.postJson(MONO + query, json);
	}

	private static void assertRefused(HttpResponse<String> answer, String why) {
		assertThat(answer.statusCode()).as(answer.body()).isEqualTo(400);
		assertThat(Json.of(answer.body()).text("detail").replace("\\\"", "\"")).contains(why);
	}

}
