package io.github.ratelimit.top;

import io.github.ratelimit.store.StoreException;
import org.jspecify.annotations.Nullable;

/**
 * Top talkers of one rule.
 *
 * @param denials the keys with most denials
 * @param calls the keys with most calls, {@code null} if calls are not recorded
 * @param instances the number of instances whose calls these are
 * @param isShared whether instances share their summaries
 * @param failure the reason why those of others are missing, {@code null} if they are not
 * @since 0.1.0
 */
public record TopReport(TalkerList denials, @Nullable TalkerList calls, int instances, boolean isShared,
		@Nullable StoreException failure) {

}
