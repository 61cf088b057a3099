package io.github.ratelimit.soak;

/**
 * Way of calling a rule, which records each call in the history of its key.
 */
@FunctionalInterface
interface Usage {

	/**
	 * Call once.
	 * @param caller the calling thread
	 * @param key the key to use, and the place for the record
	 */
	void use(Caller caller, KeyHistory key);

	/**
	 * Prepare a key that nobody has called yet.
	 * @param caller the calling thread
	 * @param key the new key
	 */
	default void prepare(Caller caller, KeyHistory key) {
	}

}
