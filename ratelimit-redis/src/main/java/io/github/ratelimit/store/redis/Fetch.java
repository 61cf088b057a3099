package io.github.ratelimit.store.redis;

import io.github.ratelimit.store.LimitOutcome;
import io.github.ratelimit.store.RuleAnswer;
import org.jspecify.annotations.Nullable;

/**
 * Portion of units that a call fetches for later calls of its key, and an earlier portion
 * that this instance holds no more.
 */
final class Fetch {

	/**
	 * No portion, as of most calls.
	 */
	static final Fetch NOTHING = new Fetch(null, 0, 0, 0, 0);

	/**
	 * No portion, as of a call of whose key some instance is known to hold units. Those
	 * are part of the decision.
	 */
	static final Fetch BESIDE_OTHERS = new Fetch(null, 0, 0, 0, 0);

	private final @Nullable Stock stock;

	private final long wanted;

	private final long id;

	private final long over;

	private final long unused;

	private volatile long sent;

	/**
	 * Create a new fetch.
	 * @param stock the stock that gets the portion
	 * @param wanted the most units to fetch, 0 for none
	 * @param id the identifier of the portion
	 * @param over the identifier of a portion that is held no more, 0 for none
	 * @param unused the units left of it
	 */
	Fetch(@Nullable Stock stock, long wanted, long id, long over, long unused) {
		this.stock = stock;
		this.wanted = wanted;
		this.id = id;
		this.over = over;
		this.unused = unused;
	}

	long wanted() {
		return this.wanted;
	}

	long id() {
		return this.id;
	}

	long over() {
		return this.over;
	}

	long unused() {
		return this.unused;
	}

	/**
	 * Note the time at which the call is sent. The portion is held from then on, so that
	 * it is over here before it is over in Redis.
	 */
	void sent() {
		if (this.stock != null) {
			this.sent = this.stock.now();
		}
	}

	/**
	 * Note the answer, whether its caller still waits for it or not.
	 * @param answer the answer to the call
	 * @param portion the units granted, and the time until they count
	 */
	void answered(RuleAnswer answer, LimitOutcome portion) {
		if (this.stock != null && this.wanted > 0) {
			this.stock.fetched((portion.remaining() == 0) ? null
					: new Portion(this.id, answer, portion, this.wanted, this.sent, this.stock.now()));
		}
	}

}
