package io.github.ratelimit.compatibility;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import org.springframework.boot.WebApplicationType;
import org.springframework.util.ClassUtils;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A limit by a calendar at the endpoint {@code ratelimits}.
 */
@OnNewestLine
class CalendarEndpointTests {

	private static final String QUOTA = "/actuator/ratelimits/quota";

	@AutoClose
	private static Server server;

	@BeforeAll
	static void startServer() {
		boolean servlet = ClassUtils.isPresent("jakarta.servlet.Servlet", null);
		server = Server.start(servlet ? WebApplicationType.SERVLET : WebApplicationType.REACTIVE,
				ForumApplication.class, "ratelimit.store=local", "ratelimit.rules.quota.max=1000",
				"ratelimit.rules.quota.calendar=month", "ratelimit.rules.quota.zone=Europe/Paris",
				"ratelimit.rules.quota.first-day=15", "ratelimit.rules.quota.plans.free.max=3",
				"ratelimit.rules.sms.max=1", "ratelimit.rules.sms.period=1m",
				"management.endpoints.web.exposure.include=ratelimits");
	}

	@Test
	void describesTheCalendarInsteadOfAPeriod() {
		assertThat(server.get(QUOTA).body())
			.contains(
					"\"algorithm\":\"fixed-window\",\"max\":1000,\"calendar\":\"month\",\"zone\":\"Europe/Paris\","
							+ "\"firstDay\":15",
					"\"calendar\":\"ratelimit.rules.quota.calendar\"",
					"\"algorithm\":\"ratelimit.rules.quota.calendar\"")
			.doesNotContain("\"period\"", "\"align\"");
	}

	@Test
	void explainsTheLimitOfAKeyByItsCalendar() {
		assertThat(server.get(QUOTA + "/acme?explain").body()).contains("admits 1000 per month",
				"calendar = month in Europe/Paris from day 15 from ratelimit.rules.quota.calendar");
	}

	@Test
	void describesAPlanByTheCalendarOfItsLimit() {
		assertThat(server.get(QUOTA).body())
			.contains("\"plans\":{\"free\":[{\"name\":\"quota\",\"max\":3,\"calendar\":\"month\"}]}");
		assertThat(server.get(QUOTA + "/acme?explain&plan=free").body()).contains(
				"admits 3 per month instead of 1000 per month under plan free",
				"max = 3 comes from plan free of ratelimit.rules.quota.plans, calendar = month");
	}

	@Test
	void periodCannotBeChangedButMaxCan() {
		assertThat(server.postJson(QUOTA, "{\"period\":\"1d\"}"))
			.satisfies((answer) -> assertThat(answer.statusCode()).isEqualTo(400))
			.satisfies((answer) -> assertThat(answer.body())
				.contains("period of \\\"quota\\\" = 1d is invalid: the limit counts by the calendar, month in "
						+ "Europe/Paris from day 15. Change max or mode, or write another rule with a period."));
		assertThat(server.postJson(QUOTA, "{\"max\":900}").statusCode()).isEqualTo(200);
		assertThat(server.get(QUOTA).body()).contains("\"max\":900,\"calendar\":\"month\"");
		server.delete(QUOTA);
	}

}
