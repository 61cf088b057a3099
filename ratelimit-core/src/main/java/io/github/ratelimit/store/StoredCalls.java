package io.github.ratelimit.store;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Decisions of a store that keeps counts as bytes: of calls that are made while nobody
 * else changes the counts of their keys, one after the other, at one time of its clock.
 * The store reads the counts that it is asked for, and writes those that have changed.
 *
 * @param <K> the type of its keys
 * @since 0.1.0
 */
public abstract class StoredCalls<K> {

	private final Map<K, StoredCounts> counts = new HashMap<>();

	private final long instance;

	private final long now;

	/**
	 * Create a new instance.
	 * @param instance the number of this instance among all
	 * @param now the time of the clock in microseconds, read when nobody else changes the
	 * counts any more
	 */
	protected StoredCalls(long instance, long now) {
		this.instance = instance;
		this.now = now;
	}

	/**
	 * Return the key under which the counts of a call are stored. Counts belong to the
	 * {@linkplain RuleCounts#counters() name} of a rule, whatever its numbers are.
	 */
	protected abstract K key(Demand demand);

	/**
	 * Read counts.
	 * @return their bytes, none if nothing is stored
	 */
	protected abstract byte[] read(K key);

	/**
	 * Return the failure of a call whose counts cannot be read.
	 * @param cause what is wrong with the bytes
	 */
	protected abstract StoreException unreadable(K key, Demand demand, RuntimeException cause);

	private StoredCounts counts(Demand demand) {
		K key = key(demand);
		try {
			StoredCounts known = this.counts.get(key);
			if (known == null) {
				known = new StoredCounts(read(key), this.instance, demand.counts());
				this.counts.put(key, known);
			}
			known.advance(demand.counts(), this.now);
			return known;
		}
		catch (RuntimeException ex) {
			throw unreadable(key, demand, ex);
		}
	}

	/** Return the time of the clock in microseconds. */
	public final long now() {
		return this.now;
	}

	/**
	 * Decide a call. All rules count it, or none; each candidate decides it by itself.
	 */
	public final StoreAnswer decide(Demands demands, List<Demand> tried) {
		List<RuleAnswer> answers = new ArrayList<>(tried.size());
		for (Demand each : tried) {
			try {
				answers.add(counts(each).decide(each, this.now));
			}
			catch (StoreException unreadable) {
				// a candidate changes no answer
			}
		}
		return KeyCounts.decide(demands, demands.asList().stream().map(this::counts).toList(), this.now)
			.withTried(answers);
	}

	/** Return the answer that a call would get, and change nothing. */
	public final StoreAnswer preview(Demands demands) {
		return KeyCounts.decide(demands,
				demands.asList().stream().map((each) -> counts(each).copy(each.counts())).toList(), this.now);
	}

	/** Return the answer that a call of this cost would get. */
	public final RuleAnswer peek(Demand demand) {
		return counts(demand).peek(demand, this.now);
	}

	/**
	 * Correct what calls have taken.
	 * @return how many units each count has charged
	 */
	public final long[] correct(Correction correction) {
		return counts(correction.demand()).correct(correction);
	}

	/**
	 * Let a call that runs hold its slots.
	 * @return {@code false} if it has lost some, because others hold them
	 */
	public final boolean hold(Demand demand) {
		return counts(demand).hold(demand);
	}

	/** Forget the counts of a key, also those that cannot be read. */
	public final void reset(Demand demand) {
		try {
			counts(demand).reset(this.now);
		}
		catch (StoreException unreadable) {
			this.counts.put(key(demand), new StoredCounts(new byte[0], this.instance, demand.counts()));
			counts(demand);
		}
	}

	/** Return the counts that calls have asked for, which may have changed, by key. */
	protected final Map<K, StoredCounts> counts() {
		return this.counts;
	}

}
