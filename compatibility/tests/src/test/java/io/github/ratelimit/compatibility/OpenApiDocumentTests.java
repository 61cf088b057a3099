package io.github.ratelimit.compatibility;

import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.ratelimit.autoconfigure.ReactiveRateLimitAutoConfiguration;
import io.github.ratelimit.autoconfigure.ServletRateLimitAutoConfiguration;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.boot.WebApplicationType;
import org.springframework.util.StringUtils;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Documents of springdoc, requested from real servers, for limits by annotation and by
 * URL.
 */
@OnOuterLines
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class OpenApiDocumentTests {

	private static final String PROBLEM = "#/components/schemas/RateLimitProblem";

	private static final String[] OTHER_SETTINGS = { "ratelimit.web.headers=ietf-11,x-ratelimit",
			"ratelimit.rules.votes.headers=x-ratelimit", "ratelimit.rules.quiet.headers=none",
			"ratelimit.rules.drafts.plan='gold'", "ratelimit.rules.drafts.plans.gold.max=77",
			"ratelimit.defaults.on-store-failure=deny" };

	private static final String[] GROUPS = { "forum.groups=true" };

	private static final String[] WITHOUT_HEADERS = { "ratelimit.web.headers=none", "ratelimit.rules.sms.mode=shadow",
			"ratelimit.rules.sms-of-tenant.mode=off", "ratelimit.rules.api.mode=off" };

	@AutoClose
	private final Servers servers = new Servers();

	private Server server(WebApplicationType type, String... properties) {
		List<String> all = new ArrayList<>(List.of("ratelimit.store=local", "ratelimit.rules.api.max=100",
				"ratelimit.rules.api.period=60s", "ratelimit.rules.search.max=10",
				"ratelimit.rules.search.period=200ms", "ratelimit.rules.search.on-store-failure=deny",
				"ratelimit.rules.sms.limits[0].name=minute", "ratelimit.rules.sms.limits[0].max=1",
				"ratelimit.rules.sms.limits[0].period=1m", "ratelimit.rules.sms.limits[1].name=day",
				"ratelimit.rules.sms.limits[1].max=10", "ratelimit.rules.sms.limits[1].algorithm=fixed-window",
				"ratelimit.rules.sms.limits[1].calendar=day", "ratelimit.web.requests[0].path=/topics/{id:[a-z]{1,9}}",
				"ratelimit.web.requests[0].methods=GET", "ratelimit.web.requests[0].rule=api",
				"ratelimit.web.requests[0].key=header('X-Api-Key') + ip", "ratelimit.web.requests[1].path=/search/*",
				"ratelimit.web.requests[1].rule=search"));
		all.addAll(List.of(properties));
		return this.servers.get(type, OpenApiForum.class, all.toArray(String[]::new));
	}

	private OpenApiDocument document(WebApplicationType type, String... properties) {
		return OpenApiDocument.of(server(type, properties));
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void documentShowsNoLimitsWhoseAnswersAreExcluded(WebApplicationType type) {
		Server server = server(type, "spring.autoconfigure.exclude=" + ServletRateLimitAutoConfiguration.class.getName()
				+ ',' + ReactiveRateLimitAutoConfiguration.class.getName());
		assertThat(server.get("/v3/api-docs").body()).contains("/replies").doesNotContain("x-ratelimit", PROBLEM);
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void annotatedOperationShowsItsDenial(WebApplicationType type) {
		OpenApiDocument document = document(type);
		String reply = "post /replies";
		assertThat(document.response(reply, 429).path("description").asText())
			.isEqualTo("Rate limit exceeded: \"reply\" admits 5 per 60 s.");
		assertThat(document.headers(reply, 429)).containsExactly("RateLimit", "RateLimit-Policy", "Retry-After");
		assertThat(document.problem(reply, 429)).isEqualTo(PROBLEM);
		assertThat(document.headers(reply, 200)).containsExactly("RateLimit", "RateLimit-Policy");
		assertThat(document.limits(reply)).isEqualTo(
				"[{\"name\":\"reply\",\"limits\":[{\"name\":\"reply\",\"algorithm\":\"sliding-log\",\"max\":5,\"period\":60}]}]");
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void operationOfUrlRuleShowsItsDenial(WebApplicationType type) {
		OpenApiDocument document = document(type);
		assertThat(document.statuses("get /topics/{topic}")).containsExactly("200", "400", "429");
		assertThat(document.headers("get /topics/{topic}", 200)).containsExactly("RateLimit", "RateLimit-Policy");
		assertThat(document.ruleNames("get /topics/{topic}")).containsExactly("api");
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void operationWithoutRuleShowsNothing(WebApplicationType type) {
		OpenApiDocument document = document(type);
		for (String unlimited : List.of("delete /topics/{topic}", "get /files/{path}")) {
			assertThat(document.statuses(unlimited)).containsExactly("200");
			assertThat(document.headers(unlimited, 200)).isEmpty();
			assertThat(OpenApiDocument.names(document.operation(unlimited))).noneMatch((name) -> name.startsWith("x-"));
		}
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void functionalRouteShowsItsUrlRule(WebApplicationType type) {
		OpenApiDocument document = document(type);
		assertThat(document.limits("get /search/{text}")).isEqualTo(
				"[{\"name\":\"search\",\"limits\":[{\"name\":\"search\",\"algorithm\":\"sliding-log\",\"max\":10,\"period\":0.2}]}]");
		assertThat(document.response("get /search/{text}", 429).path("description").asText())
			.isEqualTo("Rate limit exceeded: \"search\" admits 10 per 0.2 s.");
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void annotationsOfClassInterfaceAndAnnotationAreFound(WebApplicationType type) {
		OpenApiDocument document = document(type);
		assertThat(document.ruleNames("get /votes")).containsExactly("count");
		assertThat(document.ruleNames("post /votes")).containsExactly("votes");
		assertThat(document.ruleNames("delete /votes")).containsExactly("seldom");
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void handlersOfTheSamePathShowTheirRulesTogether(WebApplicationType type) {
		assertThat(document(type).ruleNames("get /replies")).containsExactlyInAnyOrder("drafts", "trash");
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void eachRuleAndLimitOfAnOperationIsShown(WebApplicationType type) {
		OpenApiDocument document = document(type);
		assertThat(document.limits("post /sms")).isEqualTo("[{\"name\":\"sms\",\"limits\":["
				+ "{\"name\":\"sms-minute\",\"algorithm\":\"sliding-log\",\"max\":1,\"period\":60},"
				+ "{\"name\":\"sms-day\",\"algorithm\":\"fixed-window\",\"max\":10,\"calendar\":\"day\"}]},"
				+ "{\"name\":\"sms-of-tenant\",\"limits\":[{\"name\":\"sms-of-tenant\",\"algorithm\":\"token-bucket\","
				+ "\"max\":100,\"period\":1,\"burst\":20}]}]");
		assertThat(document.response("post /sms", 429).path("description").asText())
			.isEqualTo("Rate limit exceeded: \"sms-minute\" admits 1 per 60 s, \"sms-day\" admits 10 per day, "
					+ "\"sms-of-tenant\" admits 100 per 1 s.");
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void partsOfTheRequestThatKeysNeedAreShown(WebApplicationType type) {
		OpenApiDocument document = document(type);
		assertThat(document.response("post /replies", 400).path("description").asText())
			.isEqualTo("The request has no header X-User.");
		assertThat(document.problem("post /replies", 400)).isEqualTo(PROBLEM);
		assertThat(document.response("get /topics/{topic}", 400).path("description").asText())
			.isEqualTo("The request has no header X-Api-Key.");
		assertThat(document.response("post /sms", 400).path("description").asText())
			.isEqualTo("The request has no principal.");
		assertThat(document.response("get /found", 400).path("description").asText())
			.isEqualTo("The request has no parameter size.");
		assertThat(document.statuses("get /votes")).doesNotContain("400");
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void requestWithoutARequiredParameterIsAnsweredBySpring(WebApplicationType type) {
		Server server = server(type);
		assertThat(OpenApiDocument.of(server).statuses("get /archive")).containsExactly("200", "429");
		HttpResponse<String> response = server.get("/archive");
		assertThat(response.statusCode()).isEqualTo(400);
		assertThat(response.body()).doesNotContain("missing");
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void optionsOfAMappingWithoutMethodsAreAnsweredBySpring(WebApplicationType type) {
		Server server = server(type);
		OpenApiDocument document = OpenApiDocument.of(server);
		assertThat(document.ruleNames("head /archive")).containsExactly("archive");
		assertThat(document.statuses("options /archive")).containsExactly("200");
		assertThat(document.ruleNames("options /archive/years")).containsExactly("years");
		HttpResponse<String> response = server.request("OPTIONS", "/archive");
		assertThat(response.statusCode()).isEqualTo(200);
		assertThat(response.headers().firstValue("RateLimit")).isEmpty();
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void refusalWithoutStoreIsShown(WebApplicationType type) {
		OpenApiDocument document = document(type);
		assertThat(document.headers("get /search/{text}", 503)).containsExactly("Retry-After");
		assertThat(document.problem("get /search/{text}", 503)).isEqualTo(PROBLEM);
		assertThat(document.statuses("post /replies")).doesNotContain("503");
		assertThat(document(type, OTHER_SETTINGS).statuses("post /replies")).contains("503");
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void problemAndHeadersAreDescribedOnce(WebApplicationType type) {
		JsonNode components = document(type).json().path("components");
		assertThat(OpenApiDocument.names(components.at("/schemas/RateLimitProblem/properties"))).containsExactly(
				"detail", "instance", "missing", "retry-after-ms", "status", "title", "type", "violated-policies");
		assertThat(components.at("/schemas/RateLimitProblem/description").asText())
			.isEqualTo("Problem details (RFC 9457) of a request that a rate limit did not admit.");
		assertThat(OpenApiDocument.names(components.path("headers"))).containsExactly("RateLimit", "RateLimit-Policy",
				"Retry-After");
		assertThat(components.at("/headers/Retry-After/schema/type").asText()).isEqualTo("integer");
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void slotsTellNoWait(WebApplicationType type) {
		OpenApiDocument document = document(type);
		assertThat(document.headers("post /exports", 429)).containsExactly("RateLimit", "RateLimit-Policy");
		assertThat(document.limits("post /exports")).contains("\"algorithm\":\"concurrency\",\"max\":3}");
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void fallbackAnswersInsteadOfADenial(WebApplicationType type) {
		OpenApiDocument document = document(type);
		assertThat(document.statuses("get /news")).containsExactly("200");
		assertThat(document.headers("get /news", 200)).containsExactly("RateLimit", "RateLimit-Policy");
		assertThat(document.ruleNames("get /news")).containsExactly("news");
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void configuredFormatsOfHeadersAreShown(WebApplicationType type) {
		OpenApiDocument both = document(type, OTHER_SETTINGS);
		assertThat(both.headers("post /replies", 200)).containsExactly("RateLimit", "RateLimit-Policy",
				"X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset");
		assertThat(both.headers("post /votes", 429)).containsExactly("Retry-After", "X-RateLimit-Limit",
				"X-RateLimit-Remaining", "X-RateLimit-Reset");
		OpenApiDocument none = document(type, WITHOUT_HEADERS);
		assertThat(none.headers("post /replies", 200)).isEmpty();
		assertThat(none.headers("post /replies", 429)).containsExactly("Retry-After");
		assertThat(none.ruleNames("post /replies")).containsExactly("reply");
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void ruleWithoutHeadersHasNeitherNameNorNumbers(WebApplicationType type) {
		OpenApiDocument document = document(type, OTHER_SETTINGS);
		JsonNode quiet = document.operation("get /quiet");
		assertThat(document.response("get /quiet", 429).path("description").asText()).isEqualTo("Rate limit exceeded.");
		assertThat(document.headers("get /quiet", 429)).containsExactly("Retry-After");
		assertThat(document.headers("get /quiet", 200)).isEmpty();
		assertThat(quiet.path("responses").toString() + quiet.path("x-ratelimit")).doesNotContain("quiet\"", "7");
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void modesDecideWhatIsShown(WebApplicationType type) {
		OpenApiDocument document = document(type, WITHOUT_HEADERS);
		assertThat(document.statuses("post /sms")).containsExactly("200");
		assertThat(document.ruleNames("post /sms")).isEmpty();
		assertThat(document.statuses("get /topics/{topic}")).containsExactly("200");
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void plansAreMentionedWithoutTheirNumbers(WebApplicationType type) {
		JsonNode operation = document(type, OTHER_SETTINGS).operation("get /replies");
		assertThat(operation.path("x-ratelimit").toString())
			.contains("{\"name\":\"drafts\",\"limits\":[{\"name\":\"drafts\",\"algorithm\":\"sliding-log\","
					+ "\"max\":3,\"period\":60}],\"variesByPlan\":true}");
		assertThat(operation.at("/responses/429/description").asText())
			.contains("\"drafts\" admits 3 per 60 s by default");
		assertThat(operation.toString()).doesNotContain("gold", "77");
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void documentationOfTheApplicationStays(WebApplicationType type) {
		OpenApiDocument document = document(type);
		JsonNode all = document.response("get /documented/all", 429);
		assertThat(all.path("description").asText()).isEqualTo("Slow down.");
		assertThat(all.at("/headers/Retry-After/description").asText()).isEqualTo("Some seconds.");
		assertThat(document.headers("get /documented/all", 429)).containsExactly("RateLimit", "RateLimit-Policy",
				"Retry-After");
		assertThat(all.path("content").toString()).contains("OwnError").doesNotContain("RateLimitProblem");
		JsonNode reason = document.response("get /documented/reason", 400);
		assertThat(reason.path("description").asText()).isEqualTo("Wrong draft.");
		assertThat(reason.at("/content/application~1json/schema/$ref").asText()).endsWith("/OwnError");
		assertThat(document.problem("get /documented/reason", 400)).isEqualTo(PROBLEM);
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void componentOfTheApplicationIsCopiedAndGetsWhatItLacks(WebApplicationType type) {
		OpenApiDocument document = document(type);
		JsonNode response = document.response("get /documented/component", 429);
		assertThat(response.path("description").asText()).isEqualTo("Of a component.");
		assertThat(document.headers("get /documented/component", 429)).containsExactly("RateLimit", "RateLimit-Policy",
				"Retry-After");
		assertThat(document.problem("get /documented/component", 429)).isEqualTo(PROBLEM);
		assertThat(document.json().at("/components/responses/TooMany").toString())
			.isEqualTo("{\"description\":\"Of a component.\"}");
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void referenceToAnotherDocumentStays(WebApplicationType type) {
		OpenApiDocument document = OpenApiDocument.read(server(type, "forum.elsewhere=true"), "/v3/api-docs");
		assertThat(document.response("get /documented/elsewhere", 429).toString())
			.isEqualTo("{\"$ref\":\"https://example.com/api.json#/components/responses/TooMany\"}");
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void answerOfAnExceptionHandlerHasNeitherRetryAfterNorProblem(WebApplicationType type) {
		OpenApiDocument document = document(type, "forum.own-handler=true");
		for (String denied : List.of("post /replies", "get /search/{text}")) {
			assertThat(document.headers(denied, 429)).containsExactly("RateLimit", "RateLimit-Policy");
			assertThat(document.problem(denied, 429)).isEmpty();
		}
		assertThat(document.problem("post /replies", 400)).isEqualTo(PROBLEM);
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void endpointsAreLimitedOnThePortOfTheApplicationAlone(WebApplicationType type) {
		// Tomcat and Netty both define the factory of the context of endpoints
		String[] properties = { "springdoc.show-actuator=true", "ratelimit.web.requests[0].path=/**",
				"ratelimit.web.requests[0].key=ip", "management.endpoints.web.exposure.include=info",
				"spring.main.allow-bean-definition-overriding=true" };
		assertThat(document(type, properties).ruleNames("get /actuator/info")).containsExactly("api");
		Server server = server(type, StringUtils.addStringToArray(properties, "management.server.port=0"));
		OpenApiDocument document = OpenApiDocument.of(server, "/v3/api-docs/x-actuator");
		assertThat(document.statuses("get /actuator/info")).containsExactly("200");
		assertThat(document.ruleNames("get /actuator/info")).isEmpty();
		assertThat(OpenApiDocument.of(server, "/v3/api-docs/springdocDefault").ruleNames("get /votes"))
			.containsExactly("api", "count");
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void responseThatACustomizerSharesChangesForLimitedOperationsOnly(WebApplicationType type) {
		OpenApiDocument document = OpenApiDocument.of(server(type, GROUPS), "/v3/api-docs");
		assertThat(document.response("delete /topics/{topic}", 429).toString())
			.isEqualTo("{\"description\":\"Of all operations.\"}");
		assertThat(document.response("post /votes", 429).path("description").asText()).isEqualTo("Of all operations.");
		assertThat(document.headers("post /votes", 429)).containsExactly("RateLimit", "RateLimit-Policy",
				"Retry-After");
		assertThat(document.problem("post /votes", 429)).isEqualTo(PROBLEM);
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void documentationWithoutContentGetsTheProblem(WebApplicationType type) {
		OpenApiDocument document = document(type);
		for (String operation : List.of("get /documented/description", "get /documented/operation")) {
			JsonNode response = document.response(operation, 429);
			assertThat(response.path("description").asText()).isEqualTo("Slow down.");
			assertThat(OpenApiDocument.names(response.path("content"))).containsExactly("application/problem+json");
		}
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void groupsShowTheLimitsOfTheirOperations(WebApplicationType type) {
		Server server = server(type, GROUPS);
		OpenApiDocument replies = OpenApiDocument.of(server, "/v3/api-docs/replies");
		assertThat(replies.ruleNames("post /replies")).containsExactly("reply");
		assertThat(OpenApiDocument.names(replies.json().path("paths"))).containsExactly("/replies");
		assertThat(OpenApiDocument.of(server, "/v3/api-docs/topics").ruleNames("get /topics/{topic}"))
			.containsExactly("api");
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void nothingIsShownIfLimitingIsDisabled(WebApplicationType type) {
		OpenApiDocument document = document(type, "ratelimit.enabled=false");
		assertThat(document.statuses("post /replies")).containsExactly("200");
		assertThat(document.json().toString()).doesNotContain("RateLimit", "x-ratelimit", "Retry-After\":{\"$ref");
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void olderVersionOfOpenApiHasTheSame(WebApplicationType type) {
		OpenApiDocument document = OpenApiDocument.read(server(type, "springdoc.api-docs.version=openapi_3_0"),
				"/v3/api-docs");
		assertThat(document.json().path("openapi").asText()).startsWith("3.0.");
		assertThat(document.problem("post /replies", 429)).isEqualTo(PROBLEM);
		assertThat(document.json().at("/components/schemas/RateLimitProblem/type").asText()).isEqualTo("object");
		assertThat(document.json().at("/components/headers/Retry-After/schema/type").asText()).isEqualTo("integer");
	}

	@Test
	void urlRulesSeeThePathOfTheServlet() {
		OpenApiDocument document = OpenApiDocument.of(server(WebApplicationType.SERVLET, "spring.mvc.servlet.path=/app",
				"server.servlet.context-path=/forum", "ratelimit.web.requests[0].path=/app/topics/*"),
				"/forum/app/v3/api-docs");
		assertThat(document.json().at("/servers/0/url").asText()).endsWith("/forum/app");
		assertThat(document.ruleNames("get /topics/{topic}")).containsExactly("api");
		assertThat(document.ruleNames("get /search/{text}")).isEmpty();
	}

	@Test
	void urlRulesDoNotSeeTheBasePath() {
		OpenApiDocument document = OpenApiDocument
			.of(server(WebApplicationType.REACTIVE, "spring.webflux.base-path=/forum"), "/forum/v3/api-docs");
		assertThat(document.ruleNames("get /topics/{topic}")).containsExactly("api");
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void responsesAreAsDocumented(WebApplicationType type) throws Exception {
		Server server = server(type);
		OpenApiDocument document = OpenApiDocument.of(server);
		HttpResponse<String> admitted = server.post("/replies", "X-User", "ann");
		assertThat(admitted.statusCode()).isEqualTo(200);
		assertThat(admitted.headers().map().keySet()).containsAll(sent(document.headers("post /replies", 200)));
		for (int i = 0; i < 4; i++) {
			server.post("/replies", "X-User", "ann");
		}
		HttpResponse<String> denied = server.post("/replies", "X-User", "ann");
		assertThat(denied.statusCode()).isEqualTo(429);
		assertThat(denied.headers().map().keySet()).containsAll(sent(document.headers("post /replies", 429)));
		HttpResponse<String> missing = server.post("/replies");
		assertThat(missing.statusCode()).isEqualTo(400);
		Set<String> properties = OpenApiDocument
			.names(document.json().at("/components/schemas/RateLimitProblem/properties"));
		for (HttpResponse<String> problem : List.of(denied, missing)) {
			assertThat(problem.headers().firstValue("Content-Type")).hasValue("application/problem+json");
			assertThat(properties).containsAll(OpenApiDocument.names(new ObjectMapper().readTree(problem.body())));
		}
	}

	private static List<String> sent(Set<String> headers) {
		return headers.stream().map(String::toLowerCase).toList();
	}

}
