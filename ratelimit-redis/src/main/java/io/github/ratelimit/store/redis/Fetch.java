package io.github.ratelimit.store.redis;

import java.util.concurrent.atomic.AtomicLong;

import io.github.ratelimit.store.LimitOutcome;
import io.github.ratelimit.store.RuleAnswer;
import org.jspecify.annotations.Nullable;

/**
 * Portion of units that a call fetches for later calls of its key, and an earlier portion
 * that this instance holds no more.
 *
 * @param stock the stock that gets the portion
 * @param wanted the most units to fetch, 0 for none
 * @param id the identifier of the portion
 * @param over the identifier of a portion that is held no more, 0 for none
 * @param unused the units left of it
 * @param sent the time at which the call is sent
 */
record Fetch(@Nullable Stock stock, long wanted, long id, long over, long unused, AtomicLong sent) {

	/** No portion, as of most calls. */
	static final Fetch NOTHING = new Fetch(null, 0, 0, 0, 0);

	/**
	 * No portion, as of a call of whose key some instance is known to hold units. Those
	 * are part of the decision.
	 */
	static final Fetch BESIDE_OTHERS = new Fetch(null, 0, 0, 0, 0);

	Fetch(@Nullable Stock stock, long wanted, long id, long over, long unused) {
		this(stock, wanted, id, over, unused, new AtomicLong());
	}

	/**
	 * Note when the call is sent, so that the portion is over here before it is in Redis.
	 */
	void begin() {
		if (this.stock != null) {
			this.sent.set(this.stock.now());
		}
	}

	/** Note the answer, whether its caller still waits for it or not. */
	void answered(RuleAnswer answer, LimitOutcome granted) {
		if (this.stock != null && this.wanted > 0) {
			this.stock.fetched(this, answer, granted);
		}
	}

}
