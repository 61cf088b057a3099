package io.github.ratelimit.store.redis;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;

import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.redis.process.RedisCluster;
import io.github.ratelimit.redis.process.RedisProcess;
import io.github.ratelimit.redis.process.RespConnection;
import io.github.ratelimit.redis.process.SlotMigration;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.Demands;
import io.github.ratelimit.store.StoreAnswer;

import static io.github.ratelimit.BusyMachine.awaitStore;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * A call that a server of a cluster redirects to another one, which hangs for a while.
 */
class RedisClusterRedirectionTests {

	private static final Duration PATIENCE = Duration.ofSeconds(20);

	private static final RateLimitRule RULE = RateLimitRule.named("rule")
		.limit(100, Duration.ofDays(1))
		.algorithm(Algorithm.FIXED_WINDOW)
		.build();

	private final RedisCluster cluster = ClusterUnderTest.cluster();

	private final Demand demand = ClusterUnderTest.demand(RULE, (master) -> true);

	private final SlotMigration migration = beginMigration();

	private final LettuceConnectionFactory connections = (LettuceConnectionFactory) RunnerUnderTest.LETTUCE
		.connections(this.cluster);

	private final RedisRateLimitStore store = new RedisRateLimitStore(this.connections, ClusterUnderTest.PREFIX,
			PATIENCE);

	private SlotMigration beginMigration() {
		int slot = this.cluster.slotOf(ClusterUnderTest.name(this.demand));
		RedisProcess source = this.cluster.masterOf(slot);
		return this.cluster.beginMigration(slot,
				this.cluster.masters().stream().filter((master) -> master != source).findFirst().orElseThrow());
	}

	@BeforeEach
	void countOneCallThere() {
		noticeAfter("30000");
		this.store.connect();
		assertThat(remaining(this.demand)).isEqualTo(99);
	}

	@AfterEach
	void endMigration() {
		this.migration.target().resume();
		noticeAfter("1000");
		this.migration.moveKeys();
		this.migration.end();
		this.store.close();
		RunnerUnderTest.destroy(this.connections);
	}

	private void noticeAfter(String milliseconds) {
		this.cluster.nodes().forEach((node) -> node.command("CONFIG", "SET", "cluster-node-timeout", milliseconds));
	}

	@Test
	void isNotGivenUpWhenAnotherConnectionEnds() {
		CompletableFuture<StoreAnswer> pending;
		try (StatefulRedisClusterConnection<String, String> another = anotherConnection()) {
			assertThat(another.getConnection(this.migration.source().host(), this.migration.source().port()).isOpen())
				.isTrue();
			this.migration.target().freeze();
			pending = sendOn();
		}
		assertThat(pending).isNotDone();
		this.migration.target().resume();
		assertThat(pending).succeedsWithin(PATIENCE);
		assertThat(remaining(this.demand)).isEqualTo(97);
	}

	@RepeatedTest(3)
	void isCountedAtMostOnceWhenItsConnectionBreaks() {
		try (RespConnection killer = this.migration.target().connect(PATIENCE)) {
			killer.command("PING");
			this.migration.target().freeze();
			CompletableFuture<StoreAnswer> pending = sendOn();
			CompletableFuture<Void> kill = CompletableFuture
				.runAsync(() -> killer.command("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes"));
			this.migration.target().resume();
			kill.join();
			await().until(pending::isDone);
			awaitStore().until(() -> remaining(peek()) > 0);
			assertThat(remaining(peek())).isBetween(98L, pending.isCompletedExceptionally() ? 99L : 98L);
		}
	}

	private CompletableFuture<StoreAnswer> sendOn() {
		long before = redirections();
		CompletableFuture<StoreAnswer> pending = this.store.acquireAsync(this.demand).toCompletableFuture();
		await().until(() -> redirections() > before);
		return pending;
	}

	private long redirections() {
		String errors = String.valueOf(this.migration.source().command("INFO", "errorstats"));
		return errors.lines()
			.filter((line) -> line.startsWith("errorstat_ASK:count="))
			.mapToLong((line) -> Long.parseLong(line.substring(line.indexOf('=') + 1).strip()))
			.sum();
	}

	private StatefulRedisClusterConnection<String, String> anotherConnection() {
		return ((RedisClusterClient) this.connections.getRequiredNativeClient()).connect();
	}

	private long remaining(Demand demand) {
		return this.store.acquire(Demands.of(demand)).get(0).outcomes().get(0).remaining();
	}

	private Demand peek() {
		return new Demand(RULE, this.demand.key().text(), 0);
	}

}
