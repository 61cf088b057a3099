package io.github.ratelimit.sample;

import java.time.Instant;

/**
 * Reply of a user in the forum.
 */
public record Reply(String userId, String text, Instant postedAt) {
}
