package io.github.ratelimit.override;

import org.jspecify.annotations.Nullable;

import io.github.ratelimit.store.StoreException;

/**
 * Where overrides are kept, as texts by the name of their rule. Blocks for a bounded
 * time; a store that cannot answer throws {@link StoreException}.
 *
 * @since 0.1.0
 */
public interface OverrideStore extends AutoCloseable {

	/**
	 * Read what is kept, unless it is what is known already.
	 * @param knownVersion the version that is known, empty if none is
	 * @return what is kept, or {@code null} if it has this version
	 */
	@Nullable StoredOverrides read(String knownVersion);

	/**
	 * Keep another text for a rule, unless somebody else did meanwhile.
	 * @param rule the name of the rule
	 * @param expected the text that is kept now, {@code null} if none is
	 * @param text the text to keep, {@code null} for none
	 * @return whether it is kept; if not, nothing changed
	 */
	boolean replace(String rule, @Nullable String expected, @Nullable String text);

	/**
	 * Tell, from now on, as soon as something was replaced. It need not always be told.
	 * @param changed what to do then; must not block
	 */
	default void listen(Runnable changed) {
	}

	/**
	 * Whether others see what is kept, and it outlives this process.
	 * @return {@code false} if it is kept in this process only
	 */
	boolean isShared();

	@Override
	default void close() {
	}

}
