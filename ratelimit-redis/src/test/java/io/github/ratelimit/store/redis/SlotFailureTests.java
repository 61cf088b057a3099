package io.github.ratelimit.store.redis;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import io.github.ratelimit.Decision;
import io.github.ratelimit.Limit;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.engine.DecidedCall;
import io.github.ratelimit.engine.Engines;
import io.github.ratelimit.engine.RateLimitEngine;
import io.github.ratelimit.engine.UsedUnits;
import io.github.ratelimit.redis.process.RedisCluster;
import io.github.ratelimit.redis.process.RedisProcess;
import io.github.ratelimit.redis.process.RedisSentinel;
import io.github.ratelimit.redis.process.SlotMigration;
import io.github.ratelimit.store.tck.AlgorithmOnStore;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.RuleCounts;
import io.github.ratelimit.store.StoredKey;

import org.springframework.data.redis.connection.RedisConnectionFactory;

import static io.github.ratelimit.BusyMachine.awaitStore;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Number of calls that run at once when processes die or freeze, Redis is emptied or
 * fails over, and hash slots move. The counts are printed, for docs/contributing/soak.md.
 */
class SlotFailureTests {

	private static final int MAX = 3;

	private static final Duration LEASE = Duration.ofSeconds(1);

	private static final Duration PATIENCE = Duration.ofSeconds(30);

	private static final RateLimitRule RULE = RateLimitRule.named("export")
		.limit(Limit.ofConcurrency(MAX).withLease(LEASE))
		.build();

	private final String key = AlgorithmOnStore.freshKey();

	private static void sleep(Duration time) throws InterruptedException {
		Thread.sleep(time.toMillis());
	}

	@Test
	void killedProcessKeepsItsSlotsForOneLease() throws InterruptedException {
		RedisProcess redis = RedisUnderTest.process();
		try (SlotHolder holder = SlotHolder.start(redis, this.key);
				RedisRateLimitStore store = new RedisRateLimitStore(RedisUnderTest.connections(), SlotHolder.PREFIX,
						PATIENCE)) {
			sleep(SlotHolder.LEASE.multipliedBy(2));
			assertThat(begin(store)).as("it lives").isFalse();
			holder.kill();
			long killed = System.nanoTime();
			AtomicLong lastDenied = new AtomicLong(killed);
			await().pollInterval(Duration.ofMillis(10)).until(() -> {
				long before = System.nanoTime();
				boolean free = begin(store);
				if (!free) {
					lastDenied.set(before);
				}
				return free;
			});
			Duration kept = Duration.ofNanos(System.nanoTime() - killed);
			System.out.printf("killed process: its slots were free after %d ms, with a lease of %d ms%n",
					kept.toMillis(), SlotHolder.LEASE.toMillis());
			assertThat(kept).isGreaterThan(SlotHolder.LEASE.dividedBy(2));
			assertThat(Duration.ofNanos(lastDenied.get() - killed)).isLessThan(SlotHolder.LEASE.plusMillis(500));
			assertThat(begin(store) && begin(store)).isTrue();
			assertThat(begin(store)).isFalse();
		}
	}

	@Test
	void frozenProcessLosesTheSlotsThatOthersTook() throws InterruptedException {
		RedisProcess redis = RedisUnderTest.process();
		try (SlotHolder holder = SlotHolder.start(redis, this.key);
				RedisRateLimitStore store = new RedisRateLimitStore(RedisUnderTest.connections(), SlotHolder.PREFIX,
						PATIENCE)) {
			holder.freeze();
			sleep(SlotHolder.LEASE.plusMillis(100));
			assertThat(begin(store) && begin(store)).isTrue();
			holder.resume();
			holder.awaitLine("lost");
			holder.awaitLine("lost");
			assertThat(begin(store)).as("it has taken the last one again").isFalse();
		}
	}

	private boolean begin(RedisRateLimitStore store) {
		return store.acquire(new Demand(SlotHolder.RULE, this.key, 1)).isAdmitted();
	}

	@ParameterizedTest
	@EnumSource
	void emptiedRedisLetsNoMoreThanTwiceAsManyRunForALease(RunnerUnderTest client) throws InterruptedException {
		try (RedisProcess redis = RedisProcess.start(); SlotLoad load = new SlotLoad(RULE, this.key)) {
			load.instance(client.connections(redis), "flush").instance(client.connections(redis), "flush");
			await().until(() -> load.admitted() > 100);
			await().until(() -> load.mostAtOnce() == MAX);
			redis.command("FLUSHALL");
			int after = mostWithinALease(load);
			System.out.printf("emptied Redis, %s: %d of %d ran at once%n", client, after, MAX);
			assertThat(after).isLessThanOrEqualTo(2 * MAX);
			assertThat(mostWithinALease(load)).as("a lease later").isLessThanOrEqualTo(MAX);
			load.end();
			awaitStore().untilAsserted(() -> assertThat(load.remaining()).isEqualTo(MAX));
		}
	}

	/**
	 * Return the most calls that ran at once within a lease in which some began, or since
	 * the last question.
	 */
	private static int mostWithinALease(SlotLoad load) throws InterruptedException {
		int before = load.admitted();
		sleep(LEASE);
		await().until(() -> load.admitted() > before + 20);
		return load.mostAtOnce();
	}

	@ParameterizedTest
	@EnumSource
	void runningCallHasItsSlotAgainWhenRedisWasEmptied(RunnerUnderTest client) {
		try (RedisProcess redis = RedisProcess.start()) {
			runningCallHasItsSlotAgain(client.connections(redis), () -> redis.command("FLUSHALL"));
		}
	}

	@ParameterizedTest
	@EnumSource
	void runningCallHasItsSlotAgainAfterAFailover(RunnerUnderTest client) {
		try (RedisSentinel redis = RedisSentinel.start()) {
			runningCallHasItsSlotAgain(client.connections(redis), () -> {
				RedisProcess before = redis.master();
				redis.killMaster();
				redis.awaitFailover(before);
			});
		}
	}

	/**
	 * Another instance finds a slot free after a lease that is not renewed.
	 */
	private void runningCallHasItsSlotAgain(RedisConnectionFactory connections, Runnable fault) {
		try (RedisRateLimitStore store = new RedisRateLimitStore(connections, "running", Duration.ofSeconds(5));
				RateLimitEngine engine = Engines.over(store);
				RedisRateLimitStore other = new RedisRateLimitStore(connections, "running", Duration.ofSeconds(5))) {
			engine.start();
			DecidedCall running = engine.acquire(new Demand(RULE, this.key, 1));
			assertThat(running.decision().origin()).isEqualTo(Decision.Origin.REDIS);
			fault.run();
			awaitStore().during(LEASE.multipliedBy(2)).until(() -> remaining(other) == MAX - 1);
			running.end(UsedUnits.ALL);
			awaitStore().until(() -> remaining(other) == MAX);
		}
		finally {
			RunnerUnderTest.destroy(connections);
		}
	}

	private long remaining(RedisRateLimitStore store) {
		return store.peek(new Demand(RULE, this.key, 1)).outcome(0).remaining();
	}

	@Test
	void restartedRedisIsLikeAnEmptyOne() throws InterruptedException {
		try (RedisProcess redis = RedisProcess.start(); SlotLoad load = new SlotLoad(RULE, this.key)) {
			load.instance(RunnerUnderTest.LETTUCE.connections(redis), "restart")
				.instance(RunnerUnderTest.LETTUCE.connections(redis), "restart");
			await().until(() -> load.admitted() > 100);
			redis.kill();
			await().until(() -> load.unanswered() > 10);
			redis.restart();
			int before = load.admitted();
			await().until(() -> load.admitted() > before + 100);
			System.out.printf("restarted Redis: %d of %d ran at once%n", load.mostAtOnce(), MAX);
			mostWithinALease(load);
			assertThat(mostWithinALease(load)).isLessThanOrEqualTo(MAX);
			load.end();
			awaitStore().untilAsserted(() -> assertThat(load.remaining()).isEqualTo(MAX));
		}
	}

	@Test
	void callsOfTheFallbackTakeTheirSlotsWhenRedisIsBack() {
		try (RedisProcess redis = RedisProcess.start()) {
			RedisConnectionFactory connections = RunnerUnderTest.LETTUCE.connections(redis);
			try (RedisRateLimitStore store = new RedisRateLimitStore(connections, "fallback", Duration.ofSeconds(5));
					RateLimitEngine engine = Engines.over(store)) {
				engine.start();
				DecidedCall before = engine.acquire(new Demand(RULE, this.key, 1));
				redis.kill();
				DecidedCall meanwhile = engine.acquire(new Demand(RULE, this.key, 1));
				assertThat(meanwhile.decision().origin()).isEqualTo(Decision.Origin.FALLBACK);
				assertThat(meanwhile.needsEnd()).isTrue();
				redis.restart();
				awaitRemaining(engine, 1);
				meanwhile.end(UsedUnits.ALL);
				awaitRemaining(engine, 2);
				before.end(UsedUnits.ALL);
				awaitRemaining(engine, 3);
			}
			finally {
				RunnerUnderTest.destroy(connections);
			}
		}
	}

	private void awaitRemaining(RateLimitEngine engine, long remaining) {
		await().untilAsserted(() -> {
			Decision peeked = engine.keys().peek(new Demand(RULE, this.key, 1));
			assertThat(peeked.origin()).isEqualTo(Decision.Origin.REDIS);
			assertThat(peeked.remaining()).isEqualTo(remaining);
		});
	}

	@Test
	void hungRedisLeaksNoSlot() throws InterruptedException {
		try (RedisProcess redis = RedisProcess.start(); SlotLoad load = new SlotLoad(RULE, this.key)) {
			load.instance(RunnerUnderTest.LETTUCE.connections(redis), "hung")
				.instance(RunnerUnderTest.LETTUCE.connections(redis), "hung");
			await().until(() -> load.admitted() > 100);
			redis.freeze();
			await().until(() -> load.unanswered() > 10);
			sleep(LEASE);
			redis.resume();
			int before = load.admitted();
			await().until(() -> load.admitted() > before + 100);
			int most = load.mostAtOnce();
			System.out.printf("hung Redis: %d of %d ran at once%n", most, MAX);
			assertThat(most).isLessThanOrEqualTo(MAX);
			load.end();
			awaitStore().untilAsserted(() -> assertThat(load.remaining()).isEqualTo(MAX));
		}
	}

	@ParameterizedTest
	@EnumSource
	void failoverForgetsOnlyWhatWasNotReplicated(RunnerUnderTest client) throws InterruptedException {
		try (RedisSentinel redis = RedisSentinel.start(); SlotLoad load = new SlotLoad(RULE, this.key)) {
			load.instance(client.connections(redis), "failover").instance(client.connections(redis), "failover");
			await().until(() -> load.admitted() > 100);
			RedisProcess before = redis.master();
			redis.killMaster();
			redis.awaitFailover(before);
			int admitted = load.admitted();
			await().until(() -> load.admitted() > admitted + 100);
			int most = load.mostAtOnce();
			System.out.printf("failover, %s: %d of %d ran at once%n", client, most, MAX);
			assertThat(most).isLessThanOrEqualTo(2 * MAX);
			mostWithinALease(load);
			assertThat(mostWithinALease(load)).isLessThanOrEqualTo(MAX);
			load.end();
			awaitStore().untilAsserted(() -> assertThat(load.remaining()).isEqualTo(MAX));
		}
	}

	@Test
	void slotOfAClusterThatMovesLosesNoSlotOfACall() {
		RedisCluster cluster = ClusterUnderTest.cluster();
		onCluster(cluster, (load) -> {
			String name = new String(RedisUnderTest.keys(ClusterUnderTest.PREFIX)
				.counters(RuleCounts.of(RULE))
				.of(StoredKey.of(this.key))[0]);
			int slot = cluster.slotOf(name);
			RedisProcess source = cluster.masterOf(slot);
			SlotMigration migration = cluster.beginMigration(slot,
					cluster.masters().stream().filter((master) -> master != source).findFirst().orElseThrow());
			int unanswered = load.unanswered();
			migration.move(name);
			await().until(() -> load.unanswered() > unanswered + 5);
			migration.moveKeys();
			migration.end();
			int admitted = load.admitted();
			await().until(() -> load.admitted() > admitted + 50);
			int most = load.mostAtOnce();
			System.out.printf("moved slot of a cluster: %d of %d ran at once, %d calls unanswered%n", most, MAX,
					load.unanswered());
			assertThat(most).isLessThanOrEqualTo(MAX);
		});
	}

	private void onCluster(RedisCluster cluster, Consumer<SlotLoad> test) {
		try (SlotLoad load = new SlotLoad(RULE, this.key)) {
			load.instance(RunnerUnderTest.LETTUCE.connections(cluster), ClusterUnderTest.PREFIX)
				.instance(RunnerUnderTest.JEDIS.connections(cluster), ClusterUnderTest.PREFIX);
			await().until(() -> load.admitted() > 100);
			test.accept(load);
			load.end();
			awaitStore().untilAsserted(() -> assertThat(load.remaining()).isEqualTo(MAX));
		}
	}

}
