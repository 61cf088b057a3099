package io.github.ratelimit.compatibility;

import java.util.List;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Request targets that are no URI, and context paths in another notation: a URL rule
 * denies them, or leaves their answer as it is.
 */
@ExtendWith(OutputCaptureExtension.class)
@OnOuterLines
class UnusualTargetTests {

	private static final List<String> TARGETS = List.of("//", "///", "//host/path", "/a|b", "/a%zz", "/%", "/a b",
			"/[x]", "http:///x", "http://localhost", "http://localhost//", "http://[bad/x", "*", "/x?a=%zz", "//ctx/x",
			"/%63tx/x", "//%63tx//x", "/ctx;a=b/x", "/ctx/../ctx/x", "/ctx", "/ctx/", "/./ctx/x", "/x/../ctx/x");

	@AutoClose
	private static final Servers servers = new Servers();

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void areDeniedOrAnsweredAsWithoutLimits(WebApplicationType type, CapturedOutput output) {
		compare(type, output, "server.port=0");
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void areDeniedOrAnsweredAsWithoutLimitsBehindAContextPath(WebApplicationType type, CapturedOutput output) {
		compare(type, output,
				((type == WebApplicationType.SERVLET) ? "server.servlet.context-path" : "spring.webflux.base-path")
						+ "=/ctx");
	}

	private static void compare(WebApplicationType type, CapturedOutput output, String contextPath) {
		Server without = servers.get(type, Server.AutoConfigured.class, "ratelimit.enabled=false", contextPath);
		Server admitting = servers.get(type, Server.AutoConfigured.class, rules(contextPath, 10_000));
		Server denying = servers.get(type, Server.AutoConfigured.class, rules(contextPath, 1));
		denying.raw("GET", "/ctx/first");
		denying.raw("GET", "/first");
		for (String method : List.of("GET", "OPTIONS")) {
			for (String target : TARGETS) {
				String expected = status(without, method, target);
				assertThat(status(admitting, method, target)).as(method + ' ' + target).isEqualTo(expected);
				int before = output.getAll().length();
				String answer = denying.raw(method, target, "Origin: http://other.example");
				assertThat(status(answer)).as(method + ' ' + target).isIn("429", expected);
				if (status(answer).equals("429")) {
					assertThat(answer).contains("\"instance\":\"/").doesNotContain("\"instance\":\"//");
					assertThat(output.getAll().substring(before)).as(method + ' ' + target).doesNotContain("\tat ");
				}
			}
		}
	}

	private static String status(Server server, String method, String target) {
		return status(server.raw(method, target));
	}

	private static String status(String answer) {
		return answer.isEmpty() ? "" : answer.split(" ", 3)[1];
	}

	private static String[] rules(String contextPath, int max) {
		return new String[] { contextPath, "ratelimit.store=local", "ratelimit.rules.all.max=" + max,
				"ratelimit.rules.all.period=1h", "ratelimit.web.requests[0].path=/**",
				"ratelimit.web.requests[0].rule=all" };
	}

}
