package io.github.ratelimit.override;

import java.util.List;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import io.github.ratelimit.store.FigureStore;
import io.github.ratelimit.store.StoreException;

/**
 * Store of overrides, as texts by the name of their rule. A text is compared before it is
 * replaced, so no change of two operators is lost. Calls block for a bounded time; a
 * store that cannot answer throws {@link StoreException}.
 *
 * @since 0.1.0
 */
public interface OverrideStore extends AutoCloseable {

	/**
	 * Read the overrides if their version has changed.
	 * @param knownVersion the version that was read last, empty if none was
	 * @return the overrides, or {@code null} if they have this version
	 */
	@Nullable StoredOverrides read(String knownVersion);

	/**
	 * Replace the text of a rule, unless it has changed meanwhile, and record the change.
	 * @param rule the name of the rule
	 * @param expected the current text, {@code null} for none
	 * @param text the new text, {@code null} to remove it
	 * @param changedBy who makes the change
	 * @return whether the text was replaced; if not, nothing changed
	 */
	boolean replace(String rule, @Nullable String expected, @Nullable String text, String changedBy);

	/**
	 * Return the latest changes that this store has recorded; if it shares them with the
	 * store of overrides of keys, theirs as well.
	 * @return {@value RecordedChange#KEPT} at most, the latest first
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

	/**
	 * Return whether other instances share the overrides, which then outlive this
	 * process.
	 * @return {@code false} if they are stored in this process only
	 */
	boolean isShared();

	@Override
	default void close() {
	}

}
