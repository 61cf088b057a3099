package io.github.ratelimit.store.redis;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

/**
 * Error of one call of a script, while other calls of the same script may have succeeded.
 */
final class ScriptFailure extends RuntimeException {

	private static final long serialVersionUID = 1L;

	/** Marker of a failed call, in place of a number that is never negative. */
	private static final long FAILED = -1;

	/** Beginning of the error of {@code calendar-window.lua}. */
	private static final Pattern OUTSIDE_OF_EDGES = Pattern.compile("CALENDAR (-?\\d+) .*");

	/** Failure of a call whose state a lean script does not know. Nothing was counted. */
	static final ScriptFailure NOT_LEAN = new ScriptFailure("a lean script does not know the state");

	ScriptFailure(String message) {
		super(message);
	}

	/** Name the rule of the call. Its key is in no message. */
	RuntimeException ofRule(String rule) {
		return new ScriptFailure(getMessage() + " (state of a key of rule \"" + rule + "\")");
	}

	/**
	 * Return the time in microseconds that is outside of the edges of a calendar that
	 * were sent with the call, if that is the failure. Nothing was counted then.
	 */
	@Nullable Long outsideOfEdges() {
		Matcher outside = OUTSIDE_OF_EDGES.matcher(String.valueOf(getMessage()));
		return outside.matches() ? Long.valueOf(outside.group(1)) : null;
	}

	/** Read the failure of the next call. If it has not failed, nothing is read. */
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
