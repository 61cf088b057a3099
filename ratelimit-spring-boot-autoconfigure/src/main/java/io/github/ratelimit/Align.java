package io.github.ratelimit;

/**
 * Start of the windows of a {@link Algorithm#FIXED_WINDOW}.
 *
 * @since 0.1.0
 */
public enum Align {

	/**
	 * At the multiples of the period by the store's clock, in Unix time: windows of a
	 * minute begin with the minute, those of a day at midnight UTC, for all keys alike.
	 */
	CLOCK,

	/**
	 * With the first admitted call of a key after its last window ended.
	 */
	FIRST_REQUEST

}
