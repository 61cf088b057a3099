package io.github.ratelimit.store.redis;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import io.github.ratelimit.Ban;
import io.github.ratelimit.algorithm.CountType;
import io.github.ratelimit.store.BanOutcome;
import io.github.ratelimit.store.LimitOutcome;
import io.github.ratelimit.store.RuleAnswer;
import io.github.ratelimit.store.RuleCounts;

/**
 * Count that a rule has in Redis beside those of its limits. It has a row in each call,
 * behind theirs, and an outcome in each answer.
 *
 * @param entries how many entries its script may have to rewrite for one call
 * @param numbers the numbers that its script takes
 */
record SideCount(CountType type, long entries, long... numbers) {

	/**
	 * Return the counts of a rule beside those of its limits, in the order of scripts.
	 */
	static SideCount[] of(RuleCounts counts, long instance) {
		List<SideCount> all = new ArrayList<>();
		Duration prefetch = counts.rule().prefetch();
		if (prefetch != null) {
			all.add(new SideCount(CountType.PORTIONS, 0, micros(prefetch), 0, 0, 0, 0));
		}
		Ban ban = counts.rule().ban();
		if (ban != null) {
			all.add(new SideCount(CountType.BAN, ban.after(), ban.after(), micros(ban.within()), micros(ban.lasting()),
					micros(ban.growingTo())));
		}
		if (counts.needsEnd()) {
			all.add(new SideCount(CountType.LEASES, 0, instance, 0));
		}
		return all.toArray(SideCount[]::new);
	}

	private static long micros(Duration duration) {
		return duration.toNanos() / 1000;
	}

	/** Return whether keys share this count. */
	boolean isShared() {
		return this.type == CountType.LEASES;
	}

	/**
	 * Return whether each call needs this count, not only those that fetch units or whose
	 * keys have some that are held.
	 */
	boolean isNeededByAll() {
		return this.type != CountType.PORTIONS;
	}

	long time(CallFields call) {
		return switch (this.type) {
			case BAN -> call.time();
			case LEASES -> call.timeOfEnd();
			default -> 0;
		};
	}

	long units(CallFields call) {
		return (this.type == CountType.BAN) ? call.attempts() : 0;
	}

	/** Return the numbers that the script takes for a call. */
	long[] numbers(CallFields call) {
		Fetch fetch = call.fetch();
		return switch (this.type) {
			case PORTIONS -> new long[] { this.numbers[0], fetch.wanted(), fetch.id(), fetch.over(), fetch.unused() };
			case LEASES -> new long[] { this.numbers[0], Integer.toUnsignedLong(call.call()) };
			default -> this.numbers;
		};
	}

	/**
	 * Return the answer with the outcome of this count. A ban has no units: its script
	 * replies 1 instead if this denial begins it.
	 */
	RuleAnswer answer(RuleAnswer decided, LimitOutcome outcome, Fetch fetch) {
		if (this.type == CountType.PORTIONS) {
			fetch.answered(decided, outcome);
			return decided.whileUnitsAreHeld(outcome.resetAfter());
		}
		return (this.type != CountType.BAN || outcome.admitted()) ? decided : decided
			.bannedBy(new BanOutcome(outcome.remaining() == 1, outcome.retryAfter(), outcome.resetAfter()));
	}

}
