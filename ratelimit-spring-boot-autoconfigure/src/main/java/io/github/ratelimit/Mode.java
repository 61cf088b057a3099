package io.github.ratelimit;

/**
 * Effect that the decisions of a rule have on calls.
 *
 * @since 0.1.0
 */
public enum Mode {

	/**
	 * A call that the rule denies does not take place, or waits.
	 */
	ENFORCE,

	/**
	 * Calls are decided and counted as if the rule were enforced, and a denial is
	 * reported, but every call goes on at once.
	 */
	SHADOW,

	/**
	 * Nothing happens: calls are neither decided nor counted.
	 */
	OFF

}
