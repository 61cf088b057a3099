package io.github.ratelimit.benchmarks.peer;

/**
 * A method that does nothing worth mentioning, to be limited by user.
 */
public class Replies {

	/**
	 * Reply.
	 */
	public int reply(String userId, String text) {
		return userId.length() + text.length();
	}

}
