package io.github.ratelimit.store.redis;

/**
 * What Redis said of one call, while others of the same script went well.
 */
final class ScriptFailure extends RuntimeException {

	private static final long serialVersionUID = 1L;

	ScriptFailure(String message) {
		super(message);
	}

}
