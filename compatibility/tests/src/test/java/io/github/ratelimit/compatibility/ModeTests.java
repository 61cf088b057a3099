package io.github.ratelimit.compatibility;

import java.net.http.HttpResponse;
import java.util.List;
import java.util.stream.Stream;

import io.github.ratelimit.RateLimitExceededException;
import io.github.ratelimit.RateLimiterRegistry;
import io.github.ratelimit.annotation.RateLimited;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Import;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Every mode of a rule, however set, for every kind of call: by annotation, by URL and by
 * program.
 */
@OnOuterLines
class ModeTests {

	private static final List<String> ENTRANCES = List.of("annotation", "url", "program");

	private static final List<String> MODES = List.of("enforce", "shadow", "off");

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void modeOfARuleHoldsAtEveryEntrance(WebApplicationType type) {
		for (String mode : MODES) {
			String[] modes = ENTRANCES.stream()
				.map((entrance) -> "ratelimit.rules." + entrance + ".mode=" + mode)
				.toArray(String[]::new);
			try (Server server = start(type, modes)) {
				assertModeHolds(server, mode);
			}
		}
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void defaultModeHoldsAtEveryEntrance(WebApplicationType type) {
		for (String mode : MODES) {
			try (Server server = start(type, "ratelimit.defaults.mode=" + mode)) {
				assertModeHolds(server, mode);
			}
		}
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void modeThatIsChangedAtRunTimeHoldsAtEveryEntrance(WebApplicationType type) {
		try (Server server = start(type, "management.endpoints.web.exposure.include=ratelimits")) {
			for (String mode : List.of("off", "enforce", "off", "shadow", "enforce")) {
				for (String entrance : ENTRANCES) {
					HttpResponse<String> changed = server.postJson("/actuator/ratelimits/" + entrance,
							"{\"mode\":\"" + mode + "\"}");
					assertThat(changed.statusCode()).as(changed.body()).isBetween(200, 204);
					server.bean(RateLimiterRegistry.class).limiter(entrance).reset("");
				}
				assertModeHolds(server, mode);
			}
		}
	}

	private static void assertModeHolds(Server server, String mode) {
		for (String entrance : ENTRANCES) {
			assertThat(server.statuses(2, '/' + entrance)).as("%s by %s", mode, entrance)
				.isEqualTo(List.of(200, mode.equals("enforce") ? 429 : 200));
			assertThat(server.remaining(entrance, "")).as("%s by %s", mode, entrance)
				.isEqualTo(mode.equals("off") ? 1 : 0);
		}
	}

	private static Server start(WebApplicationType type, String... properties) {
		Stream<String> rules = ENTRANCES.stream()
			.flatMap((entrance) -> Stream.of("ratelimit.rules." + entrance + ".max=1",
					"ratelimit.rules." + entrance + ".period=1h"));
		Stream<String> others = Stream.of("ratelimit.store=local", "ratelimit.web.requests[0].path=/url",
				"ratelimit.web.requests[0].rule=url");
		return Server.start(type, ModeApplication.class,
				Stream.of(rules, others, Stream.of(properties)).flatMap((some) -> some).toArray(String[]::new));
	}

	@SpringBootConfiguration
	@EnableAutoConfiguration
	@Import(ModeController.class)
	static class ModeApplication {

	}

	@RestController
	static class ModeController {

		private final RateLimiterRegistry registry;

		ModeController(RateLimiterRegistry registry) {
			this.registry = registry;
		}

		@PostMapping("/annotation")
		@RateLimited("annotation")
		public String annotation() {
			return "";
		}

		@PostMapping("/url")
		public String url() {
			return "";
		}

		@PostMapping("/program")
		public String program() {
			var decision = this.registry.limiter("program").tryAcquire("");
			if (!decision.allowed()) {
				throw new RateLimitExceededException(decision);
			}
			return "";
		}

	}

}
