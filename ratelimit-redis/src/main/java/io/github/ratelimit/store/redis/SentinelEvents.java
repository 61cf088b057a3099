package io.github.ratelimit.store.redis;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.Supplier;

import org.springframework.data.redis.connection.Message;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisNode;
import org.springframework.data.redis.connection.RedisSentinelConfiguration;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;

/**
 * Events that sentinels publish about a failover of the master. Each sentinel has a
 * connection and a thread of its own, since any of them may be gone.
 */
final class SentinelEvents implements AutoCloseable {

	private static final Logger logger = System.getLogger(SentinelEvents.class.getName());

	/**
	 * Event of the sentinel that leads a failover, a tenth of a second before it promotes
	 * the replica: {@code slave <name> <ip> <port> @ <master> <ip> <port>}.
	 */
	static final String PROMOTING = "+failover-state-send-slaveof-noone";

	/**
	 * Event of the same sentinel if the replica is not promoted:
	 * {@code master <master> <ip> <port>}.
	 */
	static final String ABORTED = "-failover-abort-slave-timeout";

	/**
	 * Event of each sentinel that knows the new master:
	 * {@code <master> <old ip> <old port> <ip> <port>}.
	 */
	static final String SWITCHED = "+switch-master";

	private final String master;

	private final List<RedisNode> sentinels;

	private final Function<RedisNode, Connections> connections;

	private final Function<RedisNode, PromotedReplica> replicas;

	/** What ends the connections to each sentinel. */
	private final List<Runnable> open = new ArrayList<>();

	private boolean closed;

	SentinelEvents(RedisSentinelConfiguration configuration,
			Function<RedisStandaloneConfiguration, Connections> connections,
			Function<RedisStandaloneConfiguration, PromotedReplica> replicas) {
		this.master = String.valueOf(configuration.getMaster().getName());
		this.sentinels = configuration.getSentinels()
			.stream()
			.sorted(Comparator.comparing(RedisNode::asString))
			.toList();
		this.connections = (sentinel) -> {
			RedisStandaloneConfiguration address = address(sentinel);
			address.setUsername(configuration.getSentinelUsername());
			address.setPassword(configuration.getSentinelPassword());
			return connections.apply(address);
		};
		this.replicas = (replica) -> {
			RedisStandaloneConfiguration address = address(replica);
			address.setUsername(configuration.getUsername());
			address.setPassword(configuration.getPassword());
			address.setDatabase(configuration.getDatabase());
			return replicas.apply(address);
		};
	}

	private static RedisStandaloneConfiguration address(RedisNode node) {
		return new RedisStandaloneConfiguration(Objects.requireNonNull(node.getHost()),
				Objects.requireNonNull(node.getPort()));
	}

	int sentinels() {
		return this.sentinels.size();
	}

	/** Start to listen, unless that has begun. Connecting goes on in the background. */
	synchronized void listen(FailoverScriptRunner listener) {
		if (this.closed || !this.open.isEmpty()) {
			return;
		}
		for (RedisNode sentinel : this.sentinels) {
			Connections opened = this.connections.apply(sentinel);
			RedisAnnouncements announced = new RedisAnnouncements(opened.opener(),
					"The sentinel at " + sentinel.asString() + " does not notify this instance of failovers, so calls "
							+ "may be counted by a demoted master for a while, and these counts are lost",
					(message, pattern) -> heard(sentinel, message, listener), channel(PROMOTING), channel(ABORTED),
					channel(SWITCHED));
			this.open.add(() -> {
				announced.close();
				opened.close().run();
			});
			announced.listen();
		}
	}

	private static byte[] channel(String event) {
		return event.getBytes(StandardCharsets.US_ASCII);
	}

	private void heard(RedisNode sentinel, Message message, FailoverScriptRunner listener) {
		String event = new String(message.getChannel(), StandardCharsets.US_ASCII);
		String text = new String(message.getBody(), StandardCharsets.UTF_8);
		logger.log(Level.DEBUG, "Sentinel {0}: {1} {2}", sentinel, event, text);
		if (event.equals(PROMOTING) && text.contains(" @ " + this.master + ' ')) {
			String[] words = text.split(" ");
			listener.promoting(() -> this.replicas.apply(new RedisNode(words[2], Integer.parseInt(words[3]))));
		}
		else if (event.equals(ABORTED) && text.startsWith("master " + this.master + ' ')) {
			listener.aborted();
		}
		else if (event.equals(SWITCHED) && text.startsWith(this.master + ' ')) {
			listener.switched(sentinel, text);
		}
	}

	synchronized void reopen() {
		this.closed = false;
	}

	/** Stop listening, and wait for that, until {@link #reopen()}. */
	@Override
	public synchronized void close() {
		this.closed = true;
		this.open.forEach(Runnable::run);
		this.open.clear();
	}

	/** Connections to a sentinel. */
	record Connections(Supplier<RedisConnection> opener, Runnable close) {

	}

}
