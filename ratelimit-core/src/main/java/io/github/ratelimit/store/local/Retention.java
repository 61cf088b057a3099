package io.github.ratelimit.store.local;

/**
 * How long an entry is kept when the store is full. The entries of one retention are
 * evicted before those of the next one. It is determined when the hand of a
 * {@link Circle} meets the entry, which then moves to the circle of its retention. So
 * calls pay nothing for it, and the hand passes such an entry once.
 */
enum Retention {

	/** Kept while it is among those that were called recently. */
	RECENT,

	/**
	 * Evicted only when nothing else is left: the key is banned, owes units, or has calls
	 * that wait for their turn.
	 */
	LAST,

	/** Never evicted: calls that have not ended hold slots. */
	RUNNING

}
