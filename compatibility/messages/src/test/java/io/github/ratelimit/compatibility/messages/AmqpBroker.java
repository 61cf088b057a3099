package io.github.ratelimit.compatibility.messages;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

import org.apache.qpid.server.SystemLauncher;
import org.apache.qpid.server.SystemLauncherListener;
import org.apache.qpid.server.model.Broker;
import org.apache.qpid.server.model.Container;
import org.apache.qpid.server.model.Port;
import org.apache.qpid.server.model.SystemConfig;

/**
 * Broker for AMQP 0-9-1 in this process: Apache Qpid.
 */
final class AmqpBroker implements AutoCloseable {

	private static final String CONFIGURATION = """
			{
			  "name": "broker", "modelVersion": "9.1",
			  "authenticationproviders": [ { "name": "anyone", "type": "Plain", "secureOnlyMechanisms": [],
			    "users": [ { "name": "guest", "type": "managed", "password": "guest" } ] } ],
			  "ports": [ { "name": "AMQP", "port": 0, "authenticationProvider": "anyone",
			    "protocols": [ "AMQP_0_9_1" ], "virtualhostaliases": [ { "name": "default", "type": "defaultAlias" } ] } ],
			  "virtualhostnodes": [ { "name": "default", "type": "Memory", "defaultVirtualHostNode": "true",
			    "virtualHostInitialConfiguration": "{\\"type\\": \\"Memory\\"}" } ]
			}
			""";

	private final SystemLauncher launcher;

	private SystemConfig<?> system;

	AmqpBroker(Path directory) throws Exception {
		Path file = Files.writeString(directory.resolve("broker.json"), CONFIGURATION);
		this.launcher = new SystemLauncher(new SystemLauncherListener.DefaultSystemLauncherListener() {

			@Override
			public void onContainerResolve(SystemConfig<?> config) {
				AmqpBroker.this.system = config;
			}

		});
		this.launcher.startup(Map.of(SystemConfig.TYPE, "Memory", SystemConfig.INITIAL_CONFIGURATION_LOCATION,
				file.toUri().toURL().toString(), SystemConfig.STARTUP_LOGGED_TO_SYSTEM_OUT, false));
	}

	int port() {
		Container<?> broker = this.system.getContainer();
		return ((Broker<?>) broker).getPorts().stream().mapToInt(Port::getBoundPort).findFirst().orElseThrow();
	}

	@Override
	public void close() {
		this.launcher.shutdown();
	}

}
