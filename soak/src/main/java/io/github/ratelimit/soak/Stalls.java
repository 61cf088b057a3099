package io.github.ratelimit.soak;

/**
 * Time within a call for which its thread could not run, no matter what the limiter does.
 *
 * @param paused the nanoseconds of pauses of the process
 * @param waited the nanoseconds for which the thread was ready to run and waited for a
 * processor
 */
record Stalls(long paused, long waited) {

	/**
	 * Return the most that both explain: where they overlap, they count twice.
	 */
	long most() {
		return this.paused + this.waited;
	}

}
