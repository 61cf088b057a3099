package io.github.ratelimit.store.redis;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

import io.github.ratelimit.store.tck.AlgorithmOnStore;

/**
 * Instances that prefetch from the shared Redis, in simulated time. Scripts and replies
 * take random times on their way, in order, and an instance can die at any moment. Redis
 * runs no two scripts in the same microsecond, so the times of scripts are their order.
 */
final class PrefetchSimulation {

	private static final Duration PATIENCE = Duration.ofSeconds(60);

	private final ScriptRunner redis = new RedisStoreUnderTest.LongLived();

	private final PriorityQueue<Event> events = new PriorityQueue<>();

	private final Set<Long> runs = new HashSet<>();

	private final Random random;

	private final List<Instance> instances = new ArrayList<>();

	private long sequence;

	private long now = AlgorithmOnStore.NOW;

	PrefetchSimulation(Random random, int instances) {
		this.random = random;
		for (int i = 0; i < instances; i++) {
			this.instances.add(new Instance());
		}
	}

	long now() {
		return this.now;
	}

	List<Instance> instances() {
		return this.instances;
	}

	Instance anyInstance() {
		return this.instances.get(this.random.nextInt(this.instances.size()));
	}

	/**
	 * Let an instance vanish with all that it holds, and start another one instead.
	 */
	void kill(Instance instance) {
		instance.isDead = true;
		this.instances.set(this.instances.indexOf(instance), new Instance());
	}

	/**
	 * Let time pass.
	 */
	void advance(long micros) {
		long until = this.now + micros;
		while (!this.events.isEmpty() && this.events.peek().time <= until) {
			Event next = this.events.poll();
			this.now = Math.max(this.now, next.time);
			next.action.run();
		}
		this.now = until;
	}

	private void at(long time, Instance instance, Runnable action) {
		this.events.add(new Event(time, this.sequence++, () -> {
			if (!instance.isDead) {
				action.run();
			}
		}));
	}

	private long latency() {
		return (this.random.nextInt(50) == 0) ? this.random.nextInt(20_000) : 50 + this.random.nextInt(400);
	}

	private long firstFree(long time) {
		long free = time;
		while (!this.runs.add(free)) {
			free++;
		}
		return free;
	}

	private record Event(long time, long sequence, Runnable action) implements Comparable<Event> {

		@Override
		public int compareTo(Event other) {
			return (this.time != other.time) ? Long.compare(this.time, other.time)
					: Long.compare(this.sequence, other.sequence);
		}

	}

	/**
	 * Instance, with a connection of its own.
	 */
	final class Instance implements ScriptRunner {

		private final long clockDifference = PrefetchSimulation.this.random.nextInt();

		private final RedisRateLimitStore store = new RedisRateLimitStore(new RedisSetup(this, "test", PATIENCE,
				RedisSharding.NONE, () -> PrefetchSimulation.this.now,
				CallerClock.of(() -> PrefetchSimulation.this.now),
				() -> PrefetchSimulation.this.now * 1000 + this.clockDifference,
				(task, nanoseconds) -> at(PrefetchSimulation.this.now + (nanoseconds + 999) / 1000, this, task)));

		private long lastRun;

		private long lastReply;

		private boolean isDead;

		/**
		 * Return when Redis runs the latest script of this instance.
		 */
		long lastRun() {
			return this.lastRun;
		}

		RedisRateLimitStore store() {
			return this.store;
		}

		@Override
		public CompletableFuture<byte[]> run(ScriptCall call) {
			CompletableFuture<byte[]> reply = new CompletableFuture<>();
			this.lastRun = firstFree(Math.max(this.lastRun, PrefetchSimulation.this.now + latency()));
			at(this.lastRun, this, () -> {
				byte[][] then = call.arguments().clone();
				if (then.length > 0) {
					then[then.length - 1] = Arguments.number(PrefetchSimulation.this.now);
				}
				byte[] value = PrefetchSimulation.this.redis.run(call.script(), call.keys(), then).join();
				this.lastReply = Math.max(this.lastReply, PrefetchSimulation.this.now + latency());
				at(this.lastReply, this, () -> {
					if (!reply.complete(value)) {
						call.late().accept(value);
					}
				});
			});
			return reply;
		}

	}

}
