package io.github.ratelimit.store;

import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;

import io.github.ratelimit.algorithm.Count;
import io.github.ratelimit.algorithm.CountType;
import io.github.ratelimit.algorithm.StateInput;
import io.github.ratelimit.algorithm.StateOutput;

/**
 * Counts of one key under one rule in bytes, for a store that keeps these outside this
 * process. It reads them, lets calls change the counts, and writes them again.
 *
 * <p>
 * The bytes contain the time of the latest reset, the ban, and each count that does not
 * equal an unused one, with the time from which it does. Counts that this rule does not
 * need are kept as they are until then: an earlier version of the rule may need them.
 *
 * @since 0.1.0
 */
public final class StoredCounts extends KeyCounts {

	private static final int FORM = 1;

	private final long instance;

	/** Counts that no call has needed since they were read, by their meaning. */
	private final Map<String, Stored> stored = new LinkedHashMap<>();

	/** Counts that calls have needed, as they were read, by their meaning. */
	private final Map<String, Stored> read = new HashMap<>();

	/** Time until which the latest reset matters, 0 if it does not. */
	private long resetUntil;

	private long now;

	/**
	 * Read the counts of a key.
	 * @param bytes the bytes, none for unused counts
	 * @param instance the number of this instance among all
	 * @throws IllegalStateException if this version cannot read the bytes
	 */
	public StoredCounts(byte[] bytes, long instance, RuleCounts rule) {
		super(rule);
		this.instance = instance;
		if (bytes.length > 0) {
			read(new StateInput(bytes));
		}
		begin();
	}

	private void read(StateInput from) {
		from.form(FORM);
		this.resetUntil = from.time();
		if (this.resetUntil > 0) {
			setResetAt(from.time());
		}
		readDenials(from.bytes());
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
			this.read.put(spec.meaning(), this.stored.remove(spec.meaning()));
		}
		return count;
	}

	/** Copy the counts with all changes. */
	public StoredCounts copy(RuleCounts rule) {
		return new StoredCounts(toBytes(), this.instance, rule);
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
	public boolean hold(Demand demand) {
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

	/** Return the time from which on nothing counts any more, now at the earliest. */
	public long unusedAt() {
		long latest = Math.max(this.resetUntil, this.now + resetAfter());
		for (Stored each : this.stored.values()) {
			latest = Math.max(latest, each.unusedAt);
		}
		return latest;
	}

	/** Return until when all calls of the key are denied, 0 if its limits decide. */
	public long deniedUntil() {
		long left = deniedFor(this.now);
		return (left > 0) ? this.now + left : 0;
	}

	private Map<String, Stored> used() {
		Map<String, Stored> used = new LinkedHashMap<>(this.stored);
		used.values().removeIf((each) -> each.unusedAt <= this.now);
		others().forEach((meaning, count) -> addUsed(used, meaning, count));
		for (int i = 0; i < size(); i++) {
			addUsed(used, spec(i).meaning(), count(i));
		}
		return used;
	}

	/** Add a count, as it was read if no call has changed it since. */
	private void addUsed(Map<String, Stored> used, String meaning, Count count) {
		if (!count.isUnusedAt(this.now)) {
			byte[] bytes = count.toBytes();
			Stored known = this.read.get(meaning);
			boolean isKnown = known != null && known.unusedAt > this.now && Arrays.equals(known.bytes, bytes);
			used.put(meaning, isKnown ? known : new Stored(this.now + count.resetAfterNow(), bytes));
		}
	}

	/** Return the bytes of the counts, none if nothing counts. */
	public byte[] toBytes() {
		Map<String, Stored> used = used();
		byte[] denials = denials(this.now);
		boolean wasReset = this.resetUntil > this.now;
		if (used.isEmpty() && denials.length == 0 && !wasReset) {
			return NOTHING;
		}
		StateOutput to = new StateOutput();
		to.number(FORM);
		to.number(wasReset ? this.resetUntil : 0);
		if (wasReset) {
			to.number(resetAt());
		}
		to.bytes(denials);
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
