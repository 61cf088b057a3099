package io.github.ratelimit.store.redis;

import java.util.EnumSet;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

/**
 * Errors that Redis replies with, and their meaning to a limiter. Some affect every call,
 * others one key; some are temporary, others need a remedy.
 */
enum RedisError {

	LOADING(true), READONLY(true), CLUSTERDOWN(true), MASTERDOWN(true), NOREPLICAS(true), MISCONF(true), BUSY(true),
	OOM(true), MAXCLIENTS(true), UPSTREAM(true), TRYAGAIN(false),

	NOAUTH(true, "Set spring.data.redis.password, and spring.data.redis.username if Redis has users."),

	WRONGPASS(true, "Correct spring.data.redis.username and spring.data.redis.password."),

	NOPERM(false, "Allow the Redis user the commands and keys listed in docs/redis.md."),

	NOCOMMAND(false, "Do not rename or disable the Redis commands listed in docs/redis.md."),

	WRONGTYPE(false,
			"Another program writes to keys of rate limits: remove them, or set ratelimit.key-prefix to a prefix "
					+ "that nothing else uses."),

	CROSSSLOT(false, "Let the cluster or proxy hash only the part of a key that is between braces."),

	MOVED(true,
			"This server of a Redis Cluster has only some of the keys: set spring.data.redis.cluster.nodes instead of "
					+ "spring.data.redis.host, or the host of an endpoint that leads to all servers."),

	DATABASE(true,
			"Set spring.data.redis.database, or the number at the end of spring.data.redis.url, to a database that "
					+ "Redis has: 0 to 15 by default, 0 in a cluster."),

	NOCLUSTER(true,
			"Remove spring.data.redis.cluster.nodes, and set spring.data.redis.host and spring.data.redis.port: this "
					+ "server is not part of a Redis Cluster."),

	STATE(false, "Run the same version in all instances, or delete the keys of the rule, which forgets its counts."),

	SCRIPT(false, "Redis failed to run a script of the rate limiter. Check that Redis is version 6.2 or later.");

	/**
	 * Codes anywhere in a message, since Redis 6 wraps errors of a script in a sentence.
	 */
	private static final Pattern CODE = Pattern.compile(Stream.of(values())
		.filter((error) -> error != SCRIPT && error != STATE && error != DATABASE && error != NOCLUSTER)
		.map(Enum::name)
		.collect(Collectors.joining("|", "\\b(", ")\\b")));

	/**
	 * Sentences of a script that lacks a permission: those of Redis until 7.0, and that
	 * of Valkey and of later ones.
	 */
	private static final Pattern NOT_PERMITTED = Pattern
		.compile("can't (run this command|access at least one of)|ACL failure in script");

	/** Sentences of Envoy and twemproxy when a server behind them does not answer. */
	private static final Pattern NO_ANSWER_BEHIND_A_PROXY = Pattern
		.compile("upstream failure|no upstream host|Connection (refused|reset|timed out)");

	/** Sentences of a server that does not have the database, and of a cluster. */
	private static final Pattern NO_DATABASE = Pattern
		.compile("DB index is out of range|invalid DB index|SELECT is not allowed in cluster mode");

	private static final Set<RedisError> SICK_SERVER = EnumSet.of(LOADING, NOREPLICAS, MISCONF, BUSY, OOM, UPSTREAM);

	/** Types of error replies by name, since either client may be absent. */
	private static final Set<String> REPLIES = Set.of("io.lettuce.core.RedisCommandExecutionException",
			"redis.clients.jedis.exceptions.JedisDataException");

	private static final Pattern ECHO = Pattern.compile(",? with args beginning with:.*", Pattern.DOTALL);

	private final boolean outage;

	private final @Nullable String remedy;

	RedisError(boolean outage) {
		this(outage, null);
	}

	RedisError(boolean outage, @Nullable String remedy) {
		this.outage = outage;
		this.remedy = remedy;
	}

	/** Return whether every call gets this reply. */
	boolean isOutage() {
		return this.outage;
	}

	/**
	 * Return whether the server of a key is busy or lacks something, which another
	 * connection will hardly change.
	 */
	boolean isOfSickServer() {
		return SICK_SERVER.contains(this);
	}

	/** Return the action for an operator, {@code null} if the error is temporary. */
	@Nullable String remedy() {
		return this.remedy;
	}

	String reason() {
		return name().toLowerCase(Locale.ROOT);
	}

	/**
	 * Return an error message without the arguments of the command. Redis repeats those
	 * of an unknown command, and they contain keys.
	 */
	static @Nullable String withoutEcho(@Nullable String reply) {
		return (reply != null) ? ECHO.matcher(reply).replaceFirst("") : null;
	}

	static @Nullable RedisError of(Throwable failure) {
		Throwable reply = reply(failure);
		if (reply == null) {
			return null;
		}
		RedisError error = of(String.valueOf(reply.getMessage()));
		return (error == SCRIPT && reply instanceof ScriptFailure) ? STATE : error;
	}

	/**
	 * Return the error reply among the causes of a failure. A client that has asked
	 * several servers of a cluster suppresses their replies.
	 */
	static @Nullable Throwable reply(Throwable failure) {
		for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
			if (isReply(cause)) {
				return cause;
			}
			for (Throwable suppressed : cause.getSuppressed()) {
				Throwable reply = reply(suppressed);
				if (reply != null) {
					return reply;
				}
			}
		}
		return null;
	}

	private static boolean isReply(Throwable failure) {
		return failure instanceof ScriptFailure
				|| Stream.<Class<?>>iterate(failure.getClass(), Objects::nonNull, Class::getSuperclass)
					.anyMatch((type) -> REPLIES.contains(type.getName()));
	}

	private static RedisError of(String reply) {
		Matcher code = CODE.matcher(reply);
		if (reply.contains("unknown command")) {
			return NOCOMMAND;
		}
		if (code.find()) {
			return valueOf(code.group());
		}
		if (NO_DATABASE.matcher(reply).find()) {
			return DATABASE;
		}
		if (reply.contains("cluster support disabled")) {
			return NOCLUSTER;
		}
		if (reply.contains("max number of clients reached")) {
			return MAXCLIENTS;
		}
		if (NO_ANSWER_BEHIND_A_PROXY.matcher(reply).find()) {
			return UPSTREAM;
		}
		return NOT_PERMITTED.matcher(reply).find() ? NOPERM : SCRIPT;
	}

}
