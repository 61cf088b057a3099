package io.github.ratelimit.engine;

import java.time.Duration;

import io.github.ratelimit.Decision;
import io.github.ratelimit.KeyOverride;
import org.jspecify.annotations.Nullable;

/**
 * Override or list entry that replaces the rule for a key. An override wins over a list.
 *
 * @param override the override, or {@code null}
 * @param ignoredBecause the reason why the rule cannot have the numbers of the override,
 * {@code null} if they are in force
 * @param list {@code allow} or {@code deny} if the key is on that list, or {@code null}
 * @param blockedFor how long all calls of the key are denied, {@link Decision#NEVER} for
 * ever, or {@code null} if they are not
 * @since 0.1.0
 */
public record KeyExemption(@Nullable KeyOverride override, @Nullable String ignoredBecause, @Nullable String list,
		@Nullable Duration blockedFor) {

	/** Return whether the key comes under the plans of the rule. */
	public boolean hasPlans() {
		return this.override == null || this.ignoredBecause != null;
	}

}
