package io.github.ratelimit.autoconfigure;

import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;

import io.github.ratelimit.Decision;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.RateLimiterRegistry;
import io.github.ratelimit.FaultyProxy;
import io.github.ratelimit.redis.process.RedisOptions;
import io.github.ratelimit.redis.process.RedisProcess;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import org.springframework.boot.autoconfigure.data.redis.RedisAutoConfiguration;
import org.springframework.data.redis.connection.RedisStaticMasterReplicaConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Application with a fixed list of a master and a replica.
 */
@Timeout(60)
class MasterReplicaTests {

	private static final Duration SOON = Duration.ofSeconds(15);

	private static final String PASSWORD = "secret";

	@AutoClose
	private final RedisProcess first = start();

	@AutoClose
	private final RedisProcess second = start();

	private static RedisProcess start() {
		return RedisProcess
			.start(RedisOptions.none().withPassword(PASSWORD).withArguments("--repl-diskless-sync-delay", "0"));
	}

	@BeforeEach
	void replicate() {
		replicate(this.first, this.second);
	}

	@Test
	void limiterFollowsRolesThatChange() {
		run(List.of(this.first.port(), this.second.port()), (limiter) -> {
			take(limiter, 1);
			awaitReplicated(this.first);
			replicate(this.second, this.first);
			take(limiter, 2);
			awaitReplicated(this.second);
			replicate(this.first, this.second);
			take(limiter, 3);
		});
	}

	@Test
	void limiterFollowsAReplicaThatIsPromotedAfterItsMasterWasKilled() {
		run(List.of(this.first.port(), this.second.port()), (limiter) -> {
			take(limiter, 1);
			awaitReplicated(this.first);
			this.first.kill();
			this.second.command("REPLICAOF", "NO", "ONE");
			take(limiter, 2);
		});
	}

	@Test
	void masterMayBeAnyOfTheServers() {
		run(List.of(this.second.port(), this.first.port()), (limiter) -> take(limiter, 1));
	}

	@Test
	void silentReplicaDoesNotHideTheMaster() {
		try (FaultyProxy replica = new FaultyProxy(this.second.port())) {
			replica.silence();
			run(List.of(replica.port(), this.first.port()), (limiter) -> take(limiter, 1));
		}
	}

	@Test
	void changesOfRulesAreAnnounced() {
		run(List.of(this.first.port(), this.second.port()),
				(limiter) -> Awaitility.await().atMost(SOON).until(() -> subscriptions() == 1));
	}

	private long subscriptions() {
		return List.of(this.first, this.second)
			.stream()
			.mapToLong((redis) -> (long) ((List<?>) redis.command("PUBSUB", "NUMSUB", "ratelimit:{rules}")).get(1))
			.sum();
	}

	/**
	 * Take a unit in Redis, in which it is one of a number that is taken then.
	 */
	private static void take(RateLimiter limiter, int taken) {
		Awaitility.await().atMost(SOON).until(() -> limiter.tryAcquire("other").origin() == Decision.Origin.REDIS);
		Decision decision = limiter.tryAcquire("key");
		assertThat(decision.origin()).isEqualTo(Decision.Origin.REDIS);
		assertThat(decision.remaining()).isEqualTo(1_000 - taken);
	}

	/**
	 * Wait until the replica has what was written. WAIT concerns the writes of its own
	 * connection alone.
	 */
	private static void awaitReplicated(RedisProcess master) {
		Awaitility.await().until(() -> {
			String replication = String.valueOf(master.command("INFO", "replication"));
			String written = replication.replaceAll("(?s).*master_repl_offset:(\\d+).*", "$1");
			return replication.contains("state=online,offset=" + written + ",");
		});
	}

	private static void replicate(RedisProcess master, RedisProcess replica) {
		master.command("REPLICAOF", "NO", "ONE");
		replica.command("REPLICAOF", "127.0.0.1", String.valueOf(master.port()));
		Awaitility.await().until(() -> String.valueOf(replica.command("ROLE")).contains("connected"));
	}

	private void run(List<Integer> ports, Use use) {
		LimitedApplication.runner(RedisAutoConfiguration.class)
			.withBean(LettuceConnectionFactory.class, connections(ports))
			.withPropertyValues("ratelimit.rules.rule.max=1000", "ratelimit.rules.rule.period=30d",
					"ratelimit.redis.timeout=2s")
			.run((context) -> use.use(context.getBean(RateLimiterRegistry.class).limiter("rule")));
	}

	private static Supplier<LettuceConnectionFactory> connections(List<Integer> ports) {
		RedisStaticMasterReplicaConfiguration servers = new RedisStaticMasterReplicaConfiguration("127.0.0.1",
				ports.get(0));
		ports.stream().skip(1).forEach((port) -> servers.addNode("127.0.0.1", port));
		servers.setPassword(PASSWORD);
		return () -> new LettuceConnectionFactory(servers);
	}

	private interface Use {

		void use(RateLimiter limiter);

	}

}
