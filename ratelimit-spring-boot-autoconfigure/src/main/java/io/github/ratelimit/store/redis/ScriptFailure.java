package io.github.ratelimit.store.redis;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

import org.jspecify.annotations.Nullable;

/**
 * Error of one call of a script, while other calls of the same script may have succeeded.
 */
final class ScriptFailure extends RuntimeException {

	private static final long serialVersionUID = 1L;

	/**
	 * Marker of a failed call, in place of a number that is never negative.
	 */
	private static final long FAILED = -1;

	ScriptFailure(String message) {
		super(message);
	}

	/**
	 * Read the failure of the next call, if it has failed.
	 * @param reply the rest of a reply, see {@code calls.lua}
	 * @return {@code null} if it has not failed; then nothing is read
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
