package io.github.ratelimit.compatibility;

import java.lang.management.ManagementFactory;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.stream.Stream;

import javax.management.ObjectName;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.api.TestInstance;

import org.springframework.boot.WebApplicationType;
import org.springframework.http.MediaType;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Exposure of the endpoint {@code ratelimits} over HTTP alone, and its read-only access.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@OnOuterLines
abstract class EndpointExposureTests {

	private static final String RULES = "/actuator/ratelimits";

	private final WebApplicationType type;

	@AutoClose
	private final Servers servers = new Servers();

	EndpointExposureTests(WebApplicationType type) {
		this.type = type;
	}

	private Server server(String... more) {
		Stream<String> properties = Stream.of("ratelimit.store=local", "ratelimit.rules.log.max=5",
				"ratelimit.rules.log.period=60s", "ratelimit.rules.sms.max=5", "ratelimit.rules.sms.period=60s");
		return this.servers.get(this.type, ForumApplication.class,
				Stream.concat(properties, Stream.of(more)).toArray(String[]::new));
	}

	@Test
	void isNotThereOverJmx() throws Exception {
		Server server = server("spring.jmx.enabled=true", "management.endpoints.jmx.exposure.include=*",
				"management.endpoints.jmx.domain=limits");
		assertThat(ManagementFactory.getPlatformMBeanServer().queryNames(new ObjectName("limits:*"), null))
			.extracting(Object::toString)
			.anyMatch((name) -> name.contains("name=Health"))
			.noneMatch((name) -> name.contains("name=Ratelimits"));
		assertThat(server.get(RULES).statusCode()).isEqualTo(404);
	}

	@Test
	void isThereWhenItIsExposedAndReadOnlyWhenItShallBe() {
		assertThat(server().get(RULES).statusCode()).isEqualTo(404);
		Server readOnly = server("management.endpoints.web.exposure.include=ratelimits",
				"management.endpoint.ratelimits.access=read-only");
		assertThat(readOnly.get(RULES + "/log").statusCode()).isEqualTo(200);
		assertThat(readOnly.get(RULES + "/log/laoqian").statusCode()).isEqualTo(200);
		assertThat(readOnly.postJson(RULES + "/log", "{\"max\":9}").statusCode()).isEqualTo(405);
		assertThat(readOnly.delete(RULES + "/log/laoqian").statusCode()).isEqualTo(405);
		assertThat(readOnly.delete(RULES + "/log").statusCode()).isEqualTo(405);
		assertThat(readOnly.get(RULES + "/log").body()).contains("\"max\":5");
	}

	/** A browser sends a form for a foreign page without asking first. */
	@Test
	void formsThatBecomeADeleteChangeNothing() {
		Server server = server("management.endpoints.web.exposure.include=ratelimits",
				"spring.mvc.hiddenmethod.filter.enabled=true", "spring.webflux.hiddenmethod.filter.enabled=true");
		assertThat(server.postJson(RULES + "/log", "{\"max\":9}").statusCode()).isEqualTo(200);
		for (String type : List.of("application/x-www-form-urlencoded",
				"Application/X-WWW-Form-URLencoded;charset=UTF-8")) {
			for (String path : List.of(RULES + "/log", RULES.replace("limits", "%6Cimits") + "/log")) {
				HttpResponse<String> answer = server.send(path, MediaType.valueOf(type), "_method=DELETE");
				assertThat(answer.statusCode()).as(answer.body()).isIn(400, 415);
			}
		}
		assertThat(server.get(RULES + "/log").body()).contains("\"max\":9");
		assertThat(server.delete(RULES + "/log").statusCode()).isEqualTo(200);
		assertThat(server.get(RULES + "/log").body()).contains("\"max\":5");
	}

	@ParameterizedTest
	@CsvSource({ "/manage, limits, /manage/limits", "/, limits, /limits", "/manage, /limits, /manage/limits",
			"/manage, '', /manage/ratelimits" })
	void bodiesAreReadAtAnyPathOfTheEndpoint(String base, String mapped, String path) {
		Server moved = server("management.endpoints.web.exposure.include=ratelimits",
				"management.endpoints.web.base-path=" + base,
				"management.endpoints.web.path-mapping.ratelimits=" + mapped, "ratelimit.web.requests[0].path=/why",
				"ratelimit.web.requests[0].rule=log");
		assertThat(moved.postJson(path, "{\"request\":{\"path\":\"/why\"}}").body()).contains("\"passes\":true");
		assertThat(moved.postJson(path + "/log", "[]").body()).contains("The body is not a JSON object");
		assertThat(moved.postJson(path + "/log", "{\"max\":7}").body()).contains("\"max\":7");
	}

}
