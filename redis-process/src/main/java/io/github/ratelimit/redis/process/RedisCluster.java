package io.github.ratelimit.redis.process;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Redis Cluster of three masters, each with a third of the slots and one replica. All
 * nodes are {@linkplain RedisProcess processes} of their own, which may be frozen or
 * killed; the others notice that after a second and elect a replica. Unless stated
 * otherwise, a method returns when every running node knows of the change.
 *
 * <pre class="code">
 * try (RedisCluster cluster = RedisCluster.start()) {
 *     cluster.killMasterOf("key");
 *     cluster.awaitHealthy();
 *     cluster.masterOf("key").command("GET", "key");
 * }
 * </pre>
 */
public final class RedisCluster implements AutoCloseable {

	private static final int MASTERS = 3;

	private static final int SLOTS = 16_384;

	private static final List<String> ARGUMENTS = List.of("--cluster-enabled", "yes", "--cluster-announce-ip",
			"127.0.0.1", "--cluster-node-timeout", "1000", "--cluster-replica-validity-factor", "0",
			"--repl-diskless-sync", "yes", "--repl-diskless-sync-delay", "0");

	/**
	 * Time until a failover command is repeated. A failover may lack votes, since no node
	 * votes twice within two seconds for the same master, and a node abandons it after
	 * five seconds.
	 */
	private static final Duration FAILOVER_TIMEOUT = Duration.ofSeconds(6);

	private static final int FAILOVER_ATTEMPTS = 5;

	/**
	 * Time for which the votes of an election count. If a node loses the role that it won
	 * and its new master fails within this time, the old votes make it a master that no
	 * other node accepts.
	 */
	private static final Duration VOTES_COUNT = Duration.ofSeconds(2);

	private final RedisOptions options;

	private final ProcessGroup group;

	private final List<RedisProcess> nodes;

	private final ClusterHealth health;

	private List<RedisProcess> elected;

	private long electedAt;

	private RedisCluster(RedisOptions options, ProcessGroup group) {
		this.options = options;
		this.group = group;
		RedisOptions nodeOptions = options.withArgumentsBefore(ARGUMENTS);
		this.nodes = group.add(2 * MASTERS, () -> RedisProcess.start(FreePort::findForClusterNode, nodeOptions));
		this.health = new ClusterHealth(this.nodes);
		this.elected = this.nodes.subList(0, MASTERS);
		this.electedAt = System.nanoTime() - VOTES_COUNT.toNanos();
	}

	/**
	 * Start a cluster and wait until it is healthy.
	 * @return a cluster that answers
	 * @throws IllegalStateException if there is no redis-server to run, or the cluster
	 * does not become healthy within 30 seconds
	 */
	public static RedisCluster start() {
		return start(RedisOptions.none());
	}

	/**
	 * Start a cluster with options and wait until it is healthy.
	 * @param options the options of every node
	 * @return a cluster that answers
	 * @throws IllegalStateException as {@link #start()}
	 */
	public static RedisCluster start(RedisOptions options) {
		return ProcessGroup.start((group) -> {
			RedisCluster cluster = new RedisCluster(options, group);
			cluster.form();
			cluster.awaitHealthy();
			return cluster;
		});
	}

	/**
	 * Let the nodes form a cluster, as {@code redis-cli --cluster create} would. That
	 * program may be missing: embedded-redis comes without it.
	 */
	private void form() {
		for (int i = 0; i < this.nodes.size(); i++) {
			RedisProcess node = this.nodes.get(i);
			node.command("CLUSTER", "SET-CONFIG-EPOCH", Integer.toString(i + 1));
			if (i < MASTERS) {
				node.command(addSlots(i * SLOTS / MASTERS, (i + 1) * SLOTS / MASTERS));
			}
			// every node meets every other, which is faster than gossip
			for (RedisProcess other : this.nodes.subList(0, i)) {
				node.command("CLUSTER", "MEET", other.host(), Integer.toString(other.port()));
			}
		}
		for (int i = 0; i < MASTERS; i++) {
			RedisProcess replica = this.nodes.get(MASTERS + i);
			RedisProcess master = this.nodes.get(i);
			String id = id(master);
			Condition replicates = () -> {
				replica.command("CLUSTER", "REPLICATE", id);
				return Optional.empty();
			};
			replicates.await(replica + " becomes a replica of " + master);
		}
	}

	private static String[] addSlots(int from, int to) {
		return Stream.concat(Stream.of("CLUSTER", "ADDSLOTS"), IntStream.range(from, to).mapToObj(Integer::toString))
			.toArray(String[]::new);
	}

	/**
	 * Return all nodes, including stopped ones: first the initial masters, then their
	 * replicas in the same order.
	 * @return six nodes
	 */
	public List<RedisProcess> nodes() {
		return this.nodes;
	}

	/**
	 * Return the masters that have slots.
	 * @return in the order of {@link #nodes()}
	 */
	public List<RedisProcess> masters() {
		Set<Integer> ports = view().masters();
		return this.nodes.stream().filter((node) -> ports.contains(node.port())).toList();
	}

	/**
	 * Return the master of a key.
	 * @param key a key; it need not exist
	 * @return the master of its slot
	 */
	public RedisProcess masterOf(String key) {
		return masterOf(slotOf(key));
	}

	/**
	 * Return the master of a slot. It may not be running until {@link #awaitHealthy()}
	 * returns.
	 * @param slot from 0 to 16383
	 * @return the node that has the slot
	 */
	public RedisProcess masterOf(int slot) {
		ClusterView.Node owner = view().owner(slot);
		if (owner == null) {
			throw new IllegalStateException("Slot %d has no master".formatted(slot));
		}
		return nodeOn(owner.port());
	}

	/**
	 * Return a replica of the master of a key.
	 * @param key a key; it need not exist
	 * @return a running replica
	 * @throws IllegalStateException if none runs
	 */
	public RedisProcess replicaOf(String key) {
		String master = id(masterOf(key));
		return view().nodes()
			.stream()
			.filter((node) -> node.master().equals(master))
			.map((node) -> nodeOn(node.port()))
			.filter(RedisProcess::isRunning)
			.findFirst()
			.orElseThrow(() -> new IllegalStateException("No replica of the master of %s runs".formatted(key)));
	}

	/**
	 * Return the slot of a key.
	 * @param key a key; it need not exist
	 * @return from 0 to 16383
	 */
	public int slotOf(String key) {
		Long slot = (Long) Objects.requireNonNull(this.health.anyRunning().command("CLUSTER", "KEYSLOT", key));
		return slot.intValue();
	}

	private ClusterView view() {
		return ClusterView.of(this.health.anyRunning());
	}

	private RedisProcess nodeOn(int port) {
		return this.nodes.stream().filter((node) -> node.port() == port).findFirst().orElseThrow();
	}

	static String id(RedisProcess node) {
		return String.valueOf(node.command("CLUSTER", "MYID"));
	}

	/**
	 * Kill the master of a key. Its replica is promoted a little later:
	 * {@link #awaitHealthy()}.
	 * @param key a key; it need not exist
	 * @return the killed node
	 */
	public RedisProcess killMasterOf(String key) {
		RedisProcess master = masterOf(key);
		master.kill();
		return master;
	}

	/**
	 * Swap the roles of a replica and its running master, without loss of data.
	 * @param replica a running replica
	 */
	public void failover(RedisProcess replica) {
		Condition becomesMaster = () -> ClusterView.of(replica).myself().flags().contains("master") ? Optional.empty()
				: Optional.of("it is a replica");
		awaitEndOfVotes();
		for (int attempt = 0; attempt < FAILOVER_ATTEMPTS; attempt++) {
			replica.command("CLUSTER", "FAILOVER");
			if (becomesMaster.missingAfter(FAILOVER_TIMEOUT).isEmpty()) {
				break;
			}
		}
		awaitHealthy();
	}

	private void awaitEndOfVotes() {
		Condition ended = () -> (System.nanoTime() - this.electedAt > VOTES_COUNT.toNanos()) ? Optional.empty()
				: Optional.of("they count");
		ended.await("The votes of the last election end");
	}

	/**
	 * Begin to move a slot to another master, to test how clients react.
	 * @param slot from 0 to 16383
	 * @param target a running master
	 * @return the migration, which moves the keys and ends
	 */
	public SlotMigration beginMigration(int slot, RedisProcess target) {
		return SlotMigration.begin(this, slot, target, this.options.credentials());
	}

	/**
	 * Wait until all slots are served: every running node agrees on the owner of each
	 * slot, these masters run, and the other running nodes are their replicas and up to
	 * date. After a master was killed or frozen, this takes a failover.
	 * @throws IllegalStateException if that does not happen within 30 seconds
	 */
	public void awaitHealthy() {
		this.health.await();
		List<RedisProcess> masters = masters();
		if (!masters.equals(this.elected)) {
			this.elected = masters;
			this.electedAt = System.nanoTime();
		}
	}

	/**
	 * Stop all nodes and remove their files. Closing again does nothing.
	 */
	@Override
	public void close() {
		this.group.close();
	}

}
