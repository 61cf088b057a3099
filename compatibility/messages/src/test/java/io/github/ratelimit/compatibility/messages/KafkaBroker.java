package io.github.ratelimit.compatibility.messages;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;

import io.github.ratelimit.redis.process.FreePort;
import kafka.server.KafkaConfig;
import kafka.server.KafkaRaftServer;
import kafka.tools.StorageTool;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.utils.Time;

/**
 * Kafka in this process, as its only broker and controller.
 */
final class KafkaBroker implements AutoCloseable {

	private final KafkaRaftServer server;

	private final int port;

	KafkaBroker(Path directory) throws IOException {
		this.port = FreePort.find();
		Properties properties = properties(directory.resolve("log"), FreePort.find());
		Path file = directory.resolve("server.properties");
		try (OutputStream out = Files.newOutputStream(file)) {
			properties.store(out, null);
		}
		ByteArrayOutputStream messages = new ByteArrayOutputStream();
		String[] format = { "format", "--cluster-id", Uuid.randomUuid().toString(), "--config", file.toString() };
		if (StorageTool.execute(format, new PrintStream(messages)) != 0) {
			throw new IllegalStateException(messages.toString());
		}
		this.server = new KafkaRaftServer(KafkaConfig.fromProps(properties), Time.SYSTEM);
		this.server.startup();
	}

	private Properties properties(Path log, int controller) {
		Properties properties = new Properties();
		properties.setProperty("process.roles", "broker,controller");
		properties.setProperty("node.id", "1");
		properties.setProperty("controller.quorum.voters", "1@localhost:" + controller);
		properties.setProperty("controller.listener.names", "CONTROLLER");
		properties.setProperty("listeners",
				"PLAINTEXT://localhost:" + this.port + ",CONTROLLER://localhost:" + controller);
		properties.setProperty("log.dirs", log.toString());
		properties.setProperty("offsets.topic.num.partitions", "1");
		properties.setProperty("offsets.topic.replication.factor", "1");
		properties.setProperty("group.initial.rebalance.delay.ms", "0");
		return properties;
	}

	String address() {
		return "localhost:" + this.port;
	}

	@Override
	public void close() {
		this.server.shutdown();
		this.server.awaitShutdown();
	}

}
