package io.github.ratelimit.store.jdbc;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import io.github.ratelimit.store.Correction;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.Demands;
import io.github.ratelimit.store.KeyCounts;
import io.github.ratelimit.store.RuleAnswer;
import io.github.ratelimit.store.StoreAnswer;
import io.github.ratelimit.store.StoreException;

/**
 * Rows that a transaction has locked, at the time of its clock. Calls are decided by them
 * one after the other.
 */
final class LockedRows {

	private static final byte[] NOTHING = {};

	private final Map<RowKey, byte[]> read;

	private final Map<RowKey, StoredRow> rows = new TreeMap<>();

	private final Map<RowKey, byte[]> shared = new HashMap<>();

	private final RowNames names;

	private final long instance;

	private final long now;

	/**
	 * Create a new instance.
	 * @param read the bytes of all rows that there are
	 * @param instance the number of this instance among all
	 * @param now the time of the clock, read when all rows were locked
	 */
	LockedRows(Map<RowKey, byte[]> read, RowNames names, long instance, long now) {
		this.read = read;
		this.names = names;
		this.instance = instance;
		this.now = now;
	}

	/**
	 * Return the row of a call, at the time of the clock.
	 */
	private StoredRow row(Demand demand) {
		RowKey key = this.names.of(demand);
		try {
			StoredRow row = this.rows.get(key);
			if (row == null) {
				row = new StoredRow(key, this.read.getOrDefault(key, NOTHING), this.instance, demand.counts());
				this.rows.put(key, row);
			}
			row.advance(demand.counts(), this.now);
			return row;
		}
		catch (RuntimeException ex) {
			throw new StoreException(
					"A row of ratelimit_state with rule_name " + key.rule() + ", of a key of rule \""
							+ demand.rule().name() + "\", cannot be read: " + ex.getMessage(),
					ex, "state", false,
					"Run the same version in all instances, or delete the rows of the rule, which forgets its counts.");
		}
	}

	/**
	 * Decide a call. All rules count it, or none; each candidate decides it by itself.
	 */
	StoreAnswer decide(Demands demands, List<Demand> tried) {
		List<RuleAnswer> answers = tried.stream().map((each) -> row(each).decide(each, this.now)).toList();
		return KeyCounts.decide(demands, demands.asList().stream().map(this::row).toList(), this.now)
			.withTried(answers);
	}

	/**
	 * Return the answer that a call would get, and change nothing.
	 */
	StoreAnswer preview(Demands demands) {
		return KeyCounts.decide(demands,
				demands.asList().stream().map((each) -> row(each).copy(each.counts())).toList(), this.now);
	}

	/**
	 * Return the answer that a call of this cost would get.
	 */
	RuleAnswer peek(Demand demand) {
		return row(demand).peek(demand, this.now);
	}

	long[] correct(Correction correction) {
		return row(correction.demand()).correct(correction);
	}

	boolean hold(Demand demand) {
		return row(demand).hold(demand);
	}

	/**
	 * Forget the counts of a key, also those that cannot be read.
	 * @return {@code true}
	 */
	boolean reset(Demand demand) {
		try {
			row(demand).reset(this.now);
		}
		catch (StoreException unreadable) {
			RowKey key = this.names.of(demand);
			this.rows.put(key, StoredRow.emptied(key, this.read.get(key), this.instance, demand.counts()));
			row(demand);
		}
		return true;
	}

	long now() {
		return this.now;
	}

	/**
	 * Return the content of a row that counts nothing, no bytes if there is none.
	 */
	byte[] shared(RowKey key) {
		return this.shared.getOrDefault(key, this.read.getOrDefault(key, NOTHING));
	}

	/**
	 * Set the content of such a row.
	 */
	void share(RowKey key, byte[] content) {
		this.shared.put(key, content);
	}

	/**
	 * Return the rows that have to be written.
	 * @param existing those that there are, or those that there are not
	 * @return the rows in their order
	 */
	List<WrittenRow> changed(boolean existing) {
		Map<RowKey, WrittenRow> changed = new TreeMap<>();
		this.rows.forEach((key, row) -> {
			WrittenRow written = (this.read.containsKey(key) == existing) ? row.changed() : null;
			if (written != null) {
				changed.put(key, written);
			}
		});
		this.shared.forEach((key, content) -> {
			if (this.read.containsKey(key) == existing
					&& !Arrays.equals(content, this.read.getOrDefault(key, NOTHING))) {
				changed.put(key, new WrittenRow(key, content, 0, Long.MAX_VALUE));
			}
		});
		return List.copyOf(changed.values());
	}

}
