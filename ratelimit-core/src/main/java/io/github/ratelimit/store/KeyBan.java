package io.github.ratelimit.store;

import org.jspecify.annotations.Nullable;

import io.github.ratelimit.Ban;
import io.github.ratelimit.algorithm.BanCount;

/**
 * Ban of one key under one rule, and the denials that lead to it. There is none before
 * the first denial. The state is kept, but has no effect, while the rule has no ban.
 */
final class KeyBan {

	private final BanCount count;

	private @Nullable Ban inForce;

	private KeyBan(BanCount count, @Nullable Ban inForce) {
		this.count = count;
		this.inForce = inForce;
	}

	/**
	 * Create an instance from its bytes.
	 */
	static KeyBan of(byte[] bytes) {
		return new KeyBan(BanCount.of(bytes), null);
	}

	KeyBan copy() {
		return new KeyBan(this.count.copy(), this.inForce);
	}

	/**
	 * Count a call of a key that is not banned and that a limit of the rule denies.
	 * @param known the ban of the key, {@code null} for none
	 * @param rules the ban of the rule
	 * @param now the time of the clock in microseconds
	 * @return the ban of the key since
	 */
	static KeyBan afterDenial(@Nullable KeyBan known, Ban rules, long now) {
		KeyBan ban = (known != null) ? known : new KeyBan(new BanCount(now), rules);
		ban.count.takeDenied(rules);
		return ban;
	}

	/**
	 * Return whether the key is banned.
	 */
	boolean isOn() {
		return isInForce() && this.count.retryAfter() > 0;
	}

	/**
	 * Return whether the rule has a ban.
	 */
	boolean isInForce() {
		return this.inForce != null;
	}

	/**
	 * Advance the state to the time of a call.
	 * @param rules the ban of the rule, {@code null} for none
	 */
	void advance(@Nullable Ban rules, long now) {
		this.inForce = rules;
		if (rules != null) {
			this.count.advance(now);
		}
	}

	/**
	 * Correct the state before a call that costs something, if the clock was set back.
	 */
	void settle() {
		if (isInForce()) {
			this.count.settle();
		}
	}

	BanOutcome outcome() {
		return new BanOutcome(this.count.begins(), this.count.retryAfter(), this.count.resetAfter());
	}

	/**
	 * Return how long the key is banned from some time on. Nothing changes.
	 */
	long retryAfter(long time) {
		return this.count.retryAfter(time);
	}

	long resetAfter() {
		return this.count.resetAfter();
	}

	boolean isUnusedAt(long time) {
		return this.count.isUnusedAt(time);
	}

	byte[] toBytes() {
		return this.count.toBytes();
	}

}
