package io.github.ratelimit.store.jdbc;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

import io.github.ratelimit.algorithm.Count;
import io.github.ratelimit.store.Correction;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.Demands;
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

	private final Map<RowKey, StoredRow> rows = new HashMap<>();

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

	private StoredRow row(Demand demand) {
		return this.rows.computeIfAbsent(this.names.of(demand),
				(key) -> new StoredRow(key, this.read.getOrDefault(key, NOTHING), this.instance, demand.counts()));
	}

	private StoredRow advanced(Demand demand) {
		return advanced(demand, this::row);
	}

	private StoredRow advanced(Demand demand, Function<Demand, StoredRow> found) {
		try {
			return found.apply(demand).advance(demand.counts(), this.now);
		}
		catch (RuntimeException ex) {
			throw unreadable(demand, ex);
		}
	}

	private static StoreException unreadable(Demand demand, RuntimeException cause) {
		return new StoreException(
				"The stored state of a key of rule \"" + demand.rule().name() + "\" cannot be read: "
						+ cause.getMessage(),
				cause, "state", false,
				"Run the same version in all instances, or delete the rows of the rule, which forgets its counts.");
	}

	/**
	 * Decide a call. All rules count it, or none; each candidate decides it by itself.
	 */
	StoreAnswer decide(Demands demands, List<Demand> tried) {
		List<RuleAnswer> answers = new ArrayList<>(tried.size());
		for (Demand each : tried) {
			answers.add(together(each, List.of(advanced(each))).get(0));
		}
		return together(demands, demands.asList().stream().map(this::advanced).toList()).withTried(answers);
	}

	/**
	 * Return the answer that a call would get, and change nothing.
	 */
	StoreAnswer preview(Demands demands) {
		return together(demands,
				demands.asList().stream().map((demand) -> advanced(demand, (each) -> row(each).copy())).toList());
	}

	private static StoreAnswer together(Demands demands, List<StoredRow> rows) {
		long[] waits = new long[demands.size()];
		boolean admitted = true;
		boolean never = false;
		for (int i = 0; i < waits.length; i++) {
			waits[i] = rows.get(i).waitFor(demands.get(i));
			never |= waits[i] == Count.NEVER;
			admitted &= demands.get(i).accepts(waits[i]) && !rows.get(i).isBanned();
		}
		List<RuleAnswer> answers = new ArrayList<>(waits.length);
		for (int i = 0; i < waits.length; i++) {
			rows.get(i).countCall(demands.get(i), never ? Count.NEVER : waits[i], admitted);
			answers.add(rows.get(i).answer(demands.get(i)));
		}
		return StoreAnswer.of(answers);
	}

	/**
	 * Return the answer that a call of this cost would get.
	 */
	RuleAnswer peek(Demand demand) {
		StoredRow row = advanced(demand);
		row.waitFor(demand);
		return row.answer(demand);
	}

	long[] correct(Correction correction) {
		return advanced(correction.demand()).correct(correction);
	}

	boolean hold(Demand demand) {
		return advanced(demand).hold(demand);
	}

	/**
	 * Forget the counts of a key.
	 * @return {@code true}
	 */
	boolean reset(Demand demand) {
		advanced(demand).reset();
		return true;
	}

	/**
	 * Return the rows that have to be written.
	 * @param existing those that there are, or those that there are not
	 * @return the rows in their order
	 */
	List<WrittenRow> changed(boolean existing) {
		List<WrittenRow> changed = new ArrayList<>();
		for (StoredRow row : this.rows.values().stream().sorted((a, b) -> a.key().compareTo(b.key())).toList()) {
			byte[] bytes = (this.read.containsKey(row.key()) == existing) ? row.changed() : null;
			if (bytes != null) {
				changed.add(new WrittenRow(row.key(), bytes, row.bannedUntil(), WrittenRow.expiry(row.unusedAt())));
			}
		}
		return changed;
	}

}
