package io.github.ratelimit.compatibility;

import java.lang.management.ManagementFactory;
import java.util.Collections;
import java.util.stream.Stream;

import javax.management.MBeanServer;
import javax.management.ObjectName;

import io.github.ratelimit.RateLimiterRegistry;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

import org.springframework.boot.WebApplicationType;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Exposure of the endpoint {@code ratelimits}, over HTTP and JMX, and its read-only
 * access.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@OnOuterLines
abstract class EndpointExposureTests {

	private static final String RULES = "/actuator/ratelimits";

	private final WebApplicationType type;

	private final Servers servers = new Servers();

	EndpointExposureTests(WebApplicationType type) {
		this.type = type;
	}

	@AfterAll
	void stopServers() {
		this.servers.close();
	}

	private Server server(String... more) {
		Stream<String> properties = Stream.of("ratelimit.store=local", "ratelimit.rules.log.max=5",
				"ratelimit.rules.log.period=60s", "ratelimit.rules.sms.max=5", "ratelimit.rules.sms.period=60s");
		return this.servers.get(this.type, ForumApplication.class,
				Stream.concat(properties, Stream.of(more)).toArray(String[]::new));
	}

	private Server overJmx() {
		return server("spring.jmx.enabled=true", "management.endpoints.jmx.exposure.include=ratelimits",
				"management.endpoints.jmx.domain=limits");
	}

	@Test
	void withoutAKeyJmxRemovesTheOverride() throws Exception {
		MBeanServer beans = ManagementFactory.getPlatformMBeanServer();
		ObjectName name = new ObjectName("limits:type=Endpoint,name=Ratelimits");
		Server other = overJmx();
		other.bean(RateLimiterRegistry.class).limiter("log").tryAcquire("");
		String[] texts = Collections.nCopies(5, String.class.getName()).toArray(String[]::new);
		String[] two = Collections.nCopies(2, String.class.getName()).toArray(String[]::new);
		String[] three = Collections.nCopies(3, String.class.getName()).toArray(String[]::new);
		beans.invoke(name, "change", new Object[] { "log", "9", null, null, null }, texts);
		Object restored = beans.invoke(name, "restore", new Object[] { "log", null }, two);
		assertThat(restored).asString().contains("max=5").doesNotContain("run time");
		assertThat(other.remaining("log", "")).isEqualTo(4);
		assertThat(beans.invoke(name, "rule", new Object[] { "log", null, null }, three)).asString()
			.contains("max=5")
			.doesNotContain("used=");
		assertThat(beans.invoke(name, "key", new Object[] { "log", "", null }, three)).asString().contains("used=1");
		beans.invoke(name, "restore", new Object[] { "log", "" }, two);
		assertThat(other.remaining("log", "")).isEqualTo(5);
	}

	@Test
	void isThereOverJmxWhenItIsExposed() throws Exception {
		MBeanServer beans = ManagementFactory.getPlatformMBeanServer();
		ObjectName name = new ObjectName("limits:type=Endpoint,name=Ratelimits");
		Server other = overJmx();
		String[] texts = Collections.nCopies(5, String.class.getName()).toArray(String[]::new);
		Object changed = beans.invoke(name, "change", new Object[] { "sms", "9", null, null, null }, texts);
		assertThat(changed).asString().contains("max=9", "run time");
		assertThat(other.get(RULES).statusCode()).isEqualTo(404);
		assertThat(beans.invoke(name, "rules", new Object[0], new String[0])).asString().contains("name=log");
		assertThatExceptionOfType(Exception.class)
			.isThrownBy(() -> beans.invoke(name, "change", new Object[] { "log", "0", null, null, null }, texts))
			.withStackTraceContaining("it has to be between 1 and 1000000000");
	}

	@Test
	void isThereWhenItIsExposedAndReadOnlyWhenItShallBe() {
		assertThat(overJmx().get(RULES).statusCode()).isEqualTo(404);
		Server readOnly = server("management.endpoints.web.exposure.include=ratelimits",
				"management.endpoint.ratelimits.access=read-only");
		assertThat(readOnly.get(RULES + "/log").statusCode()).isEqualTo(200);
		assertThat(readOnly.get(RULES + "/log/laoqian").statusCode()).isEqualTo(200);
		assertThat(readOnly.postJson(RULES + "/log", "{\"max\":9}").statusCode()).isEqualTo(405);
		assertThat(readOnly.delete(RULES + "/log/laoqian").statusCode()).isEqualTo(405);
		assertThat(readOnly.delete(RULES + "/log").statusCode()).isEqualTo(405);
		assertThat(readOnly.get(RULES + "/log").body()).contains("\"max\":5");
	}

}
