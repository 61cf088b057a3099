package io.github.ratelimit.store.jdbc;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.RateLimitStore;
import io.github.ratelimit.store.RuleAnswer;
import io.github.ratelimit.store.RuleCounts;

/**
 * Deletion of expired rows, in the background. Once a minute, one of all instances
 * deletes them: the one that a rate limit of the store itself admits. It stops after some
 * time, and goes on a minute later.
 */
final class ExpiredRows {

	private static final Logger logger = System.getLogger(ExpiredRows.class.getName());

	private static final Duration PERIOD = Duration.ofMinutes(1);

	/** Number of rows that are deleted at a time. */
	private static final int MOST_ROWS = 500;

	private static final int MOST_TRANSACTIONS = 100;

	private final RuleCounts turns = RuleCounts.of(RateLimitRule.named("ratelimit-store-expired-rows")
		.limit(1, PERIOD)
		.algorithm(Algorithm.FIXED_WINDOW)
		.build());

	private final CallQueue queue;

	private final StateTable table;

	ExpiredRows(CallQueue queue, StateTable table) {
		this.queue = queue;
		this.table = table;
	}

	/** Begin, each instance at a time of its own. */
	void begin(RateLimitStore store, ScheduledExecutorService timer) {
		long millis = PERIOD.toMillis();
		timer.scheduleWithFixedDelay(() -> deleteInTurn(store), ThreadLocalRandom.current().nextLong(millis), millis,
				TimeUnit.MILLISECONDS);
	}

	private void deleteInTurn(RateLimitStore store) {
		try {
			if (this.table.isUsed()) { // otherwise a migration may be about to create it
				RuleAnswer turn = (RuleAnswer) store.acquire(new Demand(this.turns, "", 1));
				if (turn.isAdmitted()) {
					delete(turn.time());
				}
			}
		}
		catch (RuntimeException | Error ex) { // the timer would end with it
			logger.log(Level.DEBUG, "Expired rows were not deleted", ex);
		}
	}

	/** Delete rows that have expired by a time of the database, in microseconds. */
	void delete(long time) {
		Set<RowKey> leftAlone = ConcurrentHashMap.newKeySet();
		boolean more = true;
		for (int i = 0; i < MOST_TRANSACTIONS && more; i++) {
			more = this.queue.run((connection) -> this.table.deleteExpired(connection, time, MOST_ROWS, leftAlone))
				.orTimeout(10, TimeUnit.SECONDS) // and repeated no more
				.join();
		}
	}

}
