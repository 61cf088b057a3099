package io.github.ratelimit.compatibility;

import java.util.List;

import org.junit.jupiter.api.Test;

import org.springframework.boot.WebApplicationType;

import static org.assertj.core.api.Assertions.assertThat;

class ServletLettuceServerTests extends ServerTests {

	ServletLettuceServerTests() {
		super(WebApplicationType.SERVLET, "lettuce");
	}

	@Test
	void catchAllHandlerOfTheControllerDoesNotTurnTheDenialIntoAnError() {
		Server application = server(CatchAllApplication.class);
		assertThat(application.statuses(2, "/careful")).isEqualTo(List.of(200, 429));
	}

}
