package io.github.ratelimit;

/**
 * Effect that the decisions of a rule have on calls.
 *
 * @since 0.1.0
 */
public enum Mode {

	/** Decisions take effect: a denied call does not proceed. */
	ENFORCE,

	/**
	 * Calls are decided and counted as if the rule were enforced, and denials are
	 * reported, but every call proceeds at once.
	 */
	SHADOW,

	/** Calls are neither decided nor counted. */
	OFF

}
