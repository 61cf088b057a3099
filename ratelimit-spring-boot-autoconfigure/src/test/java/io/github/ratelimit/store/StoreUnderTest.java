package io.github.ratelimit.store;

import java.util.List;

import io.github.ratelimit.RateLimitRule;

/**
 * A store whose clock the test sets. Nothing it keeps is dropped because real time
 * passes.
 */
public interface StoreUnderTest {

	List<LimitOutcome> acquire(List<Demand> demands);

	LimitOutcome look(Demand demand);

	/**
	 * The outcomes of all limits, rules and limits in order.
	 */
	static List<LimitOutcome> outcomes(StoreAnswer answer) {
		return answer.asList().stream().flatMap((each) -> each.outcomes().stream()).toList();
	}

	void giveBack(List<Refund> refunds);

	void charge(Charge charge);

	/**
	 * Set the clock.
	 * @param micros the time in microseconds
	 */
	void setClock(long micros);

	void reset(RateLimitRule rule, String key);

	/**
	 * Instances of this kind of store on the real clock that count together.
	 */
	List<RateLimitStore> instancesOnTheRealClock();

}
