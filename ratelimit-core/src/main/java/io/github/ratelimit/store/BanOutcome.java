package io.github.ratelimit.store;

/**
 * Ban of a key, as of a call; times in microseconds.
 *
 * @param begins whether this denial begins the ban; {@code false} if the key was banned
 * before
 * @param endsAfter the time until the ban ends, above 0
 * @param forgottenAfter the time until nothing of the ban is left to remember
 * @since 0.1.0
 */
public record BanOutcome(boolean begins, long endsAfter, long forgottenAfter) {

	/**
	 * Return the ban as a later call finds it, unless it has ended.
	 */
	BanOutcome after(long elapsed) {
		return new BanOutcome(false, Math.max(0, this.endsAfter - elapsed), Math.max(0, this.forgottenAfter - elapsed));
	}

}
