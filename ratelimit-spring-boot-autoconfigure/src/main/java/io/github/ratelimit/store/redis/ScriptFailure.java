package io.github.ratelimit.store.redis;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

import org.jspecify.annotations.Nullable;

/**
 * Error that Redis replied to one call, while others of the same script went well.
 */
final class ScriptFailure extends RuntimeException {

	private static final long serialVersionUID = 1L;

	/**
	 * Where a reply has this instead of a number that is never negative, the call failed.
	 */
	private static final long FAILED = -1;

	ScriptFailure(String message) {
		super(message);
	}

	/**
	 * Read the failure of the next call, if it has failed.
	 * @param reply the rest of a reply, see {@code calls.lua}
	 * @return {@code null} if it has not, and then nothing was read
	 */
	static @Nullable ScriptFailure next(ByteBuffer reply) {
		if (reply.getLong(reply.position()) != FAILED) {
			return null;
		}
		reply.getLong();
		byte[] message = new byte[(int) reply.getLong()];
		reply.get(message);
		return new ScriptFailure(new String(message, StandardCharsets.UTF_8));
	}

}
