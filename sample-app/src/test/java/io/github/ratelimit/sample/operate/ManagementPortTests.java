package io.github.ratelimit.sample.operate;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.SpringApplication;
import org.springframework.mock.env.MockEnvironment;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link ManagementPort}.
 */
class ManagementPortTests {

	@ParameterizedTest
	@CsvSource({ "8080,18080", "8081,18081", "55535,65535", "55536,45536", "0,0" })
	void isBesideThePortOfTheForum(String port, String managementPort) {
		MockEnvironment environment = new MockEnvironment().withProperty("server.port", port);
		new ManagementPort().postProcessEnvironment(environment, new SpringApplication());
		assertThat(environment.getProperty("management.server.port")).isEqualTo(managementPort);
	}

	@ParameterizedTest
	@CsvSource({ "9000", "0" })
	void isTheOneThatIsConfigured(String configured) {
		MockEnvironment environment = new MockEnvironment().withProperty("management.server.port", configured);
		new ManagementPort().postProcessEnvironment(environment, new SpringApplication());
		assertThat(environment.getProperty("management.server.port")).isEqualTo(configured);
	}

}
