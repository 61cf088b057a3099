package io.github.ratelimit.store.jdbc;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;

import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.StoreException;
import io.github.ratelimit.store.StoredCalls;

/** Rows that a transaction has locked, which decide one call after the other. */
final class LockedRows extends StoredCalls<RowKey> {

	private final Map<RowKey, byte[]> read;

	private final Map<RowKey, WrittenRow> shared = new HashMap<>();

	private final RowNames names;

	/** Create an instance that has read the bytes of all rows that there are. */
	LockedRows(Map<RowKey, byte[]> read, RowNames names, long instance, long now) {
		super(instance, now);
		this.read = read;
		this.names = names;
	}

	@Override
	protected RowKey key(Demand demand) {
		return this.names.of(demand);
	}

	@Override
	protected byte[] read(RowKey key) {
		return this.read.getOrDefault(key, new byte[0]);
	}

	@Override
	protected StoreException unreadable(RowKey key, Demand demand, RuntimeException cause) {
		return new StoreException(
				"A row of ratelimit_state with rule_name " + key.rule() + ", of a key of rule \"" + demand.rule().name()
						+ "\", cannot be read: " + cause.getMessage(),
				cause, "state", false,
				"Run the same version in all instances, or delete the rows of the rule, which forgets its counts.");
	}

	/** Read a row that counts nothing, no bytes if there is none, or refuse to. */
	<T> T shared(RowKey key, Function<byte[], T> reader) {
		try {
			return reader.apply(shared(key));
		}
		catch (RuntimeException ex) {
			throw new StoreException(
					"The row of ratelimit_state with rule_name " + key.rule() + " cannot be read: " + ex.getMessage(),
					ex, "state", false,
					"Run the same version in all instances, or delete the row, which forgets what it contains.");
		}
	}

	private byte[] shared(RowKey key) {
		WrittenRow written = this.shared.get(key);
		return (written != null) ? written.state() : read(key);
	}

	/** Set the content of such a row, and when it expires, in seconds since 1970. */
	void share(RowKey key, byte[] content, long expiresAt) {
		if (!Arrays.equals(content, shared(key))) {
			this.shared.put(key, new WrittenRow(key, content, 0, expiresAt));
		}
	}

	/** Return the rows to write, in order: those that exist, or the others. */
	List<WrittenRow> changed(boolean existing) {
		Map<RowKey, WrittenRow> changed = new TreeMap<>(this.shared);
		counts().forEach((key, counts) -> {
			byte[] read = read(key);
			byte[] state = (this.read.containsKey(key) == existing) ? counts.toBytes() : read;
			if (!Arrays.equals(state, read)) {
				changed.put(key,
						new WrittenRow(key, state, counts.deniedUntil(), WrittenRow.expiry(counts.unusedAt())));
			}
		});
		return changed.values().stream().filter((row) -> this.read.containsKey(row.key()) == existing).toList();
	}

}
