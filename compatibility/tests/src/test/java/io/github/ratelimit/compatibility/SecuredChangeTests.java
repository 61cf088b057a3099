package io.github.ratelimit.compatibility;

import java.net.http.HttpResponse;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import io.github.ratelimit.RateLimiterRegistry;
import io.github.ratelimit.KeyOverride;

import org.springframework.boot.WebApplicationType;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Changes at run time know the user of Spring Security who made them.
 */
@Tag("security")
class SecuredChangeTests {

	private static final String RULES = "/actuator/ratelimits";

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void changeIsThatOfTheUser(WebApplicationType type) {
		try (Server server = Server.start(type, SecuredApplication.class,
				"management.endpoints.web.exposure.include=ratelimits", "ratelimit.store=local",
				"ratelimit.rules.hits.max=2", "ratelimit.rules.hits.period=1h")) {
			server.bean(RateLimiterRegistry.class).limiter("hits").override("k", KeyOverride.blocked());
			HttpResponse<String> changed = server.postAs("editor", RULES + "/hits?max=9");
			assertThat(changed.statusCode()).as(changed.body()).isEqualTo(200);
			assertThat(changed.body()).contains("\"changedBy\":\"editor\"", "\"changedBy\":\"application\"");
			assertThat(server.getAs("laoqian", RULES + "?changes").body()).contains(
					"\"changedBy\":\"editor\",\"rule\":\"hits\",\"from\":\"as configured\"",
					"\"changedBy\":\"application\",\"rule\":\"hits\",\"key\":\"k\",\"from\":\"as configured\",\"to\":\"blocked\"");
		}
	}

}
