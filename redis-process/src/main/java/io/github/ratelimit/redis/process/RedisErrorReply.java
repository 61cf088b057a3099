package io.github.ratelimit.redis.process;

/**
 * Error that Redis replies to a command, with the message of Redis, for example
 * {@code WRONGTYPE Operation against a key holding the wrong kind of value}.
 */
public final class RedisErrorReply extends RuntimeException {

	private static final long serialVersionUID = 1L;

	RedisErrorReply(String message) {
		super(message);
	}

}
