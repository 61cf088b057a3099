package io.github.ratelimit.override;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

import io.github.ratelimit.store.FigureStore;
import io.github.ratelimit.store.StoreException;
import org.jspecify.annotations.Nullable;

/**
 * Store of overrides, as texts by name in groups: {@link #RULES} has the overrides of
 * rules and candidates, and a group named like a rule has those of its keys. A text is
 * compared before it is replaced, so no change of two operators is lost. The store
 * remembers which keys have changed, since a rule may have thousands of overrides. Calls
 * block for a bounded time; a store that cannot answer throws {@link StoreException}.
 *
 * @since 0.1.0
 */
public interface OverrideStore extends AutoCloseable {

	/** Group of the overrides of rules. */
	String RULES = "";

	/** Bound on the overrides of keys of one rule. */
	int MOST_PER_RULE = 10_000;

	/**
	 * Read what has changed.
	 * @param knownVersion the version of the overrides of keys that was read last, empty
	 * if none was
	 * @return the time, the versions and the changes since
	 */
	OverrideChanges changes(String knownVersion);

	/**
	 * Read all overrides of a group.
	 * @return the texts by name. A change that is made meanwhile may be missing; it
	 * belongs to the changes since any version that was read before
	 */
	Map<String, String> read(String group);

	/**
	 * Read some overrides of a group.
	 * @return the texts by name, without names that have none
	 */
	Map<String, String> read(String group, Collection<String> names);

	/**
	 * Replace a text, and record the change. The text of an override that has ended
	 * counts as none, except that it is compared.
	 * @param expected the text that is replaced, empty for none, {@code null} for any
	 * @param change the new text and its end, {@code null} to remove the text
	 */
	Result replace(String group, String name, @Nullable String expected, @Nullable OverrideText change,
			String changedBy);

	/**
	 * Remove the texts of keys whose overrides have ended. That is no change, since all
	 * instances know the ends.
	 * @param keys the keys; those that were overridden again are left
	 */
	void removeEnded(String rule, Collection<String> keys);

	/**
	 * Return the latest changes, {@value RecordedChange#KEPT} at most, the latest first.
	 */
	List<RecordedChange> latestChanges();

	/**
	 * Register a listener to replaced overrides. Notifications may be lost.
	 * @param changed runs after a change; must not block
	 */
	default void listen(Runnable changed) {
	}

	/**
	 * Return the sums of the figures of candidates over all instances, which are stored
	 * beside the overrides.
	 * @return creates the sums, {@code null} to count in this process only
	 */
	default @Nullable Supplier<FigureStore> figures() {
		return null;
	}

	/** Return whether instances share the overrides, which then outlive this process. */
	boolean isShared();

	@Override
	default void close() {
	}

	/** Result of a replacement. */
	enum Result {

		/** The text is replaced. */
		DONE,

		/** There was no text in force to remove. */
		ABSENT,

		/** The text is another one than expected. Nothing changed. */
		CONFLICT,

		/** The rule has {@link #MOST_PER_RULE} texts. Nothing changed. */
		FULL

	}

}
