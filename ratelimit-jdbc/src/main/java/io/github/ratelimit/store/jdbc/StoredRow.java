package io.github.ratelimit.store.jdbc;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import io.github.ratelimit.algorithm.BanCount;
import io.github.ratelimit.algorithm.Count;
import io.github.ratelimit.algorithm.CountType;
import io.github.ratelimit.algorithm.StateInput;
import io.github.ratelimit.algorithm.StateOutput;
import io.github.ratelimit.store.CountSpec;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.KeyCounts;
import io.github.ratelimit.store.RuleCounts;

/**
 * Locked row: the counts of one key under one rule. Several calls of a transaction may
 * change it, one after the other. It is written if its bytes differ from those that were
 * read.
 *
 * <p>
 * The bytes contain the time of the latest reset, the ban, and each count that does not
 * equal an unused one, with the time from which it does. Counts that this rule does not
 * need are kept as they are until then: an earlier version of the rule may need them.
 */
final class StoredRow extends KeyCounts {

	/**
	 * The form of the bytes.
	 */
	private static final int FORM = 1;

	private static final byte[] NOTHING = {};

	private final RowKey key;

	private final byte[] read;

	private final long instance;

	/**
	 * Counts that no call of this transaction has needed, by their meaning.
	 */
	private final Map<String, Stored> stored = new LinkedHashMap<>();

	/**
	 * Time until which the latest reset matters, 0 if it does not.
	 */
	private long resetUntil;

	private long now;

	/**
	 * Read a row.
	 * @param read the bytes, empty for a new row
	 * @param instance the number of this instance among all
	 * @param rule the rule in force
	 * @throws IllegalStateException if this version cannot read the bytes
	 */
	StoredRow(RowKey key, byte[] read, long instance, RuleCounts rule) {
		super(rule);
		this.key = key;
		this.read = read;
		this.instance = instance;
		if (read.length > 0) {
			read(new StateInput(read));
		}
		begin();
	}

	private StoredRow(RowKey key, long instance, RuleCounts rule, byte[] unreadable) {
		super(rule);
		this.key = key;
		this.read = unreadable;
		this.instance = instance;
		begin();
	}

	/**
	 * Create a row without counts, instead of one that cannot be read.
	 */
	static StoredRow emptied(RowKey key, byte[] unreadable, long instance, RuleCounts rule) {
		return new StoredRow(key, instance, rule, unreadable);
	}

	private void read(StateInput from) {
		from.form(FORM);
		this.resetUntil = from.time();
		if (this.resetUntil > 0) {
			setResetAt(from.time());
		}
		byte[] banned = from.bytes();
		if (banned.length > 0) {
			setBan(BanCount.of(banned));
		}
		for (int left = from.count(); left > 0; left--) {
			this.stored.put(from.text(), new Stored(from.time(), from.bytes()));
		}
		from.end();
	}

	@Override
	protected Count create(CountSpec spec) {
		Count count = CountType.of(spec.limit(), spec.isInterval()).unused(this.instance);
		Stored known = this.stored.get(spec.meaning());
		if (known != null) {
			try {
				count.restore(known.bytes, spec.limit());
			}
			catch (RuntimeException ex) {
				throw new IllegalStateException("its count \"" + spec.kind() + "\": " + ex.getMessage(), ex);
			}
			this.stored.remove(spec.meaning());
		}
		return count;
	}

	/**
	 * Copy the row with all changes.
	 * @param rule the rule in force
	 */
	StoredRow copy(RuleCounts rule) {
		return new StoredRow(this.key, toBytes(used()), this.instance, rule);
	}

	@Override
	public void advance(RuleCounts current, long time) {
		this.now = time;
		super.advance(current, time);
	}

	/**
	 * Let a call that runs hold its slots.
	 * @return {@code false} if it has lost some, because others hold them
	 */
	boolean hold(Demand demand) {
		setCall(demand);
		boolean held = true;
		for (int i = 0; i < size(); i++) {
			held &= count(i).hold(limit(i), demand.cost());
		}
		return held;
	}

	/**
	 * Forget all counts, and the calls that were counted, as long as their units would
	 * have counted.
	 */
	@Override
	public void reset(long time) {
		for (int i = 0; i < size(); i++) {
			this.resetUntil = Math.max(this.resetUntil, time + count(i).resetAfterNow());
		}
		super.reset(time);
	}

	/**
	 * Return the row as it has to be written.
	 * @return {@code null} if nothing has changed
	 */
	@Nullable WrittenRow changed() {
		Map<String, Stored> used = used();
		byte[] bytes = toBytes(used);
		if (Arrays.equals(bytes, this.read)) {
			return null;
		}
		long unusedAt = used.values().stream().mapToLong(Stored::unusedAt).reduce(this.resetUntil, Math::max);
		long banned = 0;
		BanCount ban = ban();
		if (ban != null) {
			unusedAt = Math.max(unusedAt, this.now + ban.resetAfter());
			banned = ban.retryAfter(this.now);
		}
		return new WrittenRow(this.key, bytes, (banned > 0) ? this.now + banned : 0,
				WrittenRow.expiry(Math.max(this.now, unusedAt)));
	}

	/**
	 * Return the counts that do not equal unused ones.
	 */
	private Map<String, Stored> used() {
		Map<String, Stored> used = new LinkedHashMap<>(this.stored);
		used.values().removeIf((each) -> each.unusedAt <= this.now);
		others().forEach((meaning, count) -> addUsed(used, meaning, count));
		for (int i = 0; i < size(); i++) {
			addUsed(used, spec(i).meaning(), count(i));
		}
		return used;
	}

	private void addUsed(Map<String, Stored> used, String meaning, Count count) {
		if (!count.isUnusedAt(this.now)) {
			used.put(meaning, new Stored(this.now + count.resetAfterNow(), count.toBytes()));
		}
	}

	private byte[] toBytes(Map<String, Stored> used) {
		BanCount ban = (ban() != null && !ban().isUnusedAt(this.now)) ? ban() : null;
		boolean wasReset = this.resetUntil > this.now;
		if (used.isEmpty() && ban == null && !wasReset) {
			return NOTHING;
		}
		StateOutput to = new StateOutput();
		to.number(FORM);
		to.number(wasReset ? this.resetUntil : 0);
		if (wasReset) {
			to.number(resetAt());
		}
		to.bytes((ban != null) ? ban.toBytes() : NOTHING);
		to.number(used.size());
		used.forEach((meaning, each) -> {
			to.text(meaning);
			to.number(each.unusedAt);
			to.bytes(each.bytes);
		});
		return to.toBytes();
	}

	/**
	 * Count as it is stored.
	 *
	 * @param unusedAt the time from which on it equals an unused one
	 */
	private record Stored(long unusedAt, byte[] bytes) {

	}

}
