package io.github.ratelimit.store.redis;

import java.lang.reflect.Field;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

import io.lettuce.core.AbstractRedisClient;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;

import org.jspecify.annotations.Nullable;

import org.springframework.data.redis.RedisConnectionFailureException;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.RedisStaticMasterReplicaConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnection;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionProvider;
import org.springframework.util.Assert;
import org.springframework.util.ReflectionUtils;
import org.springframework.util.StringUtils;

/**
 * Connector of the limiter's own connections, with the Lettuce client of the application.
 * It neither uses the timeouts of the application, which are a minute by default, nor the
 * lock that the application's connections are opened and closed under.
 */
final class LettuceConnector {

	/**
	 * Time after which Lettuce fails a command and drops its reply. That of the
	 * application may be shorter, but late replies tell what has to be refunded.
	 */
	static final Duration REPLY_PATIENCE = Duration.ofMinutes(1);

	/** Shortest time between two readings of a topology. */
	static final long TOPOLOGY_PAUSE = TimeUnit.SECONDS.toNanos(1);

	private static final byte[] MASTER = "master".getBytes(StandardCharsets.US_ASCII);

	private final LettuceConnectionFactory connections;

	private final Duration timeout;

	/** The latest reading of the topology, and when it began. */
	private CompletableFuture<Void> reading = new CompletableFuture<>();

	private long readingBegan = System.nanoTime() - TOPOLOGY_PAUSE;

	LettuceConnector(LettuceConnectionFactory connections, Duration timeout) {
		this.connections = connections;
		this.timeout = timeout;
	}

	/**
	 * Connect to the server, to the master of several, or to the cluster. Blocks only
	 * while the name of a server is resolved.
	 * @param old the connection to be replaced. One to a cluster reads the topology and
	 * stays, unless the application has started another client.
	 */
	CompletableFuture<LettuceChannel> connect(@Nullable LettuceChannel old) {
		AbstractRedisClient client = client();
		if (client instanceof RedisClusterClient cluster) {
			return (old != null && old.client() == client) ? readTopology(cluster).thenApply((read) -> old)
					: connect(cluster, () -> cluster.connectAsync(ByteArrayCodec.INSTANCE))
						.thenApply((open) -> new LettuceChannel(client, open, open.async()));
		}
		List<RedisURI> addresses = addresses(client);
		CompletableFuture<StatefulRedisConnection<byte[], byte[]>> connected = (addresses.size() == 1)
				? connect(client, addresses.get(0)) : connectToMaster(client, addresses);
		return connected.thenApply((open) -> {
			open.setTimeout(REPLY_PATIENCE);
			return channel(client, open);
		});
	}

	private <T> CompletableFuture<T> connect(RedisClusterClient cluster, Supplier<CompletableFuture<T>> attempt) {
		return attempt.get()
			.exceptionallyCompose((failure) -> readTopology(cluster).thenCompose((read) -> attempt.get()));
	}

	/**
	 * Read the topology of a cluster, once per second at most: Lettuce connects to each
	 * server for it, and warns of those that it does not reach.
	 */
	private CompletableFuture<Void> readTopology(RedisClusterClient cluster) {
		CompletableFuture<RedisClusterClient> begin = new CompletableFuture<>();
		CompletableFuture<Void> next = begin.thenCompose(RedisClusterClient::refreshPartitionsAsync);
		CompletableFuture<Void> latest = latestReading(next);
		if (latest == next) {
			begin.complete(cluster);
		}
		return latest.copy();
	}

	/**
	 * Return the latest reading of the topology: the next one, unless it would begin too
	 * early.
	 */
	private synchronized CompletableFuture<Void> latestReading(CompletableFuture<Void> next) {
		long now = System.nanoTime();
		if (now - this.readingBegan >= TOPOLOGY_PAUSE) {
			this.readingBegan = now;
			this.reading = next;
		}
		return this.reading;
	}

	private AbstractRedisClient client() {
		if (!this.connections.isRunning()) {
			throw RedisFailures.STOPPED;
		}
		return this.connections.getRequiredNativeClient();
	}

	/**
	 * Return the address of a server, or of several of which one is the master, with the
	 * timeout of this connector. Neither Lettuce nor Spring Data has a public method for
	 * them. Spring Data reads the one of a client in the same way.
	 */
	private List<RedisURI> addresses(AbstractRedisClient client) {
		if (value(RedisClient.class, "redisURI", client) instanceof RedisURI address && isKnown(address)) {
			return List.of(inTime(address));
		}
		RedisStaticMasterReplicaConfiguration servers = servers(this.connections);
		Assert.state(servers != null, "The connection factory has no address of Redis");
		return servers.getNodes()
			.stream()
			.map((server) -> inTime(address(server, servers, this.connections.getClientConfiguration())))
			.toList();
	}

	private static boolean isKnown(RedisURI address) {
		return address.getHost() != null || address.getSocket() != null || !address.getSentinels().isEmpty();
	}

	/**
	 * Return the servers of which one is the master, which a client does not know, if
	 * they are listed.
	 */
	static @Nullable RedisStaticMasterReplicaConfiguration servers(LettuceConnectionFactory connections) {
		return (value(LettuceConnectionFactory.class, "configuration",
				connections) instanceof RedisStaticMasterReplicaConfiguration servers) ? servers : null;
	}

	private static @Nullable Object value(Class<?> type, String name, Object owner) {
		Field field = ReflectionUtils.findField(type, name);
		if (field == null) {
			return null;
		}
		ReflectionUtils.makeAccessible(field);
		return ReflectionUtils.getField(field, owner);
	}

	private static RedisURI address(RedisStandaloneConfiguration server,
			RedisStaticMasterReplicaConfiguration configuration, LettuceClientConfiguration client) {
		RedisURI.Builder address = RedisURI.Builder.redis(server.getHostName(), server.getPort())
			.withDatabase(configuration.getDatabase())
			.withSsl(client.isUseSsl())
			.withVerifyPeer(client.getVerifyMode())
			.withStartTls(client.isStartTls())
			.withTimeout(client.getCommandTimeout());
		client.getClientName().ifPresent(address::withClientName);
		String user = configuration.getUsername();
		configuration.getPassword().toOptional().ifPresent((password) -> {
			if (StringUtils.hasText(user)) {
				address.withAuthentication(user, password);
			}
			else {
				address.withPassword(password);
			}
		});
		client.getRedisCredentialsProviderFactory()
			.map((factory) -> factory.createCredentialsProvider(configuration))
			.ifPresent(address::withAuthentication);
		return address.build();
	}

	private RedisURI inTime(RedisURI address) {
		RedisURI.Builder copy = RedisURI.builder(address).withTimeout(this.timeout);
		if (address.getSentinelMasterId() != null) {
			copy.withSentinelMasterId(address.getSentinelMasterId());
		}
		address.getSentinels().forEach((sentinel) -> copy.withSentinel(inTime(sentinel)));
		return copy.build();
	}

	private static CompletableFuture<StatefulRedisConnection<byte[], byte[]>> connect(AbstractRedisClient client,
			RedisURI address) {
		return ((RedisClient) client).connectAsync(ByteArrayCodec.INSTANCE, address).toCompletableFuture();
	}

	/**
	 * Connect to all servers, and keep the connection to the first that is a master.
	 * Lettuce's own connection to several servers asks for their roles once, reports no
	 * broken connection, and resends unanswered calls.
	 */
	private CompletableFuture<StatefulRedisConnection<byte[], byte[]>> connectToMaster(AbstractRedisClient client,
			List<RedisURI> addresses) {
		CompletableFuture<StatefulRedisConnection<byte[], byte[]>> master = new CompletableFuture<>();
		CompletableFuture<?>[] attempts = addresses.stream()
			.map((address) -> connect(client, address)
				.thenCompose((open) -> isMaster(open).whenComplete((isIt, failure) -> {
					if (failure != null || !isIt || !master.complete(open)) {
						open.closeAsync();
					}
				})))
			.toArray(CompletableFuture[]::new);
		CompletableFuture.allOf(attempts)
			.whenComplete((done, failure) -> master.completeExceptionally((failure != null) ? failure
					: new RedisConnectionFailureException("none of the servers says that it is the master")));
		return master;
	}

	private CompletableFuture<Boolean> isMaster(StatefulRedisConnection<byte[], byte[]> open) {
		return open.async()
			.role()
			.toCompletableFuture()
			.thenApply((reply) -> Arrays.equals((byte[]) reply.get(0), MASTER))
			.orTimeout(this.timeout.toNanos(), TimeUnit.NANOSECONDS);
	}

	/**
	 * Open a connection that can only subscribe, blocking the caller. It is not
	 * subscribed any more when it breaks: Lettuce would reconnect after pauses of up to
	 * 30 seconds.
	 */
	RedisConnection listener() {
		LettuceChannel channel = opened(client());
		channel.connection().addListener(channel);
		return new LettuceConnection(null, new Listening(channel), this.timeout.toMillis(), 0) {

			@Override
			public boolean isSubscribed() {
				return super.isSubscribed() && !channel.broken().isDone();
			}

			@Override
			public void close() {
				super.close();
				channel.close().completeOnTimeout(null, 1, TimeUnit.SECONDS).join();
			}

		};
	}

	/** Subscribe, and wait for the connection. One that comes too late is closed. */
	private LettuceChannel opened(AbstractRedisClient client) {
		CompletableFuture<? extends StatefulRedisPubSubConnection<byte[], byte[]>> connected = subscribe(client);
		try {
			return channel(client, connected.get(this.timeout.toNanos(), TimeUnit.NANOSECONDS));
		}
		catch (InterruptedException | TimeoutException ex) {
			if (ex instanceof InterruptedException) {
				Thread.currentThread().interrupt();
			}
			connected.thenAccept((late) -> channel(client, late).close());
			throw new RedisConnectionFailureException("not connected in time", ex);
		}
		catch (ExecutionException ex) {
			throw new RedisConnectionFailureException("cannot connect", ex.getCause());
		}
	}

	private static LettuceChannel channel(AbstractRedisClient client, StatefulRedisConnection<byte[], byte[]> open) {
		return new LettuceChannel(client, open, open.async());
	}

	private CompletableFuture<? extends StatefulRedisPubSubConnection<byte[], byte[]>> subscribe(
			AbstractRedisClient client) {
		if (client instanceof RedisClusterClient cluster) {
			return connect(cluster, () -> cluster.connectPubSubAsync(ByteArrayCodec.INSTANCE));
		}
		CompletableFuture<StatefulRedisPubSubConnection<byte[], byte[]>> connected = CompletableFuture
			.failedFuture(new RedisConnectionFailureException("no server is configured"));
		for (RedisURI address : addresses(client)) {
			connected = connected.exceptionallyCompose(
					(failure) -> ((RedisClient) client).connectPubSubAsync(ByteArrayCodec.INSTANCE, address));
		}
		return connected;
	}

	/** Provider of one connection, which subscribes. */
	private record Listening(LettuceChannel channel) implements LettuceConnectionProvider {

		@Override
		public <T extends StatefulConnection<?, ?>> CompletionStage<T> getConnectionAsync(Class<T> type) {
			return CompletableFuture.completedFuture(type.cast(this.channel.connection()));
		}

		@Override
		public CompletableFuture<Void> releaseAsync(StatefulConnection<?, ?> connection) {
			return this.channel.close();
		}

	}

}
