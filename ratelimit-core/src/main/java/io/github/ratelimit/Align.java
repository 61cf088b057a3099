package io.github.ratelimit;

/**
 * Start of the windows of a {@link Algorithm#FIXED_WINDOW}.
 *
 * @since 0.1.0
 */
public enum Align {

	/**
	 * At multiples of the period in Unix time, by the store's clock: windows of a minute
	 * begin with the minute, windows of a day at midnight UTC, for all keys.
	 */
	CLOCK,

	/** At the first admitted call of a key after its last window ended. */
	FIRST_REQUEST

}
