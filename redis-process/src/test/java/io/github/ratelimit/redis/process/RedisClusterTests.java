package io.github.ratelimit.redis.process;

import java.time.Duration;
import java.util.List;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests for {@link RedisCluster}. Those that leave it healthy share one.
 */
@Tag("in-ci")
@Timeout(120)
class RedisClusterTests {

	private static final String SHARED = "the shared cluster";

	@AutoClose
	private static final RedisCluster shared = RedisCluster.start();

	@ParameterizedTest
	@MethodSource("io.github.ratelimit.redis.process.RedisBinary#all")
	void replicaTakesThePlaceOfItsKilledMasterWithAllData(RedisBinary binary) {
		try (RedisCluster cluster = RedisCluster.start(RedisOptions.none().withBinary(binary))) {
			assertThat(cluster.nodes()).hasSize(6);
			assertThat(cluster.masters()).hasSize(3);
			RedisProcess replica = cluster.replicaOf("key");
			setReplicated(cluster, "key", "value");
			RedisProcess killed = cluster.killMasterOf("key");
			cluster.awaitHealthy();
			assertThat(cluster.masterOf("key")).isSameAs(replica).isNotSameAs(killed);
			assertThat(replica.command("GET", "key")).isEqualTo("value");
		}
	}

	@Test
	@ResourceLock(SHARED)
	void frozenMasterBecomesReplicaWhenItResumes() {
		RedisProcess master = shared.masterOf("key");
		RedisProcess replica = shared.replicaOf("key");
		master.freeze();
		shared.awaitHealthy();
		assertThat(shared.masterOf("key")).isSameAs(replica);
		master.resume();
		shared.awaitHealthy();
		assertThat(shared.replicaOf("key")).isSameAs(master);
	}

	@Test
	@ResourceLock(SHARED)
	void masterAndReplicaChangePlaces() {
		RedisProcess master = shared.masterOf("key");
		RedisProcess replica = shared.replicaOf("key");
		master.command("SET", "key", "value");
		shared.failover(replica);
		assertThat(shared.masterOf("key")).isSameAs(replica);
		assertThat(shared.replicaOf("key")).isSameAs(master);
		assertThat(replica.command("GET", "key")).isEqualTo("value");
		shared.failover(master);
		assertThat(shared.masterOf("key")).isSameAs(master);
	}

	@ParameterizedTest
	@MethodSource("io.github.ratelimit.redis.process.RedisBinary#all")
	void migratingSlotRedirectsCallsForKeysThatHaveMoved(RedisBinary binary) {
		RedisOptions options = RedisOptions.none().withBinary(binary).withUser("app", "secret");
		try (RedisCluster cluster = RedisCluster.start(options)) {
			int slot = cluster.slotOf("{tag}");
			RedisProcess source = cluster.masterOf(slot);
			RedisProcess target = otherMaster(cluster, source);
			source.command("MSET", "{tag}1", "one", "{tag}2", "two");
			SlotMigration migration = cluster.beginMigration(slot, target);
			migration.move("{tag}1");
			assertThatExceptionOfType(RedisErrorReply.class).isThrownBy(() -> source.command("GET", "{tag}1"))
				.withMessage("ASK %d 127.0.0.1:%d", slot, target.port());
			assertThatExceptionOfType(RedisErrorReply.class).isThrownBy(() -> target.command("GET", "{tag}1"))
				.withMessageStartingWith("MOVED");
			try (RespConnection connection = target.connect(Duration.ofSeconds(5))) {
				connection.command("ASKING");
				assertThat(connection.command("GET", "{tag}1")).isEqualTo("one");
				connection.command("ASKING");
				assertThatExceptionOfType(RedisErrorReply.class)
					.isThrownBy(() -> connection.command("MGET", "{tag}1", "{tag}2"))
					.withMessageStartingWith("TRYAGAIN");
			}
			assertThat(source.command("GET", "{tag}2")).isEqualTo("two");
			migration.moveKeys();
			migration.end();
			assertThat(cluster.masterOf("{tag}")).isSameAs(target);
			assertThat(target.command("MGET", "{tag}1", "{tag}2")).isEqualTo(List.of("one", "two"));
			assertThatExceptionOfType(RedisErrorReply.class).isThrownBy(() -> source.command("GET", "{tag}1"))
				.withMessage("MOVED %d 127.0.0.1:%d", slot, target.port());
		}
	}

	@Test
	@ResourceLock(SHARED)
	void slotMovesThereAndBack() {
		int slot = shared.slotOf("key");
		RedisProcess source = shared.masterOf(slot);
		RedisProcess target = otherMaster(shared, source);
		source.command("SET", "key", "value");
		moveSlot(slot, target);
		assertThat(target.command("GET", "key")).isEqualTo("value");
		moveSlot(slot, source);
		assertThat(source.command("GET", "key")).isEqualTo("value");
		assertThatIllegalArgumentException().isThrownBy(() -> shared.beginMigration(slot, source))
			.withMessageStartingWith("Slot 12539 is already on redis-server");
	}

	@Test
	void closeLeavesNoProcessAndNoDirectory() {
		RedisCluster cluster = RedisCluster.start();
		List<Traces> traces = cluster.nodes().stream().map(Traces::of).toList();
		assertThat(traces).allMatch(Traces::exist);
		cluster.killMasterOf("key");
		cluster.masters().get(1).freeze();
		cluster.close();
		cluster.close();
		assertThat(traces).noneMatch(Traces::exist);
	}

	private static void moveSlot(int slot, RedisProcess target) {
		SlotMigration migration = shared.beginMigration(slot, target);
		migration.moveKeys();
		migration.end();
	}

	private static RedisProcess otherMaster(RedisCluster cluster, RedisProcess master) {
		return cluster.masters().stream().filter((other) -> other != master).findFirst().orElseThrow();
	}

	private static void setReplicated(RedisCluster cluster, String key, String value) {
		try (RespConnection connection = cluster.masterOf(key).connect(Duration.ofSeconds(20))) {
			connection.command("SET", key, value);
			assertThat(connection.command("WAIT", "1", "10000")).isEqualTo(1L);
		}
	}

}
