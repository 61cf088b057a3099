package io.github.ratelimit.override;

import java.util.Map;
import java.util.Set;

import org.jspecify.annotations.Nullable;

/**
 * Changes of overrides since a version.
 *
 * @param time the time of the store, in microseconds since 1970-01-01T00:00Z
 * @param rulesVersion the version of the overrides of rules, which differs after every
 * change; empty if none was ever stored
 * @param keysVersion the same of the overrides of keys; not empty if that is not known
 * @param keys the keys whose overrides have changed, by rule; {@code null} if they are
 * not known any more, so that all overrides of keys have to be read
 * @since 0.1.0
 */
public record OverrideChanges(long time, String rulesVersion, String keysVersion,
		@Nullable Map<String, Set<String>> keys) {

}
