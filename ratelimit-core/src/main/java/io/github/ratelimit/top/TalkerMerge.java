package io.github.ratelimit.top;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import io.github.ratelimit.top.TalkerList.Talker;

/**
 * Merge of summaries, of several instances and times. Counts and errors of a key are
 * added up; in a summary that does not have a counter for it, the key may have occurred
 * as often as the smallest count says, which is both its count and its error there.
 *
 * <p>
 * Each summary of {@code n} calls has {@code m} counters, so fewer than {@code m} keys
 * have a merged count above the sum of {@code n / m}: what is above the smallest counts
 * adds up to the calls less {@code m} times the smallest counts. So the {@code m} largest
 * merged counts contain each key with more than {@code 1 / m} of all calls. (P. Agarwal
 * et al., <i>Mergeable Summaries</i>, PODS 2012, shows the same.)
 */
final class TalkerMerge {

	/** Calls by key, less the smallest counts of the summaries that have it. */
	private final Map<String, Talker> sums = new HashMap<>();

	private long total;

	private long smallest;

	private long oldest;

	/**
	 * Add the summaries of a window that are not older than ten minutes.
	 * @param window an encoded {@link TalkerWindow}
	 * @param age how long ago it was encoded, in microseconds
	 * @throws BufferUnderflowException if it ends too early
	 */
	void add(ByteBuffer window, long age) {
		while (window.hasRemaining()) {
			long begun = age + window.getLong();
			boolean isRecent = begun >= 0 && begun < TalkerWindow.LENGTH.toNanos() / 1000;
			if (isRecent) {
				this.oldest = Math.max(this.oldest, begun);
			}
			addSummary(window, isRecent);
		}
	}

	private void addSummary(ByteBuffer summary, boolean isRecent) {
		long calls = summary.getLong();
		long missing = summary.getLong();
		int keys = summary.getInt();
		if (isRecent) {
			this.total += calls;
			this.smallest += missing;
		}
		for (int i = 0; i < keys; i++) {
			long count = summary.getLong();
			long error = summary.getLong();
			byte[] key = new byte[length(summary)];
			summary.get(key);
			if (isRecent) {
				String text = new String(key, StandardCharsets.UTF_8);
				this.sums.merge(text, new Talker(text, count - missing, error - missing), TalkerMerge::sum);
			}
		}
	}

	private static Talker sum(Talker one, Talker other) {
		return new Talker(one.key(), one.count() + other.count(), one.error() + other.error());
	}

	private static int length(ByteBuffer summary) {
		int length = summary.getInt();
		if (length < 0 || length > summary.remaining()) {
			throw new BufferUnderflowException();
		}
		return length;
	}

	/** Return so many keys with the largest counts at most. */
	TalkerList largest(int size) {
		List<Talker> all = this.sums.values()
			.stream()
			.map((each) -> new Talker(each.key(), each.count() + this.smallest, each.error() + this.smallest))
			.sorted(Comparator.comparingLong(Talker::count)
				.reversed()
				.thenComparingLong(Talker::error)
				.thenComparing(Talker::key))
			.limit(size)
			.toList();
		return new TalkerList(this.total, Duration.of(this.oldest, ChronoUnit.MICROS), all);
	}

}
