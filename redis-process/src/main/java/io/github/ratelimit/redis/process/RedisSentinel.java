package io.github.ratelimit.redis.process;

import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

/**
 * Master with replicas and three sentinels that watch them. When the master does not
 * answer for half a second, two sentinels agree on that and promote a replica. All are
 * {@linkplain RedisProcess processes} of their own, which may be frozen or killed.
 *
 * <pre class="code">
 * try (RedisSentinel sentinel = RedisSentinel.start()) {
 *     RedisProcess killed = sentinel.killMaster();
 *     sentinel.awaitFailover(killed);
 *     sentinel.master().command("GET", "key");
 * }
 * </pre>
 */
public final class RedisSentinel implements AutoCloseable {

	private static final int SENTINELS = 3;

	private static final String MASTER_NAME = "primary";

	private final ProcessGroup group;

	private final List<RedisProcess> servers;

	private final List<RedisProcess> sentinels;

	private RedisSentinel(ProcessGroup group, RedisOptions options, int replicas) {
		this.group = group;
		RedisOptions common = options
			.withArgumentsBefore(List.of("--repl-diskless-sync", "yes", "--repl-diskless-sync-delay", "0"));
		RedisProcess master = group.add(1, () -> RedisProcess.start(common)).get(0);
		RedisOptions ofReplica = common.withArguments("--replicaof", master.host(), Integer.toString(master.port()));
		List<RedisProcess> started = group.add(replicas, () -> RedisProcess.start(ofReplica));
		this.servers = Stream.concat(Stream.of(master), started.stream()).toList();
		// sentinels check again only after ten seconds, so replication must work at the
		// first check
		Condition replicated = () -> started.stream()
			.filter((replica) -> !replicates(replica, master))
			.map((replica) -> replica + " is not up to date")
			.findFirst();
		replicated.await("Replication begins");
		RedisOptions ofSentinel = options.asSentinel(configuration(master, options.credentials()));
		this.sentinels = group.add(SENTINELS, () -> RedisProcess.start(ofSentinel));
	}

	private static String configuration(RedisProcess master, @Nullable Credentials credentials) {
		StringBuilder lines = new StringBuilder();
		lines.append("sentinel monitor %s %s %d 2%n".formatted(MASTER_NAME, master.host(), master.port()));
		lines.append("sentinel down-after-milliseconds %s 500%n".formatted(MASTER_NAME));
		lines.append("sentinel failover-timeout %s 3000%n".formatted(MASTER_NAME));
		if (credentials != null) {
			if (credentials.user() != null) {
				lines.append("sentinel auth-user %s %s%n".formatted(MASTER_NAME, credentials.user()));
			}
			lines.append("sentinel auth-pass %s %s%n".formatted(MASTER_NAME, credentials.password()));
		}
		return lines.toString();
	}

	/**
	 * Start a master with one replica, and the sentinels, and wait until all know each
	 * other.
	 * @return a healthy group of servers
	 * @throws IllegalStateException if there is no redis-server to run, or they do not
	 * become healthy within 30 seconds
	 */
	public static RedisSentinel start() {
		return start(RedisOptions.none(), 1);
	}

	/**
	 * Start a master with replicas and options, and the sentinels, and wait until all
	 * know each other.
	 * @param options of the master and its replicas; sentinels need no password, and run
	 * the same program
	 * @param replicas how many replicas
	 * @return a healthy group of servers
	 * @throws IllegalStateException as {@link #start()}
	 */
	public static RedisSentinel start(RedisOptions options, int replicas) {
		return ProcessGroup.start((group) -> {
			RedisSentinel sentinel = new RedisSentinel(group, options, replicas);
			sentinel.awaitHealthy();
			return sentinel;
		});
	}

	/**
	 * Return the name by which the sentinels know the master.
	 * @return the value of {@code spring.data.redis.sentinel.master}
	 */
	public String masterName() {
		return MASTER_NAME;
	}

	/**
	 * Return the sentinels, also those that do not run.
	 * @return three sentinels
	 */
	public List<RedisProcess> sentinels() {
		return this.sentinels;
	}

	/**
	 * Return the master and its replicas, also those that do not run; first the one that
	 * was the master in the beginning.
	 * @return at least one server
	 */
	public List<RedisProcess> servers() {
		return this.servers;
	}

	/**
	 * Return the master that the sentinels report. It may not be running until
	 * {@link #awaitFailover(RedisProcess)} returns.
	 * @return one of the servers
	 */
	public RedisProcess master() {
		return masterAccordingTo(runningSentinel());
	}

	private RedisProcess runningSentinel() {
		return running(this.sentinels).findFirst().orElseThrow(() -> new IllegalStateException("No sentinel runs"));
	}

	private RedisProcess masterAccordingTo(RedisProcess sentinel) {
		String port = strings(sentinel.command("SENTINEL", "GET-MASTER-ADDR-BY-NAME", MASTER_NAME)).get(1);
		return this.servers.stream()
			.filter((server) -> Integer.toString(server.port()).equals(port))
			.findFirst()
			.orElseThrow();
	}

	/**
	 * Kill the master. The sentinels promote a replica a little later:
	 * {@link #awaitFailover(RedisProcess)}.
	 * @return the killed master
	 */
	public RedisProcess killMaster() {
		RedisProcess master = master();
		master.kill();
		return master;
	}

	/**
	 * Let the sentinels promote a replica, and wait until it is the master. The former
	 * master becomes a replica about ten seconds later: {@link #awaitHealthy()}.
	 */
	public void failover() {
		RedisProcess before = master();
		RedisProcess sentinel = runningSentinel();
		Condition begun = () -> {
			sentinel.command("SENTINEL", "FAILOVER", MASTER_NAME);
			return Optional.empty();
		};
		begun.await("A failover begins");
		awaitFailover(before);
	}

	/**
	 * Wait until the running sentinels agree on another master, and it has the role.
	 * @param before the master that was killed or frozen
	 * @throws IllegalStateException if that does not happen within 30 seconds
	 */
	public void awaitFailover(RedisProcess before) {
		Condition done = () -> {
			RedisProcess master = master();
			return (master != before) ? disagreementOn(master) : Optional.of(before + " is still the master");
		};
		done.await("Another server becomes the master");
	}

	/**
	 * Wait until the running sentinels know each other and agree on a running master, and
	 * the other running servers are its replicas and up to date. After the master was
	 * killed or frozen, this takes a failover.
	 * @throws IllegalStateException if that does not happen within 30 seconds
	 */
	public void awaitHealthy() {
		Condition healthy = () -> {
			RedisProcess master = master();
			return disagreementOn(master).or(() -> delayBehind(master))
				.or(() -> running(this.sentinels).map(this::ignoranceOf).flatMap(Optional::stream).findFirst());
		};
		healthy.await("Master, replicas and sentinels become healthy");
	}

	private Optional<String> disagreementOn(RedisProcess master) {
		if (!running(this.sentinels).allMatch((sentinel) -> masterAccordingTo(sentinel) == master)) {
			return Optional.of("the sentinels do not agree on the master");
		}
		if (!master.isRunning()) {
			return Optional.of(master + " is the master and does not run");
		}
		if (!replication(master).contains("role:master")) {
			return Optional.of(master + " is not yet a master");
		}
		return Optional.empty();
	}

	private Optional<String> delayBehind(RedisProcess master) {
		return running(this.servers).filter((server) -> server != master && !replicates(server, master))
			.map((server) -> server + " is not up to date")
			.findFirst();
	}

	private Optional<String> ignoranceOf(RedisProcess sentinel) {
		int others = list(sentinel.command("SENTINEL", "SENTINELS", MASTER_NAME)).size();
		if (others != SENTINELS - 1) {
			return Optional.of("the sentinel on %d knows %d others".formatted(sentinel.port(), others));
		}
		List<String> master = flags(sentinel.command("SENTINEL", "MASTER", MASTER_NAME));
		if (!master.equals(List.of("master"))) {
			return Optional.of("the sentinel on %d reports the master as: %s".formatted(sentinel.port(), master));
		}
		long replicas = list(sentinel.command("SENTINEL", "REPLICAS", MASTER_NAME)).stream()
			.filter((replica) -> flags(replica).equals(List.of("slave")))
			.count();
		if (replicas < running(this.servers).count() - 1) {
			return Optional.of("the sentinel on %d knows %d replicas".formatted(sentinel.port(), replicas));
		}
		return Optional.empty();
	}

	private static boolean replicates(RedisProcess replica, RedisProcess master) {
		String replication = replication(replica);
		return replication.contains("master_port:%d\r\n".formatted(master.port()))
				&& replication.contains("master_link_status:up");
	}

	private static String replication(RedisProcess server) {
		return String.valueOf(server.command("INFO", "replication"));
	}

	private static List<String> flags(@Nullable Object namesAndValues) {
		List<String> strings = strings(namesAndValues);
		return List.of(strings.get(strings.indexOf("flags") + 1).split(","));
	}

	private static List<String> strings(@Nullable Object reply) {
		return list(reply).stream().map(String::valueOf).toList();
	}

	private static List<?> list(@Nullable Object reply) {
		return (List<?>) Objects.requireNonNull(reply);
	}

	private static Stream<RedisProcess> running(List<RedisProcess> processes) {
		return processes.stream().filter(RedisProcess::isRunning);
	}

	/**
	 * End all servers and sentinels and remove their files. Closing again does nothing.
	 */
	@Override
	public void close() {
		this.group.close();
	}

}
