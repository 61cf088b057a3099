package io.github.ratelimit.client;

import java.time.Clock;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Executor;

import org.jspecify.annotations.Nullable;

/**
 * Observer of the answers of APIs, which blocks a key for as long as an API admits no
 * requests.
 *
 * @since 0.1.0
 */
public record AnswerObserver(KeyBlocks blocks, Duration maxBlock, Clock clock) {

	private static final int TOO_MANY_REQUESTS = 429;

	private static final int SERVICE_UNAVAILABLE = 503;

	private static final Duration SHORTEST = Duration.ofMillis(1);

	void observe(String rule, String key, Answer answer, Executor sharing) {
		Duration time = pause(answer);
		if (time != null && time.compareTo(SHORTEST) >= 0) {
			this.blocks.block(rule, key, (time.compareTo(this.maxBlock) < 0) ? time : this.maxBlock, sharing);
		}
	}

	/**
	 * Return how long the API admits no requests. {@code Retry-After} wins, since it is
	 * about this very request.
	 */
	@Nullable Duration pause(Answer answer) {
		boolean isDenied = answer.status() == TOO_MANY_REQUESTS || answer.status() == SERVICE_UNAVAILABLE;
		Duration retryAfter = isDenied ? retryAfter(answer.retryAfter()) : null;
		if (retryAfter != null) {
			return retryAfter;
		}
		return (answer.rateLimit() != null) ? Answer.RateLimitField.exhaustedFor(answer.rateLimit()) : null;
	}

	/**
	 * Return the longest time of all lines: a server and a proxy may each add one.
	 */
	private @Nullable Duration retryAfter(List<String> lines) {
		return lines.stream()
			.map((line) -> Answer.RetryAfterField.time(line.strip(), this.clock))
			.filter(Objects::nonNull)
			.max(Comparator.naturalOrder())
			.orElse(null);
	}

}
