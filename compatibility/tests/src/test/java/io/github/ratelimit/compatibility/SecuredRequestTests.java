package io.github.ratelimit.compatibility;

import java.net.http.HttpResponse;
import java.util.List;
import java.util.stream.Stream;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.boot.WebApplicationType;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Requests are limited after Spring Security, unless configured otherwise.
 */
@Tag("security")
class SecuredRequestTests {

	@AutoClose
	private static final Servers SERVERS = new Servers();

	@ParameterizedTest
	@CsvSource({ "SERVLET, plain body mono future", "REACTIVE, plain body mono flux future" })
	void principalKeyIsTheAuthenticatedUser(WebApplicationType type, String methods) {
		Server server = server(type);
		for (String method : methods.split(" ")) {
			HttpResponse<String> allowed = server.postAs("laoqian", '/' + method);
			assertThat(allowed.statusCode()).as(method).isEqualTo(200);
			assertThat(allowed.headers().firstValue("RateLimit")).hasValue('"' + method + "\";r=1;t=60");
			assertThat(server.remaining(method, "laoqian")).isEqualTo(1);
			assertThat(Stream.of("laoqian", "laoqian", "editor")
				.map((user) -> server.postAs(user, '/' + method).statusCode())).as(method)
				.containsExactly(200, 429, 200);
		}
	}

	@Test
	void principalKeyOfAMethodThatAFilterCallsIsTheAuthenticatedUser() {
		Server server = server(WebApplicationType.SERVLET);
		assertThat(Stream.of("laoqian", "laoqian", "laoqian", "editor")
			.map((user) -> server.postAs(user, "/filtered").statusCode())).containsExactly(200, 200, 429, 200);
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void theKeyPrincipalIsNullWithoutAuthentication(WebApplicationType type) {
		Server server = server(type);
		assertThat(server.statuses(3, "/anybody")).isEqualTo(List.of(200, 200, 429));
		assertThat(server.postAs("laoqian", "/anybody").statusCode()).isEqualTo(200);
		assertThat(server.remaining("anybody", "127.0.0.1")).isZero();
		assertThat(server.remaining("anybody", "laoqian")).isEqualTo(1);
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void aRequestThatIsRefusedTakesNoPermit(WebApplicationType type) {
		Server server = server(type);
		assertThat(server.post("/api/articles").statusCode()).isEqualTo(401);
		assertThat(server.postAs("stranger", "/api/articles").statusCode()).isEqualTo(401);
		assertThat(server.postAs("laoqian", "/api/articles").statusCode()).isEqualTo(403);
		assertThat(server.remaining("api", "127.0.0.1")).isEqualTo(5);
		assertThat(server.remaining("articles", "laoqian")).isEqualTo(2);
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void aMethodThatRefusesARequestTakesNoPermitForItself(WebApplicationType type) {
		Server server = server(type);
		assertThat(server.postAs("laoqian", "/editors").statusCode()).isEqualTo(403);
		assertThat(server.remaining("editors", "laoqian")).isEqualTo(2);
		assertThat(server.postAs("editor", "/editors").statusCode()).isEqualTo(200);
		assertThat(server.remaining("editors", "editor")).isEqualTo(1);
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void aRequestThatIsAuthorizedTakesAPermitOfItsPathAndOneOfItsMethod(WebApplicationType type) {
		Server server = server(type);
		HttpResponse<String> allowed = server.postAs("editor", "/api/articles");
		assertThat(allowed.statusCode()).isEqualTo(200);
		assertThat(allowed.headers().firstValue("RateLimit")).hasValue("\"api\";r=4;t=60, \"articles\";r=1;t=60");
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void aFilterOfLowerOrderTakesFromRefusedRequests(WebApplicationType type) {
		Server server = server(type, "ratelimit.web.order=-200");
		assertThat(server.post("/api/articles").statusCode()).isEqualTo(401);
		assertThat(server.postAs("laoqian", "/api/articles").statusCode()).isEqualTo(403);
		assertThat(server.remaining("api", "127.0.0.1")).isEqualTo(3);
		assertThat(server.postAs("editor", "/api/articles").statusCode()).isEqualTo(200);
		assertThat(server.remaining("articles", "editor")).isEqualTo(1);
		assertThat(server.statuses(3, "/api/articles")).isEqualTo(List.of(401, 401, 429));
	}

	private static Server server(WebApplicationType type, String... properties) {
		return SERVERS
			.get(type, SecuredApplication.class,
					Stream
						.concat(Stream.of("ratelimit.store=local", "ratelimit.rules.api.max=5",
								"ratelimit.rules.api.period=60", "ratelimit.web.requests[0].path=/api/**",
								"ratelimit.web.requests[0].rule=api", "ratelimit.web.requests[0].key=ip"),
								Stream.of(properties))
						.toArray(String[]::new))
			.reset("127.0.0.1", "laoqian", "editor");
	}

}
