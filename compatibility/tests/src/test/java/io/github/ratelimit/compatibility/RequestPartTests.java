package io.github.ratelimit.compatibility;

import java.nio.charset.StandardCharsets;

import io.github.ratelimit.annotation.RateLimited;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.boot.WebApplicationType;
import org.springframework.context.annotation.Import;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Parts of a request as keys, on real servers.
 */
@OnOuterLines
class RequestPartTests {

	@AutoClose
	private static final Servers SERVERS = new Servers();

	@ParameterizedTest
	@CsvSource({ "SERVLET, /param?q=a, /param?x=1&q=%61&q=b, /param?q=b",
			"REACTIVE, /param?q=a, /param?x=1&q=%61&q=b, /param?q=b", "SERVLET, /path/a/x, //path/%61;v=1/y, /path/b/x",
			"REACTIVE, /path/a/x, //path/%61;v=1/y, /path/b/x", "SERVLET, /number/7x, /number/7x, /number/8x",
			"REACTIVE, /number/7x, /number/7x, /number/8x", "SERVLET, /slash/a/, /slash/a/, /slash/b/",
			"REACTIVE, /slash/a/, /slash/a/, /slash/b/",
			"SERVLET, /handlers/a/reply, /handlers/a/reply, /handlers/b/reply",
			"REACTIVE, /handlers/a/reply, /handlers/a/reply, /handlers/b/reply" })
	void partOfTheUrlIsTheKey(WebApplicationType type, String first, String same, String other) {
		Server server = server(type);
		assertThat(server.raw("POST", first)).doesNotContain(" 429 ");
		assertThat(server.raw("POST", same)).startsWith("HTTP/1.1 429 ");
		assertThat(server.raw("POST", other)).doesNotContain(" 429 ");
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void cookieIsTheKey(WebApplicationType type) {
		Server server = server(type);
		assertThat(server.post("/cookie", "Cookie", "x=1; s=a").statusCode()).isEqualTo(404);
		assertThat(server.post("/cookie", "Cookie", "s=a").statusCode()).isEqualTo(429);
		assertThat(server.post("/cookie", "Cookie", "s=b").statusCode()).isEqualTo(404);
	}

	@ParameterizedTest
	@CsvSource({ "SERVLET, /param?x=1, parameter q", "REACTIVE, /param?x=1, parameter q",
			"SERVLET, /param?q=, parameter q", "REACTIVE, /param?q=, parameter q", "SERVLET, /param?q, parameter q",
			"REACTIVE, /param?q, parameter q", "SERVLET, /param?q=%zz, parameter q", "SERVLET, /cookie, cookie s",
			"REACTIVE, /cookie, cookie s", "SERVLET, /header, header X-Tenant", "REACTIVE, /header, header X-Tenant",
			"SERVLET, /claim, claim tenant", "REACTIVE, /claim, claim tenant",
			"SERVLET, /handlers/empty, header X-Tenant", "REACTIVE, /handlers/empty, header X-Tenant",
			"SERVLET, /handlers/named?userId=, parameter userId",
			"REACTIVE, /handlers/named?userId=, parameter userId" })
	void missingOrEmptyPartIsNamed(WebApplicationType type, String path, String part) {
		Server server = server(type);
		for (int i = 0; i < 2; i++) {
			String answer = server.raw("POST", path, "X-Tenant: ", "Cookie: s=");
			assertThat(answer).startsWith("HTTP/1.1 400 ").contains(part);
		}
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void cookieThatTheServerDropsAsInvalidIsMissing(WebApplicationType type) {
		assertThat(server(type).raw("POST", "/cookie", "Cookie: s=a\"b")).startsWith("HTTP/1.1 400 ")
			.contains("\"missing\":\"cookie s\"");
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			SERVLET  | application/x-www-form-urlencoded | q=a&text=hello
			SERVLET  | text/plain                        | hello
			REACTIVE | text/plain                        | hello
			SERVLET  | multipart/form-data;boundary=x    | --x--
			REACTIVE | multipart/form-data;boundary=x    | --x--
			""")
	void bodiesAreLeftToTheHandler(WebApplicationType type, String content, String body) {
		assertThat(server(type).post("/bodies/raw?q=" + content, MediaType.parseMediaType(content), body))
			.isEqualTo(body);
	}

	private static Server server(WebApplicationType type) {
		return SERVERS.get(type, Application.class, "ratelimit.store=local", "ratelimit.rules.api.max=1",
				"ratelimit.rules.api.period=60", "spring.servlet.multipart.enabled=false",
				"ratelimit.web.requests[0].path=/param", "ratelimit.web.requests[0].key='0' + param('q')",
				"ratelimit.web.requests[1].path=/path/{tenant}/**",
				"ratelimit.web.requests[1].key='1' + pathVariable('tenant')",
				"ratelimit.web.requests[2].path=/number/{id:\\d{1}}x",
				"ratelimit.web.requests[2].key='2' + pathVariable('id')", "ratelimit.web.requests[3].path=/slash/{id}/",
				"ratelimit.web.requests[3].key='3' + pathVariable('id')", "ratelimit.web.requests[4].path=/cookie",
				"ratelimit.web.requests[4].key='4' + cookie('s')", "ratelimit.web.requests[5].path=/header",
				"ratelimit.web.requests[5].key='5' + header('X-Tenant')", "ratelimit.web.requests[6].path=/claim",
				"ratelimit.web.requests[6].key='6' + claim('tenant')", "ratelimit.web.requests[7].path=/bodies/*",
				"ratelimit.web.requests[7].key='7' + param('q')", "ratelimit.web.requests[0].rule=api",
				"ratelimit.web.requests[1].rule=api", "ratelimit.web.requests[2].rule=api",
				"ratelimit.web.requests[3].rule=api", "ratelimit.web.requests[4].rule=api",
				"ratelimit.web.requests[5].rule=api", "ratelimit.web.requests[6].rule=api",
				"ratelimit.web.requests[7].rule=api");
	}

	@Import({ Handlers.class, Bodies.class })
	static class Application {

	}

	@RestController
	@RequestMapping("/handlers")
	static class Handlers {

		@PostMapping("/{tenant}/reply")
		@RateLimited(name = "handler", key = "pathVariable('tenant')", max = 1, period = 60)
		public String reply() {
			return "replied";
		}

		@PostMapping("/empty")
		@RateLimited(name = "empty", key = "#tenant", max = 1, period = 60)
		public String empty(@RequestHeader("X-Tenant") String tenant) {
			return "replied";
		}

		@PostMapping("/named")
		@RateLimited(name = "named", key = "#userId + ':reply'", max = 1, period = 60)
		public String named(@RequestParam String userId) {
			return "replied";
		}

	}

	@RestController
	static class Bodies {

		@PostMapping(path = "/bodies/raw", consumes = MediaType.ALL_VALUE)
		String raw(@RequestBody byte[] body) {
			return new String(body, StandardCharsets.UTF_8);
		}

	}

}
