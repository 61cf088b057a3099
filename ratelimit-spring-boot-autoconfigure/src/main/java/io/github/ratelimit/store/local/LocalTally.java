package io.github.ratelimit.store.local;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;

import com.github.benmanes.caffeine.cache.Cache;

import io.github.ratelimit.Limit;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.algorithm.Count;
import io.github.ratelimit.store.Charge;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.LimitOutcome;
import io.github.ratelimit.store.Tally;

/**
 * One of the counts of a call, found in the map of this process. Whoever uses it holds
 * the lock of its key.
 */
final class LocalTally {

	private final StateKey key;

	private final Tally tally;

	private Entry entry;

	private long wait;

	private LocalTally(StateKey key, Tally tally) {
		this.key = key;
		this.tally = tally;
		this.entry = new Entry(Count.unused(tally.limit().algorithm()));
	}

	static List<LocalTally> of(Demand demand) {
		return of(demand.rule(), demand.key(), Tally.of(demand.rule(), demand.cost()));
	}

	static List<LocalTally> of(Charge charge) {
		return of(charge.rule(), charge.key(), charge.tallies());
	}

	private static List<LocalTally> of(RateLimitRule rule, String key, List<Tally> tallies) {
		return tallies.stream().map((tally) -> new LocalTally(StateKey.of(rule, tally, key), tally)).toList();
	}

	StateKey key() {
		return this.key;
	}

	/**
	 * Find the count, unless there is none yet.
	 * @return how long the call has to wait for it
	 */
	long read(Cache<StateKey, Entry> entries, long now) {
		Entry known = entries.getIfPresent(this.key);
		if (known != null) {
			this.entry = known;
		}
		this.wait = this.entry.count.waitFor(limit(), this.tally.cost(), now);
		return this.wait;
	}

	void take(Cache<StateKey, Entry> entries, long now, long slot) {
		if (this.tally.cost() > 0) {
			this.entry.count.settle(limit(), now);
			this.entry.count.take(limit(), this.tally.cost(), now, slot);
			keep(entries, now);
		}
	}

	/**
	 * Count a denied call where it counts too. How long it has to wait is told anew then,
	 * and that by a limit which had room for it as well: it may have none any more when
	 * the others would admit the call.
	 */
	void deny(Cache<StateKey, Entry> entries, long now, boolean forEver) {
		if (this.tally.cost() == 0) {
			return;
		}
		boolean changed = this.entry.count.settle(limit(), now);
		if (limit().countDenied() && !forEver) {
			this.entry.count.takeDenied(limit(), this.tally.cost(), now);
			this.wait = this.entry.count.waitFor(limit(), this.tally.cost(), now);
			changed = true;
		}
		if (changed) {
			keep(entries, now);
		}
	}

	void giveBack(Cache<StateKey, Entry> entries, long now, long slot) {
		if (this.tally.cost() > 0 && entries.getIfPresent(this.key) != null) {
			read(entries, now);
			this.entry.count.settle(limit(), now);
			this.entry.count.giveBack(limit(), this.tally.cost(), slot, now);
			if (this.entry.count.resetAfter(limit(), now) == 0) {
				entries.invalidate(this.key);
			}
			else {
				keep(entries, now);
			}
		}
	}

	void charge(Cache<StateKey, Entry> entries, long now) {
		if (this.tally.cost() == 0) {
			return;
		}
		read(entries, now);
		boolean changed = this.entry.count.settle(limit(), now);
		if (this.entry.count.charge(limit(), this.tally.cost(), now) > 0 || changed) {
			keep(entries, now);
		}
	}

	/**
	 * Forget the count.
	 * @return how many units still counted
	 */
	long drain(Cache<StateKey, Entry> entries, long now) {
		read(entries, now);
		entries.invalidate(this.key);
		return this.entry.count.used(limit(), now);
	}

	private void keep(Cache<StateKey, Entry> entries, long now) {
		this.entry.lifetime = Duration.of(this.entry.count.resetAfter(limit(), now), ChronoUnit.MICROS);
		entries.put(this.key, this.entry);
	}

	LimitOutcome outcome(long now) {
		return new LimitOutcome(this.entry.count.remaining(limit(), now), this.wait,
				this.entry.count.resetAfter(limit(), now));
	}

	private Limit limit() {
		return this.tally.limit();
	}

	/**
	 * A count and how long it has to be kept.
	 */
	static final class Entry {

		private final Count count;

		private Duration lifetime = Duration.ZERO;

		private Entry(Count count) {
			this.count = count;
		}

		Duration lifetime() {
			return this.lifetime;
		}

	}

}
