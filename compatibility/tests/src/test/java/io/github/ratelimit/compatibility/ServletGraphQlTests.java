package io.github.ratelimit.compatibility;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;

@OnOuterLines
class ServletGraphQlTests extends GraphQlTests {

	ServletGraphQlTests() {
		super(WebApplicationType.SERVLET);
	}

	/** Tomcat reuses the request of a handshake, Netty does not. */
	@Test
	@ExtendWith(OutputCaptureExtension.class)
	void requestsOverAWebSocketOfWebFluxOnTomcatHaveTheKeysOfItsHandshake(CapturedOutput log) throws Exception {
		Server reactive = this.servers.get(WebApplicationType.REACTIVE, GraphQlForum.class, SETTINGS[0], SETTINGS[1],
				"ratelimit.store=local");
		assertThat(log).contains("Tomcat started on port");
		assertKeysOfTheHandshake(reactive);
	}

}
