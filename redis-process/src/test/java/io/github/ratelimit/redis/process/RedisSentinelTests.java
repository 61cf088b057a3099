package io.github.ratelimit.redis.process;

import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link RedisSentinel}.
 */
@Tag("in-ci")
@Timeout(120)
class RedisSentinelTests {

	@ParameterizedTest
	@MethodSource("io.github.ratelimit.redis.process.RedisBinary#all")
	void replicaTakesThePlaceOfTheKilledMasterWithAllData(RedisBinary binary) {
		RedisOptions options = RedisOptions.none().withBinary(binary).withUser("app", "secret");
		try (RedisSentinel sentinel = RedisSentinel.start(options, 1)) {
			setReplicated(sentinel, "key", "value");
			RedisProcess killed = sentinel.killMaster();
			sentinel.awaitFailover(killed);
			assertThat(sentinel.master()).isSameAs(sentinel.servers().get(1)).isNotSameAs(killed);
			assertThat(sentinel.master().command("GET", "key")).isEqualTo("value");
		}
	}

	@Test
	void anotherServerBecomesTheMasterOnDemand() {
		try (RedisSentinel sentinel = RedisSentinel.start(RedisOptions.none().withPassword("secret"), 2)) {
			RedisProcess before = sentinel.master();
			setReplicated(sentinel, "key", "value");
			sentinel.failover();
			assertThat(sentinel.master()).isNotSameAs(before);
			assertThat(sentinel.master().command("GET", "key")).isEqualTo("value");
		}
	}

	@Test
	void sentinelsKnowTheMaster() {
		try (RedisSentinel sentinel = RedisSentinel.start()) {
			assertThat(sentinel.sentinels()).hasSize(3).allSatisfy((one) -> {
				assertThat(one.command("SENTINEL", "GET-MASTER-ADDR-BY-NAME", sentinel.masterName()))
					.isEqualTo(List.of("127.0.0.1", Integer.toString(sentinel.master().port())));
				assertThat(one.command("SENTINEL", "CKQUORUM", sentinel.masterName())).asString()
					.startsWith("OK 3 usable Sentinels");
			});
		}
	}

	@Test
	void closeLeavesNoProcessAndNoDirectory() {
		RedisSentinel sentinel = RedisSentinel.start();
		List<Traces> traces = Stream.concat(sentinel.servers().stream(), sentinel.sentinels().stream())
			.map(Traces::of)
			.toList();
		assertThat(traces).hasSize(5).allMatch(Traces::exist);
		sentinel.killMaster();
		sentinel.close();
		sentinel.close();
		assertThat(traces).noneMatch(Traces::exist);
	}

	private static void setReplicated(RedisSentinel sentinel, String key, String value) {
		int replicas = sentinel.servers().size() - 1;
		try (RespConnection connection = sentinel.master().connect(Duration.ofSeconds(20))) {
			connection.command("SET", key, value);
			assertThat(connection.command("WAIT", Integer.toString(replicas), "10000")).isEqualTo((long) replicas);
		}
	}

}
