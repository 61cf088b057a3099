package io.github.ratelimit.compatibility;

import java.net.http.HttpResponse;

import io.github.ratelimit.autoconfigure.ReactiveRateLimitAutoConfiguration;
import io.github.ratelimit.autoconfigure.ServletRateLimitAutoConfiguration;
import io.github.ratelimit.redis.process.RedisProcess;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Limited controller methods of Spring for GraphQL, over HTTP and WebSocket, on a real
 * server with a real Redis.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class GraphQlTests {

	private static final String DENIED = "\"classification\":\"RATE_LIMITED\"";

	static final String[] SETTINGS = { "spring.graphql.schema.locations=classpath:graphql-forum/",
			"spring.graphql.websocket.path=/socket" };

	private final WebApplicationType type;

	private RedisProcess redis;

	final Servers servers = new Servers();

	private Server forum;

	GraphQlTests(WebApplicationType type) {
		this.type = type;
	}

	@BeforeAll
	void start() {
		this.redis = RedisProcess.start();
		this.forum = this.servers.get(this.type, GraphQlForum.class, SETTINGS[0], SETTINGS[1],
				"spring.data.redis.port=" + this.redis.port(), "ratelimit.rules.guarded.headers=none",
				"ratelimit.rules.tried.mode=shadow");
	}

	@AfterAll
	void stop() {
		this.servers.close();
		this.redis.close();
	}

	@Test
	void denialIsAnErrorOfItsFieldAndOtherFieldsAreAnswered() {
		HttpResponse<String> admitted = query("a", "{ news first: search(text: \\\"x\\\") search(text: \\\"y\\\") }");
		assertThat(admitted.body()).contains("found x", "found y").doesNotContain("errors");
		assertThat(admitted.headers().firstValue("RateLimit"))
			.hasValueSatisfying((limit) -> assertThat(limit).startsWith("\"search\";r=0;"));
		HttpResponse<String> denied = query("a", "{ news search(text: \\\"x\\\") }");
		assertThat(denied.statusCode()).isEqualTo(200);
		assertThat(denied.body()).contains("\"news\":\"nothing new\"", "\"search\":null", DENIED, "\"rule\":\"search\"",
				"\"path\":[\"search\"]", "\"locations\":[{", "Rate limit exceeded: \\\"search\\\" admits 2 per 60 s.")
			.containsPattern("\"retryAfterMillis\":[1-5]?\\d{4}\\b");
		assertThat(denied.headers().firstValue("RateLimit"))
			.hasValueSatisfying((limit) -> assertThat(limit).startsWith("\"search\";r=0;t="));
		assertThat(denied.headers().firstValue("Retry-After")).isEmpty();
		assertThat(query("b", "{ search(text: \\\"x\\\") }").body()).contains("found x");
	}

	@Test
	void reactiveFieldsAndMutationsAreLimited() {
		assertThat(query("c", "{ suggest }").body()).contains("suggested");
		assertThat(query("c", "{ news suggest }").body()).contains(DENIED, "\"rule\":\"suggest\"", "nothing new");
		assertThat(query("c", "mutation { reply(text: \\\"x\\\") }").body()).contains("replied x");
		assertThat(query("c", "mutation { reply(text: \\\"x\\\") }").body()).contains(DENIED, "\"rule\":\"reply\"");
	}

	@Test
	void fieldOnAnotherThreadHasTheRequest() {
		assertThat(query("d", "{ elsewhere }").body()).contains("from another thread");
		assertThat(query("d", "{ elsewhere }").body()).contains(DENIED, "\"rule\":\"elsewhere\"");
		assertThat(query("e", "{ elsewhere }").body()).contains("from another thread");
	}

	@Test
	void nestedFieldsAreLimitedOneByOneAndBatchesTogether() {
		assertThat(query("f", "{ topics { id views } }").body()).contains("\"views\":7", "\"views\":null", DENIED)
			.containsPattern("\"path\":\\[\"topics\",[01],\"views\"]");
		assertThat(query("f", "{ topics { votes } }").body()).contains("\"votes\":5").doesNotContain("errors");
		assertThat(query("f", "{ topics { id votes } }").body())
			.contains("\"id\":\"a\"", DENIED, "\"rule\":\"votes\"", "[\"topics\",0,\"votes\"]",
					"[\"topics\",1,\"votes\"]")
			.doesNotContain("\"votes\":5");
	}

	@Test
	void eachDeniedFieldHasAnErrorWithItsPath() {
		query("m", "{ suggest topic { author rank } }");
		assertThat(query("m", "{ news suggest also: suggest topic { id views author } feed { author } }").body())
			.contains("nothing new", "\"suggest\":null", "\"also\":null", "[\"suggest\"]", "[\"also\"]",
					"[\"topic\",\"author\"]", "[\"feed\",0,\"author\"]");
	}

	@Test
	void denialOfAFieldThatMustNotBeNullRemovesItsObject() {
		assertThat(query("n", "{ feed { id author } }").body()).doesNotContain("errors");
		assertThat(query("n", "{ news topic { id author } feed { id author } }").body())
			.contains("nothing new", "\"topic\":null", "\"feed\":[null,null]")
			.contains("[\"topic\",\"author\"]", "[\"feed\",0,\"author\"]", "[\"feed\",1,\"author\"]")
			.doesNotContain("INTERNAL_ERROR");
		assertThat(query("o", "{ feed { rank } }").body()).doesNotContain("errors");
		assertThat(query("o", "{ news feed { id rank } }").body())
			.contains("nothing new", "\"feed\":[null,null]", "[\"feed\",0,\"rank\"]", "[\"feed\",1,\"rank\"]",
					"\"rule\":\"rank\"")
			.doesNotContain("INTERNAL_ERROR");
	}

	@Test
	void subscriptionThatIsCanceledFreesItsSlot() throws Exception {
		try (GraphQlSocket socket = GraphQlSocket.open(this.forum.port(), "X-Api-Key", "p")) {
			for (int i = 0; i < 2; i++) {
				assertThat(socket.answer("1", "subscription { endless }")).contains("\"endless\":1");
				assertThat(socket.answer("2", "subscription { endless }")).contains("\"type\":\"error\"", DENIED);
				socket.cancel("1");
				awaitFree("p");
			}
			assertThat(socket.answer("3", "subscription { endless }")).contains("\"endless\":1");
		}
		awaitFree("p");
	}

	private void awaitFree(String key) {
		await().untilAsserted(() -> assertThat(this.forum.remaining("endless", key)).isEqualTo(1));
	}

	@Test
	@ExtendWith(OutputCaptureExtension.class)
	void missingPartOfAKeyIsABadRequest(CapturedOutput output) {
		assertThat(query("g", "{ news keyed }").body()).contains("nothing new", "\"classification\":\"BAD_REQUEST\"",
				"\"missing\":\"header X-Tenant\"", "The request has no header X-Tenant.");
		assertThat(output).contains("Such fields are answered with an error of classification BAD_REQUEST.")
			.doesNotContain("answered with 400");
	}

	@Test
	void missingArgumentIsABadRequest() {
		assertThat(query("t", "{ news ofText }").body()).contains("nothing new", "\"classification\":\"BAD_REQUEST\"",
				"\"missing\":\"argument words\"", "The request has no argument words.");
		assertThat(query("t", "{ ofTopic(topic: {}) }").body()).contains("\"classification\":\"BAD_REQUEST\"",
				"\"missing\":\"topic.id\"");
		assertThat(query("t", "{ ofText(words: \\\"x\\\") ofTopic(topic: {id: 7}) }").body())
			.contains("\"ofText\":\"x\"", "\"ofTopic\":\"7\"");
	}

	@Test
	void ruleWithoutHeadersIsNotNamed() {
		assertThat(query("h", "{ guarded again: guarded }").body()).contains(DENIED, "retryAfterMillis")
			.doesNotContain("\"rule\"", "\\\"guarded\\\"");
	}

	@Test
	void handlerOfAControllerWithALimitIsNotLimited() {
		assertThat(query("r", "{ poll }").body()).contains("polled");
		assertThat(query("r", "{ news poll }").body()).contains("nothing new", "no more polls");
	}

	@Test
	void catchAllHandlersAnswerOtherFailures() {
		assertThat(query("i", "{ broken }").body()).contains("caught broken");
	}

	@Test
	void requestsOverAWebSocketHaveTheKeysOfItsHandshake() throws Exception {
		assertKeysOfTheHandshake(this.forum);
	}

	static void assertKeysOfTheHandshake(Server forum) throws Exception {
		try (GraphQlSocket socket = GraphQlSocket.open(forum.port(), "X-Api-Key", "j", "Cookie", "r=1; s=2")) {
			assertThat(
					socket.answer("1", "{ suggest first: search(text: \\\"x\\\") search(text: \\\"y\\\") elsewhere }"))
				.contains("suggested", "found x", "found y", "from another thread");
			assertThat(socket.next()).contains("complete");
			assertThat(socket.answer("2", "{ news suggest search(text: \\\"x\\\") elsewhere }")).contains("nothing new",
					"\"rule\":\"search\"", "\"rule\":\"suggest\"", "\"rule\":\"elsewhere\"", DENIED);
			assertThat(socket.next()).contains("complete");
		}
		assertThat(forum.remaining("search", "j127.0.0.1")).isZero();
	}

	@Test
	void pathOfAWebSocketIsTheOneBelowTheContextPath() throws Exception {
		Server below = this.servers.get(this.type, GraphQlForum.class, SETTINGS[0], SETTINGS[1],
				"server.servlet.context-path=/forum", "spring.webflux.base-path=/forum", "ratelimit.store=local",
				"ratelimit.rules.suggest.key=path");
		try (GraphQlSocket socket = GraphQlSocket.openBelow("/forum", below.port())) {
			assertThat(socket.answer("1", "{ suggest }")).contains("suggested");
		}
		assertThat(below.remaining("suggest", "/socket")).isZero();
	}

	@Test
	void subscriptionIsDecidedWhenItBegins() throws Exception {
		try (GraphQlSocket socket = GraphQlSocket.open(this.forum.port(), "X-Api-Key", "k", "Cookie", "r=1; s=2")) {
			assertThat(socket.answer("1", "subscription { replies }")).contains("next", "\"replies\":1");
			assertThat(socket.next()).contains("\"replies\":2");
			assertThat(socket.next()).contains("complete");
			assertThat(socket.answer("2", "subscription { replies }")).contains("\"type\":\"error\"", DENIED,
					"\"rule\":\"replies\"", "retryAfterMillis");
		}
		assertThat(this.forum.remaining("replies", "k2")).isZero();
	}

	@Test
	void advicesThatNameAnExceptionAnswerItAndNotTheOthers() {
		Server own = this.servers.get(this.type, OwnGraphQlForum.class, SETTINGS[0], SETTINGS[1],
				"spring.data.redis.port=1", "ratelimit.redis.timeout=200ms",
				"ratelimit.rules.guarded.on-store-failure=deny");
		query(own, "l", "{ suggest topics { votes } }");
		String answer = query(own, "l", "{ suggest guarded topics { votes } }").body();
		assertThat(answer.split("my own answer", -1)).hasSize(4);
		assertThat(answer).contains("\"classification\":\"UNAVAILABLE\"", "\"rule\":\"guarded\"",
				"\"retryAfterMillis\":1000", "Rate limit \\\"guarded\\\" cannot be checked at the moment.");
	}

	@Test
	void catchAllHandlersDoNotAnswerForAStoreThatIsDown() {
		Server down = this.servers.get(this.type, GraphQlForum.class, SETTINGS[0], SETTINGS[1],
				"spring.data.redis.port=1", "ratelimit.redis.timeout=200ms",
				"ratelimit.rules.guarded.on-store-failure=deny");
		assertThat(query(down, "u", "{ news guarded }").body())
			.contains("nothing new", "\"classification\":\"UNAVAILABLE\"", "\"path\":[\"guarded\"]")
			.doesNotContain("caught");
	}

	@Test
	void annotationOfAnInterfaceLimitsTheField() {
		assertThat(query("s", "{ news first: pinned second: pinned }").body()).contains("nothing new",
				"\"first\":\"pinned\"", "\"second\":null", DENIED, "\"rule\":\"pinned\"");
	}

	@Test
	void requestWithoutAPartOfAKeyIsAnsweredInShadowMode() {
		assertThat(query("s", "{ tried }").body()).contains("\"tried\":\"tried\"").doesNotContain("errors");
	}

	@Test
	void fieldsAreLimitedAlthoughTheConfigurationOfTheServerIsExcluded() {
		Server excluding = this.servers.get(this.type, GraphQlForum.class, SETTINGS[0], SETTINGS[1],
				"ratelimit.store=local",
				"spring.autoconfigure.exclude=" + ServletRateLimitAutoConfiguration.class.getName() + ','
						+ ReactiveRateLimitAutoConfiguration.class.getName());
		assertThat(query(excluding, "v", "{ guarded again: guarded }").body()).contains(":\"guarded\"", DENIED);
	}

	@Test
	void disabledLimiterLimitsNoField() {
		Server disabled = this.servers.get(this.type, GraphQlForum.class, SETTINGS[0], SETTINGS[1],
				"ratelimit.enabled=false");
		assertThat(query(disabled, "s", "{ first: suggest second: suggest keyed topics { rank } }").body())
			.doesNotContain("errors");
		assertThat(query(disabled, "s", "{ topics { rank } broken }").body()).contains("\"rank\":1", "caught broken");
	}

	private HttpResponse<String> query(String apiKey, String query) {
		return query(this.forum, apiKey, query);
	}

	private static HttpResponse<String> query(Server forum, String apiKey, String query) {
		return forum.postJson("/graphql", "{\"query\":\"" + query + "\"}", "X-Api-Key", apiKey);
	}

}
