package io.github.ratelimit.store.redis;

import java.nio.charset.StandardCharsets;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import io.github.ratelimit.store.tck.AlgorithmOnStore;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Scripts that probe which server has which keys, and whether it can be written to.
 */
@Tag("every-redis")
class ProbeScriptsTests {

	private static final long NOW = 1_700_000_000_123_456L;

	private final ServerTime redis = new ServerTime(NOW);

	private final String key = AlgorithmOnStore.freshKey();

	private final String other = AlgorithmOnStore.freshKey();

	@Test
	void probeWritesForAMillisecond() {
		assertThat(this.redis.run("probe", this.key)).isEmpty();
		assertThat(ServerTime.lifetime(this.key)).isEqualTo("1");
	}

	@Test
	void probesOfKeysAreWrittenForAMinute() {
		assertThat(written()).hasSize(40);
		assertThat(ServerTime.lifetime(this.key)).isEqualTo("60000");
		assertThat(ServerTime.lifetime(this.other)).isEqualTo("60000");
	}

	@Test
	void probeThatIsFoundIsOnThisServerAndDeleted() {
		written();
		assertThat(read(this.key, "")).isEmpty();
		assertThat(read(this.other, "")).isEmpty();
		assertThat(RedisUnderTest.process().command("EXISTS", this.key, this.other)).isEqualTo(0L);
	}

	@Test
	void probeThatIsMissingWasEvictedIfTheServerIsTheSame() {
		String server = written();
		read(this.key, server);
		assertThat(read(this.key, server)).isEmpty();
	}

	@Test
	void probeThatIsMissingIsOnAnotherServer() {
		assertThat(read(this.key, "")).isEqualTo("on another server");
		assertThat(read(this.key, "0".repeat(40))).isEqualTo("on another server");
	}

	private String written() {
		byte[][] keys = ServerTime.texts(this.key, this.other);
		byte[] reply = this.redis.run(Script.of(Script.read("write-probes")), keys, new byte[0][]).join();
		return new String(reply, StandardCharsets.UTF_8);
	}

	private String read(String probed, String server) {
		return new String(this.redis.run("read-probe", probed, ServerTime.texts(server)), StandardCharsets.UTF_8);
	}

}
