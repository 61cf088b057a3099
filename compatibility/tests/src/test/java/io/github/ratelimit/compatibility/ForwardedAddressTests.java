package io.github.ratelimit.compatibility;

import java.net.http.HttpResponse;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.util.StringUtils;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Address of a client behind a proxy that forwards it with a port, on real servers.
 */
@OnOuterLines
@ExtendWith(OutputCaptureExtension.class)
class ForwardedAddressTests {

	@AutoClose
	private static final Servers SERVERS = new Servers();

	@ParameterizedTest
	@CsvSource({ "SERVLET, framework, 203.0.113.7:4711, 203.0.113.7:4712",
			"REACTIVE, framework, 203.0.113.7:4711, 203.0.113.7:4712",
			"SERVLET, native, 203.0.113.8:4711, 203.0.113.8:4712",
			"REACTIVE, native, 203.0.113.8:4711, 203.0.113.8:4712",
			"SERVLET, framework, [2001:db8::1]:4711, 2001:db8::2",
			"REACTIVE, framework, [2001:db8::1]:4711, 2001:db8::2",
			"SERVLET, framework, 64:ff9b::cb00:7109, 203.0.113.9",
			"REACTIVE, framework, 64:ff9b::cb00:7109, 203.0.113.9" })
	void anotherPortIsNoOtherClient(WebApplicationType type, String strategy, String first, String second) {
		Server server = server(type, strategy);
		assertThat(server.post("/api", "X-Forwarded-For", first).statusCode()).isEqualTo(404);
		assertThat(server.post("/api", "X-Forwarded-For", second).statusCode()).isEqualTo(429);
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			SERVLET  | framework | X-Forwarded-For | [] [ ] \" \"\" :443 []:443 %eth0
			REACTIVE | framework | X-Forwarded-For | [] [ ] \" \"\" :443 []:443 %eth0
			SERVLET  | native    | X-Forwarded-For | [] [ ] \" \"\" :443 []:443 %eth0
			REACTIVE | native    | X-Forwarded-For | [] [ ] \" \"\" :443 []:443 %eth0
			SERVLET  | framework | Forwarded       | for=[] for=:443 for=":443" for="[]:443" for=%eth0
			REACTIVE | framework | Forwarded       | for=[] for=:443 for=":443" for="[]:443" for=%eth0
			""")
	void emptyAddressIsNoKey(WebApplicationType type, String strategy, String header, String values) {
		Server server = server(type, strategy);
		for (String value : values.split(" ")) {
			HttpResponse<String> answer = server.post("/api", header, value);
			assertThat(answer.statusCode()).as(value).isEqualTo(400);
			assertThat(Json.of(answer.body()).text("missing")).isEqualTo("ip");
		}
	}

	@ParameterizedTest
	@CsvSource({ "SERVLET, framework, 198.51.100.7:4711, 429", "REACTIVE, framework, 198.51.100.7:4711, 429",
			"SERVLET, framework, 64:ff9b::c633:6407, 429", "REACTIVE, framework, 64:ff9b::c633:6407, 429",
			"SERVLET, framework, 192.0.2.7:4711, 404", "REACTIVE, framework, 192.0.2.7:4711, 404" })
	void networksOfListsHoldClientsWithAPort(WebApplicationType type, String strategy, String address, int status) {
		Server server = server(type, strategy);
		for (int i = 0; i < 2; i++) {
			assertThat(server.post("/api", "X-Forwarded-For", address).statusCode()).isEqualTo(status);
		}
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void headerThatIsNotReadIsWarnedAboutOnce(WebApplicationType type, CapturedOutput output) {
		Server server = SERVERS.get(type, Server.AutoConfigured.class, "ratelimit.store=local",
				"ratelimit.rules.api.max=1", "ratelimit.rules.api.period=60", "ratelimit.web.requests[0].path=/**",
				"ratelimit.web.requests[0].rule=api", "ratelimit.web.requests[0].key=ip");
		for (int i = 0; i < 3; i++) {
			server.post("/api", "X-Forwarded-For", "203.0.113." + i);
		}
		assertThat(StringUtils.countOccurrencesOf(output.getAll(), "server.forward-headers-strategy")).isOne();
	}

	@ParameterizedTest
	@CsvSource({ "SERVLET, framework", "REACTIVE, framework", "SERVLET, native", "REACTIVE, native", "SERVLET, none",
			"REACTIVE, none" })
	void strategyNeedsNoWarning(WebApplicationType type, String strategy, CapturedOutput output) {
		server(type, strategy).post("/api", "X-Forwarded-For", "203.0.113.17, 203.0.113.18");
		assertThat(output).doesNotContain("server.forward-headers-strategy");
	}

	private static Server server(WebApplicationType type, String strategy) {
		return SERVERS.get(type, Server.AutoConfigured.class, "ratelimit.store=local", "ratelimit.rules.api.max=1",
				"ratelimit.rules.api.period=60", "ratelimit.rules.api.allow=192.0.2.0/24",
				"ratelimit.rules.api.deny=198.51.100.0/24", "ratelimit.web.requests[0].path=/**",
				"ratelimit.web.requests[0].rule=api", "ratelimit.web.requests[0].key=ip",
				"server.forward-headers-strategy=" + strategy);
	}

}
