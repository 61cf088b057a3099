package io.github.ratelimit.compatibility;

import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

import io.github.ratelimit.redis.process.RedisProcess;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

import org.springframework.boot.WebApplicationType;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.env.Environment;
import org.springframework.data.redis.connection.RedisNode;
import org.springframework.data.redis.connection.RedisStaticMasterReplicaConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.util.ClassUtils;

/**
 * Application with a fixed list of a master and a replica, whose roles change.
 */
@OnOuterLines
class MasterReplicaTests {

	@AutoClose
	private final RedisProcess first = RedisProcess.start("--repl-diskless-sync-delay", "0");

	@AutoClose
	private final RedisProcess second = RedisProcess.start("--repl-diskless-sync-delay", "0");

	@Test
	void limiterFollowsTheRolesOfServersInABean() {
		followRoles(BeanApplication.class,
				"servers=127.0.0.1:" + this.first.port() + ",127.0.0.1:" + this.second.port());
	}

	@Test
	void limiterFollowsTheRolesOfServersInAProperty() {
		Assumptions.assumeTrue(ClassUtils
			.isPresent("org.springframework.boot.data.redis.autoconfigure.DataRedisProperties$Masterreplica", null));
		followRoles(ForumApplication.class, "spring.data.redis.masterreplica.nodes=127.0.0.1:" + this.first.port()
				+ ",127.0.0.1:" + this.second.port());
	}

	private void followRoles(Class<?> application, String servers) {
		replicate(this.first, this.second);
		try (Server server = Server.start(WebApplicationType.SERVLET, application, servers, "ratelimit.rules.sms.max=1",
				"ratelimit.rules.sms.period=60s")) {
			awaitCounts(server, this.first, "before");
			replicate(this.second, this.first);
			awaitCounts(server, this.second, "after");
		}
	}

	private static void awaitCounts(Server server, RedisProcess master, String user) {
		Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> {
			server.statuses(1, "/replies?userId=" + user);
			return !master.command("KEYS", "*:" + user + "*").toString().equals("[]");
		});
	}

	private static void replicate(RedisProcess master, RedisProcess replica) {
		master.command("REPLICAOF", "NO", "ONE");
		replica.command("REPLICAOF", "127.0.0.1", String.valueOf(master.port()));
		Awaitility.await().until(() -> String.valueOf(replica.command("ROLE")).contains("connected"));
	}

	@Configuration(proxyBeanMethods = false)
	@Import(ForumApplication.class)
	static class BeanApplication {

		@Bean
		LettuceConnectionFactory connections(Environment environment) {
			List<RedisNode> nodes = Stream.of(environment.getRequiredProperty("servers").split(","))
				.map(RedisNode::fromString)
				.toList();
			RedisStaticMasterReplicaConfiguration servers = new RedisStaticMasterReplicaConfiguration(
					nodes.get(0).getHost(), nodes.get(0).getPort());
			servers.addNode(nodes.get(1).getHost(), nodes.get(1).getPort());
			return new LettuceConnectionFactory(servers);
		}

	}

}
