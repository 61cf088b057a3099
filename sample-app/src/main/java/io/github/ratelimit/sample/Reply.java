package io.github.ratelimit.sample;

import java.time.Instant;

/**
 * What a user has answered in the forum.
 */
public record Reply(String userId, String text, Instant postedAt) {
}
