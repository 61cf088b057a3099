package io.github.ratelimit.store.redis;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

import org.jspecify.annotations.Nullable;

import org.springframework.data.redis.RedisConnectionFailureException;

/**
 * Number of a script that is sent once. Its first argument begins with it, and each
 * script repeats it at the beginning of its reply, see {@link Script}. Clients match
 * replies with commands by their order alone; the number proves that the reply is that of
 * this script. Numbers of other instances, whose replies a proxy may mix up, begin
 * elsewhere.
 */
final class CallNumber {

	private static final AtomicLong LAST = new AtomicLong(ThreadLocalRandom.current().nextLong());

	private final byte[] bytes = ByteBuffer.allocate(Long.BYTES).putLong(LAST.incrementAndGet()).array();

	/**
	 * Return arguments of which the first one begins with this number. An argument of its
	 * own would cost Redis more.
	 */
	byte[][] before(byte[][] arguments) {
		if (arguments.length == 0) {
			return new byte[][] { this.bytes };
		}
		byte[][] numbered = arguments.clone();
		byte[] first = Arrays.copyOf(this.bytes, Long.BYTES + arguments[0].length);
		System.arraycopy(arguments[0], 0, first, Long.BYTES, arguments[0].length);
		numbered[0] = first;
		return numbered;
	}

	/**
	 * Return a reply without this number.
	 * @return {@code null} if the reply does not begin with it
	 */
	byte @Nullable [] restOf(byte @Nullable [] reply) {
		boolean begins = reply != null && reply.length >= Long.BYTES
				&& Arrays.equals(reply, 0, Long.BYTES, this.bytes, 0, Long.BYTES);
		return begins ? Arrays.copyOfRange(reply, Long.BYTES, reply.length) : null;
	}

	/** Return a reply without this number, or throw if it is another one. */
	byte[] removeFrom(byte @Nullable [] reply) {
		byte[] rest = restOf(reply);
		if (rest == null) {
			throw otherReply();
		}
		return rest;
	}

	static RedisConnectionFailureException otherReply() {
		return new RedisConnectionFailureException("the reply is that of another command");
	}

}
