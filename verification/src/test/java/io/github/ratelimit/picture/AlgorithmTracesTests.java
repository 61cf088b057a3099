package io.github.ratelimit.picture;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;

import org.junit.jupiter.api.Test;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.Align;
import io.github.ratelimit.Limit;
import io.github.ratelimit.algorithm.Count;
import io.github.ratelimit.algorithm.CountType;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

/**
 * Draws the calls that each algorithm admits out of the same sequence at 5 per 60 s.
 */
class AlgorithmTracesTests {

	private static final long SECOND = 1_000_000;

	/**
	 * Start of a window.
	 */
	private static final long BEGINNING = Duration.ofDays(18_300).toSeconds() * SECOND;

	private static final Limit LIMIT = Limit.of(5, Duration.ofSeconds(60));

	/**
	 * Ten calls across the boundary of two windows, then a steady stream.
	 */
	private static final List<Long> CALLS = LongStream
		.concat(LongStream.of(50, 52, 54, 56, 58, 62, 64, 66, 68, 70), LongStream.rangeClosed(16, 36).map((i) -> 5 * i))
		.mapToObj((second) -> second * SECOND)
		.toList();

	@Test
	void picturesInTheDocumentsAreCurrent() throws IOException {
		Picture.assertCommitted("algorithms.svg", TraceDrawing.of(traces()));
	}

	@Test
	void noPeriodHoldsMoreThanTheDocumentsSay() {
		assertThat(traces()).extracting(Trace::name, Trace::mostInAPeriod)
			.containsExactly(tuple("sliding-log", 5L), tuple("sliding-window", 5L), tuple("weighted-window", 8L),
					tuple("fixed-window, clock", 10L), tuple("fixed-window, first-request", 5L),
					tuple("token-bucket", 9L), tuple("token-bucket, burst 1", 4L),
					tuple("leaky-bucket, max-wait 20s", 5L), tuple("warm-up", 4L));
	}

	private static List<Trace> traces() {
		return List.of(trace("sliding-log", LIMIT.withAlgorithm(Algorithm.SLIDING_LOG), 0),
				trace("sliding-window", LIMIT.withAlgorithm(Algorithm.SLIDING_WINDOW), 0),
				trace("weighted-window", LIMIT.withAlgorithm(Algorithm.WEIGHTED_WINDOW), 0),
				trace("fixed-window, clock", LIMIT.withAlgorithm(Algorithm.FIXED_WINDOW), 0),
				trace("fixed-window, first-request",
						LIMIT.withAlgorithm(Algorithm.FIXED_WINDOW).withAlign(Align.FIRST_REQUEST), 0),
				trace("token-bucket", LIMIT.withAlgorithm(Algorithm.TOKEN_BUCKET), 0),
				trace("token-bucket, burst 1", LIMIT.withAlgorithm(Algorithm.TOKEN_BUCKET).withBurst(1), 0),
				trace("leaky-bucket, max-wait 20s", LIMIT.withAlgorithm(Algorithm.LEAKY_BUCKET), 20 * SECOND),
				trace("warm-up", LIMIT.withAlgorithm(Algorithm.WARM_UP), 0));
	}

	private static Trace trace(String name, Limit limit, long maxWait) {
		Count count = CountType.of(limit.algorithm()).unused();
		List<Trace.Call> calls = new ArrayList<>();
		for (long call : CALLS) {
			long now = BEGINNING + call;
			count.advance(limit, now);
			long wait = count.waitFor(limit, 1);
			boolean admitted = wait <= maxWait;
			if (admitted) {
				count.take(limit, 1, wait);
			}
			calls.add(new Trace.Call((double) call / SECOND, admitted, admitted ? (double) wait / SECOND : 0));
		}
		return new Trace(name, calls);
	}

}
