package io.github.ratelimit.store.redis;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;

import io.lettuce.core.RedisCommandExecutionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import io.github.ratelimit.Limit;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.HeldSlots;
import io.github.ratelimit.store.StoreAnswer;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Renewal of many leases in a cluster of two servers, one of which answers when the test
 * does.
 */
class SlotRenewalTests {

	private static final RateLimitRule RULE = RateLimitRule.named("export")
		.limit(Limit.ofConcurrency(9).withLease(Duration.ofSeconds(30)))
		.build();

	private static final int CALLS = 400;

	private final Queue<Runnable> timers = new ArrayDeque<>();

	private final Servers servers = new Servers();

	private final RedisSetup setup = new RedisSetup(this.servers, "test", Duration.ofSeconds(20), RedisSharding.CLUSTER,
			() -> 0, CallerClock.of(() -> 0), () -> 0, (task, nanos) -> this.timers.add(task));

	private final HeldSlots slots = new SlotKeeper(this.setup).slots();

	@Test
	void serverThatHangsDelaysTheLeasesOfOthersOnce() {
		for (int i = 0; i < CALLS; i++) {
			this.slots.hold(new Demand(RULE, "key-" + i, 1));
		}
		List.copyOf(this.timers).forEach(Runnable::run);
		int asked = this.servers.unanswered.size();
		assertThat(asked).as("leases that are renewed at the same time").isBetween(1, 16);
		while (!this.servers.unanswered.isEmpty()) {
			this.servers.unanswered.remove().completeExceptionally(new TimeoutException());
		}
		assertThat(this.servers.renewals("hangs")).isEqualTo(asked);
		assertThat(this.servers.renewals("answers")).isGreaterThan(CALLS / 3);
		assertThat(this.servers.connections).isEqualTo(1);
		List.copyOf(this.timers).forEach(Runnable::run);
		assertThat(this.servers.unanswered).as("the next renewal asks it again").isNotEmpty();
	}

	@ParameterizedTest
	@CsvSource({ "NOPERM no permissions, 0", "WRONGTYPE wrong kind of value, 0", "OOM command not allowed, 0",
			"READONLY replica, 1" })
	void instanceConnectsAnewUnlessRedisRefusesOrIsSick(String error, int connections) {
		this.servers.answering = "neither";
		this.slots.hold(new Demand(RULE, "key", 1));
		List.copyOf(this.timers).forEach(Runnable::run);
		this.servers.unanswered.remove().completeExceptionally(new RedisCommandExecutionException(error));
		assertThat(this.servers.connections).isEqualTo(connections);
	}

	/** A proxy may have lost the answer of a server that has taken the slots. */
	@ParameterizedTest
	@CsvSource({ "WRONGTYPE wrong kind of value, 0", "ERR unknown command SCRIPT, 0",
			"'ERR handle response, backend conn reset', 1" })
	void slotsOfACallAreFreedUnlessTheReplySaysThatItHasTakenNone(String error, int renewals) {
		this.servers.answering = "neither";
		CompletableFuture<StoreAnswer> answer = new CompletableFuture<>();
		this.slots.follow(new Demand(RULE, "key", 1), answer);
		answer.completeExceptionally(new RedisCommandExecutionException(error));
		List.copyOf(this.timers).forEach(Runnable::run);
		assertThat(this.servers.renewed).hasSize(renewals);
	}

	private static final class Servers implements ScriptRunner {

		private final Queue<CompletableFuture<byte[]>> unanswered = new ArrayDeque<>();

		private final List<Object> renewed = new ArrayList<>();

		private String answering = "answers";

		private int connections;

		long renewals(String server) {
			return this.renewed.stream().filter(server::equals).count();
		}

		@Override
		public boolean hasManyServers() {
			return true;
		}

		@Override
		public Object ownerOf(byte[] key) {
			Integer hashSlot = (Integer) ScriptReach.HASH_SLOT.group(key);
			return (hashSlot % 2 == 0) ? "hangs" : "answers";
		}

		@Override
		public CompletableFuture<Void> connect() {
			this.connections++;
			return CompletableFuture.completedFuture(null);
		}

		@Override
		public CompletableFuture<byte[]> run(ScriptCall call) {
			Object owner = ownerOf(call.keys()[0]);
			if (call.script().text().contains("run_id")) {
				this.renewed.add(owner);
			}
			if (owner.equals(this.answering)) {
				return CompletableFuture.completedFuture(ones(2 * call.keys().length));
			}
			CompletableFuture<byte[]> reply = new CompletableFuture<>();
			this.unanswered.add(reply);
			return reply;
		}

		private static byte[] ones(int numbers) {
			ByteBuffer reply = ByteBuffer.allocate((1 + numbers) * Long.BYTES);
			long[] all = new long[1 + numbers];
			Arrays.fill(all, 1);
			reply.asLongBuffer().put(all);
			return reply.array();
		}

	}

}
