package io.github.ratelimit.benchmarks.peer;

/**
 * Service with a trivial method, to be limited by user.
 */
public class Replies {

	/**
	 * Reply.
	 */
	public int reply(String userId, String text) {
		return userId.length() + text.length();
	}

}
