package io.github.ratelimit.sample.operate;

import java.util.Map;

import org.springframework.boot.EnvironmentPostProcessor;
import org.springframework.boot.SpringApplication;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.MapPropertySource;

/**
 * Default of {@code management.server.port}: 10000 above {@code server.port}, so that
 * several samples run beside each other. Your application does not need this class: write
 * the port into its {@code application.yml}, which disables it here, too.
 */
class ManagementPort implements EnvironmentPostProcessor {

	private static final int DISTANCE = 10_000;

	private static final int HIGHEST = 65_535;

	@Override
	public void postProcessEnvironment(ConfigurableEnvironment environment, SpringApplication application) {
		int port = environment.getProperty("server.port", Integer.class, 8080);
		environment.getPropertySources()
			.addLast(new MapPropertySource("managementPort", Map.of("management.server.port", beside(port))));
	}

	/**
	 * Return the management port for a port of the application; 0 means a free one.
	 */
	static int beside(int port) {
		if (port == 0) {
			return 0;
		}
		return (port + DISTANCE <= HIGHEST) ? port + DISTANCE : port - DISTANCE;
	}

}
