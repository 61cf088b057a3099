package io.github.ratelimit.override;

import java.util.Collection;
import java.util.List;
import java.util.Map;

import io.github.ratelimit.store.StoreException;
import org.jspecify.annotations.Nullable;

/**
 * Store of overrides of single keys, as texts by rule and key. It remembers the latest
 * changes, so that an instance reads only what has changed: a rule may have thousands of
 * overrides. Calls block for a bounded time; a store that cannot answer throws
 * {@link StoreException}.
 *
 * @since 0.1.0
 */
public interface KeyOverrideStore extends AutoCloseable {

	/**
	 * Bound on the overrides of one rule.
	 */
	int MOST_PER_RULE = 10_000;

	/**
	 * Read which keys have changed.
	 * @param knownVersion the version that was read last, empty if none was
	 * @return the time, the version and the changes since
	 */
	KeyOverrideChanges changes(String knownVersion);

	/**
	 * Read all overrides of a rule.
	 * @param rule the name of the rule
	 * @return the texts by key. A change that is made meanwhile may be missing; it
	 * belongs to the changes since any version that was read before
	 */
	Map<String, String> read(String rule);

	/**
	 * Read the overrides of some keys.
	 * @param rule the name of the rule
	 * @param keys the keys
	 * @return the texts by key, without keys that have none
	 */
	Map<String, String> read(String rule, Collection<String> keys);

	/**
	 * Replace the text of a key, and record the change.
	 * @param rule the name of the rule
	 * @param key the key
	 * @param expected the text that is replaced, empty for none, {@code null} for any
	 * @param change the new text and its end, {@code null} to remove the text
	 * @param changedBy who makes the change
	 * @return what was done
	 */
	Result replace(String rule, String key, @Nullable String expected, @Nullable KeyOverrideText change,
			String changedBy);

	/**
	 * Return the latest changes that this store has recorded.
	 * @return {@value RecordedChange#KEPT} at most, the latest first; none by default,
	 * since the store of overrides of rules returns them
	 */
	default List<RecordedChange> latestChanges() {
		return List.of();
	}

	/**
	 * Remove the texts of keys whose overrides have ended. That is no change, since all
	 * instances know the ends.
	 * @param rule the name of the rule
	 * @param keys the keys; those that were overridden again are left
	 */
	void removeEnded(String rule, Collection<String> keys);

	/**
	 * Return whether other instances share the overrides, which then outlive this
	 * process.
	 * @return {@code false} if they are stored in this process only
	 */
	boolean isShared();

	@Override
	default void close() {
	}

	/**
	 * Result of a replacement.
	 */
	enum Result {

		/**
		 * The text is replaced.
		 */
		DONE,

		/**
		 * There was no text to remove.
		 */
		ABSENT,

		/**
		 * The text is another one than expected. Nothing changed.
		 */
		CONFLICT,

		/**
		 * The rule has {@link #MOST_PER_RULE} texts. Nothing changed.
		 */
		FULL

	}

}
