package io.github.ratelimit.soak;

import java.util.List;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;

import io.github.ratelimit.redis.process.RedisCluster;
import io.github.ratelimit.redis.process.RedisProcess;
import io.github.ratelimit.redis.process.SlotMigration;

/**
 * Cluster of three masters with a replica each.
 */
final class ClusterServers implements Servers {

	private final RedisCluster cluster = RedisCluster.start();

	private final Supplier<String> counters;

	/**
	 * Start a cluster.
	 * @param counters returns the key of a counter that is used at the moment
	 */
	ClusterServers(Supplier<String> counters) {
		this.counters = counters;
	}

	@Override
	public List<String> properties() {
		return List.of("spring.data.redis.cluster.nodes=" + this.cluster.nodes()
			.stream()
			.map((node) -> node.host() + ':' + node.port())
			.collect(Collectors.joining(",")));
	}

	@Override
	public List<Fault> faults() {
		return List.of(new Fault("a node hangs for a moment", true, (random) -> hang(random, random.nextInt(20, 700))),
				new Fault("a node hangs until its replica takes over", true, (random) -> hang(random, 3_000)),
				new Fault("a node hangs, and another loses its connections", true, this::hangAndBreak),
				new Fault("all nodes lose their data", true, (random) -> all("FLUSHALL")),
				new Fault("all nodes lose their scripts", false, (random) -> all("SCRIPT", "FLUSH")),
				new Fault("a node loses its connections", false, (random) -> breakConnections(anyMaster(random))),
				new Fault("a replica takes over by command", false, this::failover),
				new Fault("a hash slot moves", false, this::move));
	}

	private RedisProcess anyMaster(RandomGenerator random) {
		List<RedisProcess> masters = this.cluster.masters();
		return masters.get(random.nextInt(masters.size()));
	}

	private void hang(RandomGenerator random, int millis) throws InterruptedException {
		RedisProcess node = anyMaster(random);
		node.freeze();
		Thread.sleep(millis);
		node.resume();
		this.cluster.awaitHealthy();
	}

	private void hangAndBreak(RandomGenerator random) throws InterruptedException {
		List<RedisProcess> masters = this.cluster.masters();
		RedisProcess node = masters.get(0);
		node.freeze();
		Thread.sleep(random.nextInt(300));
		breakConnections(masters.get(1));
		Thread.sleep(random.nextInt(300));
		node.resume();
		this.cluster.awaitHealthy();
	}

	private static void breakConnections(RedisProcess node) {
		node.command("CLIENT", "KILL", "TYPE", "normal");
	}

	private void failover(RandomGenerator random) {
		RedisProcess master = anyMaster(random);
		this.cluster.failover(this.cluster.replicaOf(counterOn(master)));
	}

	private String counterOn(RedisProcess master) {
		for (int i = 0;; i++) {
			String counter = "{" + i + '}';
			if (this.cluster.masterOf(counter) == master) {
				return counter;
			}
		}
	}

	private void move(RandomGenerator random) throws InterruptedException {
		int slot = this.cluster.slotOf(this.counters.get());
		RedisProcess source = this.cluster.masterOf(slot);
		RedisProcess target = this.cluster.masters().stream().filter((node) -> node != source).findAny().orElseThrow();
		SlotMigration migration = this.cluster.beginMigration(slot, target);
		Thread.sleep(random.nextInt(50));
		migration.moveKeys();
		Thread.sleep(random.nextInt(50));
		migration.moveKeys();
		migration.end();
	}

	private void all(String... command) {
		this.cluster.masters().forEach((node) -> node.command(command));
	}

	@Override
	public String toString() {
		return "cluster of " + this.cluster.nodes().size() + " x " + this.cluster.nodes().get(0);
	}

	@Override
	public void close() {
		this.cluster.close();
	}

}
