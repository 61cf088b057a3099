package io.github.ratelimit.redis.process;

/**
 * An error with which Redis replies to a command; the message is Redis' own, for example
 * {@code WRONGTYPE Operation against a key holding the wrong kind of value}.
 */
public final class RedisErrorReply extends RuntimeException {

	private static final long serialVersionUID = 1L;

	RedisErrorReply(String message) {
		super(message);
	}

}
