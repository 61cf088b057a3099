package io.github.ratelimit.override;

import java.util.Map;
import java.util.Set;

import org.jspecify.annotations.Nullable;

/**
 * Changes of overrides of keys since a version.
 *
 * @param time the time of the store, in microseconds since 1970-01-01T00:00Z
 * @param version the version after the changes, empty if nothing was ever stored
 * @param keys the keys that have changed, by rule; {@code null} if they are not known any
 * more, so that all overrides have to be read
 * @since 0.1.0
 */
public record KeyOverrideChanges(long time, String version, @Nullable Map<String, Set<String>> keys) {

}
