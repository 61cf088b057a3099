package io.github.ratelimit.soak;

/**
 * Begin of a call, in the thread that makes it.
 *
 * @param time the time, in nanoseconds of {@link System#nanoTime()}
 * @param waited the nanoseconds for which the thread had waited for a processor until
 * then
 */
record CallBegin(long time, long waited) {

	static CallBegin now() {
		long waited = ProcessorWait.ofThisThread();
		return new CallBegin(System.nanoTime(), waited);
	}

	/**
	 * Return the stalls of the call, which has just ended.
	 * @param end the time at which it ended
	 * @param pauses the pauses of the process
	 */
	Stalls stallsUntil(long end, Pauses pauses) {
		return new Stalls(pauses.within(this.time, end), ProcessorWait.ofThisThread() - this.waited);
	}

}
