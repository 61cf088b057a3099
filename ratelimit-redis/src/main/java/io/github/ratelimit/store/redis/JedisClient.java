package io.github.ratelimit.store.redis;

import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Field;
import java.nio.charset.StandardCharsets;
import java.util.EnumSet;
import java.util.Set;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

import org.jspecify.annotations.Nullable;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.Connection;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.Protocol.Command;
import redis.clients.jedis.UnifiedJedis;
import redis.clients.jedis.exceptions.JedisAskDataException;
import redis.clients.jedis.exceptions.JedisClusterOperationException;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.exceptions.JedisException;
import redis.clients.jedis.exceptions.JedisMovedDataException;
import redis.clients.jedis.exceptions.JedisRedirectionException;
import redis.clients.jedis.providers.ClusterConnectionProvider;
import redis.clients.jedis.providers.ConnectionProvider;

import org.springframework.data.redis.RedisConnectionFailureException;
import org.springframework.data.redis.connection.ClusterSlotHashUtil;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.jedis.JedisConnection;
import org.springframework.util.ReflectionUtils;

/**
 * Jedis behind a connection of Spring Data, with access to its sockets. Jedis matches
 * replies with commands by their order alone, and its connections are those of the
 * application: whoever borrows one next reads the bytes that are left in it. So a
 * connection that listened, on which anything but a reply to its command was read, or in
 * which bytes are left, is closed at the socket and never given back in use. So is one to
 * a replica, since the pool would hand it out again for as long as it is used.
 */
final class JedisClient {

	private static final int MOST_REDIRECTIONS = 5;

	/**
	 * Errors of a server that is not the master, to which the address may no longer lead.
	 */
	private static final Set<RedisError> OF_REPLICAS = EnumSet.of(RedisError.READONLY, RedisError.MASTERDOWN);

	/**
	 * Source of the connections of a client that has a pool inside, which Jedis does not
	 * publish for all kinds of clients.
	 */
	private static final @Nullable Field PROVIDER = field(UnifiedJedis.class, "provider");

	/** What a connection has received, which Jedis does not publish. */
	private static final @Nullable Field RECEIVED = field(Connection.class, "inputStream");

	private final Supplier<Borrowed> any;

	private final @Nullable ClusterConnectionProvider cluster;

	private JedisClient(Supplier<Borrowed> any, @Nullable ClusterConnectionProvider cluster) {
		this.any = any;
		this.cluster = cluster;
	}

	private static @Nullable Field field(Class<?> type, String name) {
		try {
			Field field = type.getDeclaredField(name);
			field.setAccessible(true);
			return field;
		}
		catch (ReflectiveOperationException | RuntimeException ex) {
			return null;
		}
	}

	/**
	 * Return the client behind a connection, {@code null} if its sockets cannot be
	 * reached.
	 */
	static @Nullable JedisClient behind(RedisConnection connection) {
		Object client = connection.getNativeConnection();
		if (client instanceof Jedis jedis) {
			return new JedisClient(() -> new Borrowed(jedis.getConnection(), false), null);
		}
		Object provider = (client instanceof UnifiedJedis && PROVIDER != null)
				? ReflectionUtils.getField(PROVIDER, client) : null;
		return (provider instanceof ConnectionProvider pool)
				? new JedisClient(() -> new Borrowed(pool.getConnection(), true),
						(provider instanceof ClusterConnectionProvider cluster) ? cluster : null)
				: null;
	}

	/**
	 * Return the server of a cluster that a key belongs to, {@code null} if none is
	 * known.
	 */
	@Nullable Object ownerOf(byte[] key) {
		return (this.cluster != null) ? this.cluster.getNode(ClusterSlotHashUtil.calculateSlot(key)) : null;
	}

	/**
	 * Run a script, and complete its call. It is not repeated, except after a redirection
	 * to another server of a cluster, or if Redis does not have it.
	 */
	void run(ScriptCall call, ReplyWatch watch) {
		try {
			byte[] value = evaluate(call);
			watch.heard();
			call.replied(value);
		}
		catch (JedisConnectionException | JedisClusterOperationException ex) {
			call.fail(ex);
			if (this.cluster != null) {
				this.cluster.renewSlotCache();
			}
		}
	}

	private byte[] evaluate(ScriptCall call) {
		try {
			return send(call, Command.EVALSHA, call.script().sha());
		}
		catch (JedisDataException ex) {
			if (!ScriptRunner.isUnknownScript(ex)) {
				throw ex;
			}
			return send(call, Command.EVAL, call.script().sent().getBytes(StandardCharsets.UTF_8));
		}
	}

	private byte[] send(ScriptCall call, Command command, byte[] script) {
		CallNumber number = new CallNumber();
		CommandArguments arguments = new CommandArguments(command).add(script)
			.add(call.keys().length)
			.addObjects((Object[]) call.keys())
			.addObjects((Object[]) number.before(call.arguments()));
		if (this.cluster != null) {
			return send(call, arguments, number, this.cluster);
		}
		try (Borrowed connection = this.any.get()) {
			return connection.run(arguments, number::removeFrom);
		}
	}

	private static byte[] send(ScriptCall call, CommandArguments script, CallNumber number,
			ClusterConnectionProvider servers) {
		JedisRedirectionException redirection = null;
		for (int i = 0; i <= MOST_REDIRECTIONS; i++) {
			try (Borrowed connection = borrow(call, servers, redirection)) {
				if (redirection instanceof JedisAskDataException) {
					connection.run(new CommandArguments(Command.ASKING), (reply) -> reply);
				}
				return connection.run(script, number::removeFrom);
			}
			catch (JedisRedirectionException ex) {
				redirection = ex;
			}
			if (redirection instanceof JedisMovedDataException) {
				servers.renewSlotCache();
			}
		}
		throw new RedisConnectionFailureException("redirected too often", redirection);
	}

	private static Borrowed borrow(ScriptCall call, ClusterConnectionProvider servers,
			@Nullable JedisRedirectionException redirection) {
		HostAndPort target = (redirection != null) ? redirection.getTargetNode() : null;
		return new Borrowed((target != null) ? servers.getConnection(target)
				: (call.keys().length > 0)
						? servers.getConnectionFromSlot(ClusterSlotHashUtil.calculateSlot(call.keys()[0]))
						: servers.getConnection(),
				true);
	}

	/**
	 * Borrow a connection to listen on. {@link RedisConnection#close()}, which any thread
	 * may call, closes its socket.
	 */
	RedisConnection listener() {
		Borrowed connection = this.any.get();
		return new JedisConnection(new Jedis(connection.connection)) {

			@Override
			public void close() {
				connection.close();
			}

		};
	}

	/**
	 * Connection that is closed at the socket unless the last thing that it has received
	 * is a reply to its command, and not from a replica.
	 */
	private static final class Borrowed implements AutoCloseable {

		private final Connection connection;

		private final boolean isReturned;

		private boolean isClean;

		Borrowed(Connection connection, boolean isReturned) {
			this.connection = connection;
			this.isReturned = isReturned;
		}

		/**
		 * Run a command, and let a function accept its reply, or fail if that is another
		 * one.
		 */
		byte[] run(CommandArguments command, UnaryOperator<byte[]> accept) {
			this.isClean = false;
			try {
				Object reply = this.connection.executeCommand(command);
				byte[] accepted = accept.apply((reply instanceof byte[] text) ? text : new byte[0]);
				this.isClean = isRead();
				return accepted;
			}
			catch (JedisDataException ex) {
				this.isClean = isRead() && !OF_REPLICAS.contains(RedisError.of(ex));
				throw ex;
			}
		}

		private boolean isRead() {
			try {
				return RECEIVED == null
						|| !(ReflectionUtils.getField(RECEIVED, this.connection) instanceof InputStream received)
						|| received.available() == 0;
			}
			catch (IOException ex) {
				return false;
			}
		}

		@Override
		public synchronized void close() {
			if (!this.isClean) {
				try {
					this.connection.disconnect();
				}
				catch (JedisException ex) {
					// closed
				}
				this.connection.setBroken();
			}
			if (this.isReturned) {
				try {
					this.connection.close();
				}
				catch (JedisException ex) {
					// broken, and removed from the pool
				}
			}
		}

	}

}
