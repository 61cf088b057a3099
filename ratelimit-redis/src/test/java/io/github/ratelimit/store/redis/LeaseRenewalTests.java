package io.github.ratelimit.store.redis;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import io.github.ratelimit.store.tck.AlgorithmOnStore;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Renewal of the lease of an instance in Redis, to the microsecond.
 */
@Tag("every-redis")
class LeaseRenewalTests {

	private static final long NOW = 1_700_000_000_123_456L;

	private static final long LEASE = 1_000_000;

	private final ServerTime redis = new ServerTime(NOW);

	private final String key = AlgorithmOnStore.freshKey();

	@Test
	void leaseThatIsRenewedInTimeHasBegunBefore() {
		assertThat(renew(NOW, 7, LEASE)).isEqualTo(NOW);
		assertThat(renew(NOW + LEASE - 1, 7, LEASE)).isEqualTo(NOW);
		assertThat(renew(NOW + 2 * LEASE - 2, 7, LEASE)).isEqualTo(NOW);
		assertThat(stored(7)).isEqualTo(List.of(NOW, NOW + 2 * LEASE - 2, LEASE));
	}

	@Test
	void leaseThatHasEndedBeginsAnew() {
		renew(NOW, 7, LEASE);
		assertThat(renew(NOW + LEASE, 7, LEASE)).isEqualTo(NOW + LEASE);
		assertThat(stored(7)).isEqualTo(List.of(NOW + LEASE, NOW + LEASE, LEASE));
	}

	@Test
	void leaseEndsByItsNewLength() {
		renew(NOW, 7, LEASE);
		assertThat(renew(NOW + LEASE / 2, 7, LEASE / 2)).isEqualTo(NOW + LEASE / 2);
		assertThat(stored(7)).isEqualTo(List.of(NOW + LEASE / 2, NOW + LEASE / 2, LEASE / 2));
	}

	@Test
	void clockOfTheServerRenewsTheLeaseIfTheInstanceHasNone() {
		assertThat(renew(0, 7, LEASE)).isEqualTo(NOW);
		assertThat(stored(7)).isEqualTo(List.of(NOW, NOW, LEASE));
	}

	@Test
	void leaseThatIsGivenUpLeavesThoseOfOthers() {
		renew(NOW, 7, LEASE);
		renew(NOW, 8, LEASE);
		assertThat(run(NOW, 7, 0)).isEmpty();
		assertThat(stored(7)).isNull();
		assertThat(stored(8)).isEqualTo(List.of(NOW, NOW, LEASE));
	}

	@Test
	void leasesLiveForTheLongestLease() {
		renew(NOW, 7, LEASE);
		assertThat(ServerTime.lifetime(this.key)).isEqualTo("3600000");
	}

	@Test
	void replyNamesTheServer() {
		byte[] reply = run(NOW, 7, LEASE);
		String server = new String(reply, Long.BYTES, reply.length - Long.BYTES, StandardCharsets.UTF_8);
		assertThat((String) RedisUnderTest.process().command("INFO", "server")).contains("run_id:" + server + "\r\n");
		assertThat(server).hasSize(40);
	}

	private long renew(long now, int instance, long lease) {
		return ByteBuffer.wrap(run(now, instance, lease)).getLong();
	}

	private byte[] run(long now, int instance, long lease) {
		return this.redis.run("renew-lease", this.key,
				ServerTime.texts(String.valueOf(now), String.valueOf(instance), String.valueOf(lease)));
	}

	/**
	 * Return when the lease of an instance began, when it was renewed last, and its
	 * length.
	 */
	private Object stored(int instance) {
		return RedisUnderTest.process().command("EVAL", """
				local lease = redis.call('HGET', KEYS[1], struct.pack('>I7', ARGV[1]))
				if lease then
				  local since, seen, shortest = struct.unpack('>I7I7I7', lease)
				  return { since, seen, shortest }
				end
				""", "1", this.key, String.valueOf(instance));
	}

}
