package io.github.ratelimit.compatibility;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import org.springframework.boot.WebApplicationType;

/**
 * Running applications that the tests of a class share: one per configuration. Starting
 * them is most of the work of these tests.
 */
final class Servers implements AutoCloseable {

	private final Map<List<Object>, Server> started = new LinkedHashMap<>();

	/**
	 * Return the running application, which starts with the first call.
	 * @see Server#start
	 */
	Server get(WebApplicationType type, Class<?> application, String... properties) {
		return this.started.computeIfAbsent(List.of(type, application, Arrays.asList(properties)),
				(unknown) -> Server.start(type, application, properties));
	}

	/**
	 * Stop all of them, together: a Netty server that stops takes the event loop of the
	 * others with it.
	 */
	@Override
	public void close() {
		this.started.values().forEach(Server::close);
	}

}
