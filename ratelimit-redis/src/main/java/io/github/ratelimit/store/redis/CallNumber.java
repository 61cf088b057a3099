package io.github.ratelimit.store.redis;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

import org.jspecify.annotations.Nullable;

import org.springframework.data.redis.RedisConnectionFailureException;

/**
 * Number of a script that is sent once. It is the last argument, and each script repeats
 * it at the beginning of its reply, see {@link Script}. Clients match replies with
 * commands by their order alone; the number proves that the reply is that of this script.
 * Numbers of other instances, whose replies a proxy may mix up, begin elsewhere.
 */
final class CallNumber {

	private static final AtomicLong LAST = new AtomicLong(ThreadLocalRandom.current().nextLong());

	private final byte[] bytes = ByteBuffer.allocate(Long.BYTES).putLong(LAST.incrementAndGet()).array();

	/**
	 * Return arguments followed by this number.
	 */
	byte[][] after(byte[][] arguments) {
		byte[][] numbered = Arrays.copyOf(arguments, arguments.length + 1);
		numbered[arguments.length] = this.bytes;
		return numbered;
	}

	/**
	 * Return whether a reply begins with this number.
	 */
	boolean begins(byte @Nullable [] reply) {
		return reply != null && reply.length >= Long.BYTES
				&& Arrays.equals(reply, 0, Long.BYTES, this.bytes, 0, Long.BYTES);
	}

	/**
	 * Return a reply without this number.
	 * @throws RedisConnectionFailureException if the reply is another one
	 */
	byte[] removeFrom(byte @Nullable [] reply) {
		if (reply == null || !begins(reply)) {
			throw otherReply();
		}
		return Arrays.copyOfRange(reply, Long.BYTES, reply.length);
	}

	/**
	 * Return the failure of a script that did not get its reply.
	 */
	static RedisConnectionFailureException otherReply() {
		return new RedisConnectionFailureException("the reply is that of another command");
	}

}
