package io.github.ratelimit.compatibility;

import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;

import io.github.ratelimit.RateLimitExceededException;
import io.github.ratelimit.RateLimiterRegistry;
import io.github.ratelimit.annotation.RateLimited;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.boot.WebApplicationType;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Every mode of a rule, however set, for every kind of call: by annotation, by URL and by
 * program.
 */
@OnNewestLine
class ModeTests {

	private static final List<String> ENTRANCES = List.of("annotation", "url", "program");

	private static final List<String> MODES = List.of("enforce", "shadow", "off");

	/**
	 * Rules of every entrance: one for each mode, one without a mode and one whose mode
	 * is changed at run time.
	 */
	private static final List<String> RULES = List.of("enforce", "shadow", "off", "default", "changed");

	@AutoClose
	private static final Servers SERVERS = new Servers();

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void modeOfARuleHoldsAtEveryEntrance(WebApplicationType type) {
		for (String mode : MODES) {
			assertModeHolds(server(type, "enforce"), mode, mode);
		}
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void defaultModeHoldsAtEveryEntrance(WebApplicationType type) {
		for (String mode : MODES) {
			assertModeHolds(server(type, mode), "default", mode);
		}
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void modeThatIsChangedAtRunTimeHoldsAtEveryEntrance(WebApplicationType type) {
		Server server = server(type, "enforce");
		for (String mode : List.of("off", "enforce", "off", "shadow", "enforce")) {
			for (String entrance : ENTRANCES) {
				HttpResponse<String> changed = server.postJson("/actuator/ratelimits/" + entrance + "-changed",
						"{\"mode\":\"" + mode + "\"}");
				assertThat(changed.statusCode()).as(changed.body()).isBetween(200, 204);
			}
			assertModeHolds(server, "changed", mode);
		}
	}

	private static void assertModeHolds(Server server, String rule, String mode) {
		server.reset("");
		for (String entrance : ENTRANCES) {
			assertThat(server.statuses(2, '/' + entrance + '/' + rule)).as("%s by %s", mode, entrance)
				.isEqualTo(List.of(200, mode.equals("enforce") ? 429 : 200));
			assertThat(server.remaining(entrance + '-' + rule, "")).as("%s by %s", mode, entrance)
				.isEqualTo(mode.equals("off") ? 1 : 0);
		}
	}

	private static Server server(WebApplicationType type, String defaultMode) {
		List<String> properties = new ArrayList<>(List.of("ratelimit.store=local",
				"ratelimit.defaults.mode=" + defaultMode, "management.endpoints.web.exposure.include=ratelimits"));
		for (String entrance : ENTRANCES) {
			for (String rule : RULES) {
				properties.add("ratelimit.rules." + entrance + '-' + rule + ".max=1");
				properties.add("ratelimit.rules." + entrance + '-' + rule + ".period=1h");
			}
			for (String mode : MODES) {
				properties.add("ratelimit.rules." + entrance + '-' + mode + ".mode=" + mode);
			}
		}
		for (int i = 0; i < RULES.size(); i++) {
			properties.add("ratelimit.web.requests[" + i + "].path=/url/" + RULES.get(i));
			properties.add("ratelimit.web.requests[" + i + "].rule=url-" + RULES.get(i));
		}
		return SERVERS.get(type, ModeController.class, properties.toArray(String[]::new));
	}

	@RestController
	static class ModeController {

		private final RateLimiterRegistry registry;

		ModeController(RateLimiterRegistry registry) {
			this.registry = registry;
		}

		@PostMapping("/annotation/enforce")
		@RateLimited("annotation-enforce")
		public String enforced() {
			return "";
		}

		@PostMapping("/annotation/shadow")
		@RateLimited("annotation-shadow")
		public String shadowed() {
			return "";
		}

		@PostMapping("/annotation/off")
		@RateLimited("annotation-off")
		public String off() {
			return "";
		}

		@PostMapping("/annotation/default")
		@RateLimited("annotation-default")
		public String byDefault() {
			return "";
		}

		@PostMapping("/annotation/changed")
		@RateLimited("annotation-changed")
		public String changed() {
			return "";
		}

		@PostMapping("/url/{rule}")
		public String url() {
			return "";
		}

		@PostMapping("/program/{rule}")
		public String program(@PathVariable("rule") String rule) {
			var decision = this.registry.limiter("program-" + rule).tryAcquire("");
			if (!decision.allowed()) {
				throw new RateLimitExceededException(decision);
			}
			return "";
		}

	}

}
