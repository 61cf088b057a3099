package io.github.ratelimit.store.local;

import java.time.Duration;
import java.time.temporal.ChronoUnit;

import org.jspecify.annotations.Nullable;

import io.github.ratelimit.Ban;
import io.github.ratelimit.algorithm.BanCount;
import io.github.ratelimit.store.BanOutcome;
import io.github.ratelimit.store.BannedKey;
import io.github.ratelimit.store.RuleAnswer;

/**
 * Counts of a key that a rule may ban. The state of the ban is kept, but has no effect,
 * while the rule has no ban.
 */
abstract class Bannable extends Evictable {

	/**
	 * Created by the first denial.
	 */
	private @Nullable BanCount ban;

	/**
	 * Create a new instance.
	 * @param createdAt the time of the clock
	 */
	Bannable(LocalRule rule, String key, long createdAt) {
		super(rule, key, createdAt);
	}

	/**
	 * Create a copy without the ban.
	 */
	Bannable(Bannable other) {
		super(other);
	}

	/**
	 * Copy the ban of another entry as well.
	 */
	final void copyBan(Bannable other) {
		this.ban = (other.ban != null) ? other.ban.copy() : null;
	}

	/**
	 * Return the ban of the rule in force.
	 */
	abstract @Nullable Ban rulesOfBan();

	private @Nullable BanCount inForce() {
		return (this.ban != null && rulesOfBan() != null) ? this.ban : null;
	}

	final void advanceBan(long now) {
		BanCount count = inForce();
		if (count != null) {
			count.advance(now);
		}
	}

	/**
	 * Return whether the key is banned, so that all calls are denied.
	 */
	final boolean isBanned() {
		BanCount count = inForce();
		return count != null && count.retryAfter() > 0;
	}

	final boolean isBannedAt(long now) {
		BanCount count = inForce();
		return count != null && count.retryAfter(now) > 0;
	}

	final boolean isBanUnused(long now) {
		return this.ban == null || this.ban.isUnusedAt(now);
	}

	/**
	 * Count a call that a limit of the rule denies, unless the key is banned.
	 */
	final void countDenial(long now) {
		Ban rules = rulesOfBan();
		if (rules != null && !isBanned()) {
			this.ban = (this.ban != null) ? this.ban : new BanCount(now);
			this.ban.takeDenied(rules);
		}
	}

	/**
	 * Correct the ban before a call that costs something.
	 */
	final void settleBan() {
		BanCount count = inForce();
		if (count != null) {
			count.settle();
		}
	}

	final void liftBan() {
		if (inForce() != null) {
			this.ban = null;
		}
	}

	/**
	 * Return an answer with the ban of the key, if it is banned.
	 */
	final RuleAnswer withBan(RuleAnswer answer) {
		BanCount count = inForce();
		return (count != null && count.retryAfter() > 0)
				? answer.bannedBy(new BanOutcome(count.begins(), count.retryAfter(), count.resetAfter())) : answer;
	}

	/**
	 * Return the key and its ban at some time, {@code null} if it is not banned.
	 */
	final synchronized @Nullable BannedKey bannedKey(long now) {
		BanCount count = inForce();
		long micros = (count != null) ? count.retryAfter(now) : 0;
		return (micros > 0) ? new BannedKey(key(), Duration.of(micros, ChronoUnit.MICROS)) : null;
	}

}
