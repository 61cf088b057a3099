package io.github.ratelimit.store;

import java.util.List;
import java.util.concurrent.CompletionStage;

/**
 * Store by which instances share summaries of their calls, to find the keys with most
 * denials of all.
 *
 * @since 0.1.0
 */
public interface SummaryStore {

	/**
	 * Share a summary of this instance, instead of its earlier one, without blocking the
	 * caller. It is of no interest to decisions: a failure is no failure of the store.
	 * @param rule the name of the rule that it is about
	 * @param content the summary
	 * @return completes when it is stored
	 */
	CompletionStage<?> shareSummary(String rule, byte[] content);

	/**
	 * Return the summaries that other instances have shared in the last ten minutes,
	 * blocking the caller for a bounded time.
	 * @param rule the name of the rule
	 * @return a summary per instance, in any order
	 * @throws StoreException if the store does not answer
	 */
	List<SharedSummary> summariesOfOthers(String rule);

	/**
	 * Summary that another instance has shared.
	 *
	 * @param age how long ago it was shared, in microseconds
	 * @param content the summary
	 */
	record SharedSummary(long age, byte[] content) {

	}

}
