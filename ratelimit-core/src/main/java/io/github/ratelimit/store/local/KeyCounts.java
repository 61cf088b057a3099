package io.github.ratelimit.store.local;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import io.github.ratelimit.Ban;
import io.github.ratelimit.Limit;
import io.github.ratelimit.algorithm.Count;
import io.github.ratelimit.algorithm.CountType;
import io.github.ratelimit.store.CountSpec;
import io.github.ratelimit.store.RuleCounts;

/**
 * Counts of one key under one rule, one {@link Count} per {@link CountSpec}, which follow
 * changes of the rule. The first one has a field of its own, and loops of a call begin
 * with the second one, since most rules have one only.
 */
abstract class KeyCounts extends Bannable {

	private static final Count[] NO_MORE = {};

	private RuleCounts counts;

	private Count first;

	private Count[] more;

	private Map<String, Count> others = Map.of();

	/**
	 * Create unused counts.
	 * @param createdAt the time of the clock
	 */
	KeyCounts(LocalRule rule, RuleCounts counts, String key, long createdAt) {
		super(rule, key, createdAt);
		this.counts = counts;
		this.first = unused(0);
		this.more = more(counts.size());
		for (int i = 1; i < size(); i++) {
			put(i, unused(i));
		}
	}

	/**
	 * Create a copy of the counts that calls do not find.
	 */
	KeyCounts(KeyCounts other) {
		super(other);
		this.counts = other.counts;
		this.first = other.first.copy();
		this.more = new Count[other.more.length];
		Arrays.setAll(this.more, (i) -> other.more[i].copy());
		this.others = new HashMap<>(other.others);
		this.others.replaceAll((meaning, count) -> count.copy());
	}

	private static Count[] more(int size) {
		return (size == 1) ? NO_MORE : new Count[size - 1];
	}

	final Count count(int i) {
		return (i == 0) ? this.first : this.more[i - 1];
	}

	private void put(int i, Count count) {
		if (i == 0) {
			this.first = count;
		}
		else {
			this.more[i - 1] = count;
		}
	}

	final CountSpec spec(int i) {
		return this.counts.get(i);
	}

	final Limit limit(int i) {
		return this.counts.get(i).limit();
	}

	@Override
	final @Nullable Ban rulesOfBan() {
		return this.counts.rule().ban();
	}

	/**
	 * Advance all counts to the time of a call.
	 * @param current the rule in force
	 */
	final void advance(RuleCounts current, long now) {
		if (this.counts.rule() != current.rule()) {
			follow(current);
		}
		called();
		this.first.advance(limit(0), now);
		for (int i = 1; i < size(); i++) {
			count(i).advance(limit(i), now);
		}
		advanceBan(now);
	}

	@Override
	boolean isUnused(long now) {
		for (int i = 0; i < size(); i++) {
			if (!count(i).isUnusedAt(now)) {
				return false;
			}
		}
		return isBanUnused(now) && this.others.values().stream().allMatch((count) -> count.isUnusedAt(now));
	}

	@Override
	final synchronized Retention retention(long now) {
		boolean isLast = isBannedAt(now);
		for (int i = 0; i < size(); i++) {
			Count count = count(i);
			if (!count.isUnusedAt(now)) {
				if (count.isHeldByCalls()) {
					return Retention.RUNNING;
				}
				isLast |= count.longestWait() > 0 || count.isOverdrawn();
			}
		}
		return isLast ? Retention.LAST : Retention.RECENT;
	}

	/**
	 * Return the number of counts.
	 */
	final int size() {
		return 1 + this.more.length;
	}

	/**
	 * Follow a change of the rule. All counts are kept, even those of removed limits. A
	 * plan has the same counts.
	 */
	private void follow(RuleCounts changed) {
		if (changed.own() == this.counts.own()) {
			this.counts = changed;
			return;
		}
		Map<String, Count> known = new HashMap<>(this.others);
		for (int i = 0; i < size(); i++) {
			known.put(this.counts.get(i).meaning(), count(i));
		}
		this.counts = changed;
		this.more = more(changed.size());
		for (int i = 0; i < size(); i++) {
			Count count = known.remove(changed.get(i).meaning());
			put(i, (count != null) ? count : unused(i));
			count(i).setSettled(changed.get(i).settled());
		}
		this.others = known;
	}

	private Count unused(int i) {
		CountSpec spec = this.counts.get(i);
		Count unused = CountType.of(spec.limit(), spec.isInterval()).unused();
		unused.setSettled(spec.settled());
		return unused;
	}

	/**
	 * Replace a count by an unused one.
	 */
	final void forget(int i) {
		put(i, unused(i));
	}

	/**
	 * Replace all counts by unused ones, and lift the ban.
	 */
	final void forget() {
		for (int i = 0; i < size(); i++) {
			forget(i);
		}
		liftBan();
	}

}
