package io.github.ratelimit.store.tck;

import java.util.List;
import java.util.function.Supplier;

import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.store.Charge;
import io.github.ratelimit.store.Debt;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.Demands;
import io.github.ratelimit.store.LimitOutcome;
import io.github.ratelimit.store.RateLimitStore;
import io.github.ratelimit.store.Refund;
import io.github.ratelimit.store.RuleAnswer;
import io.github.ratelimit.store.StoreAnswer;

/**
 * Store whose clock is set by the test. It drops nothing as real time passes.
 */
public interface StoreUnderTest {

	default List<LimitOutcome> acquire(List<Demand> demands) {
		return outcomes(answer(Demands.of(demands)));
	}

	StoreAnswer answer(Demands demands);

	RuleAnswer answerToPeek(Demand demand);

	default LimitOutcome peek(Demand demand) {
		return answerToPeek(demand).outcomes().get(0);
	}

	/**
	 * Return the outcomes of all limits, in order of rules and limits.
	 */
	static List<LimitOutcome> outcomes(StoreAnswer answer) {
		return answer.asList().stream().flatMap((each) -> each.outcomes().stream()).toList();
	}

	void refund(List<Refund> refunds);

	void owe(List<Debt> debts);

	void charge(Charge charge);

	/**
	 * Send a call without waiting for the answer. It is decided after all earlier calls,
	 * at the current time of the clock.
	 * @return waits for the answer
	 */
	default Supplier<List<LimitOutcome>> acquireLater(List<Demand> demands) {
		List<LimitOutcome> outcomes = acquire(demands);
		return () -> outcomes;
	}

	/**
	 * Refund without waiting, as {@link #acquireLater(List)}.
	 * @return waits until it is done
	 */
	default Supplier<?> refundLater(List<Refund> refunds) {
		refund(refunds);
		return () -> null;
	}

	/**
	 * Count debts without waiting, as {@link #acquireLater(List)}.
	 * @return waits until it is done
	 */
	default Supplier<?> oweLater(List<Debt> debts) {
		owe(debts);
		return () -> null;
	}

	/**
	 * Charge without waiting, as {@link #acquireLater(List)}.
	 * @return waits until it is done
	 */
	default Supplier<?> chargeLater(Charge charge) {
		charge(charge);
		return () -> null;
	}

	/**
	 * Perform the remaining checks at the end of a test.
	 */
	default void settle() {
	}

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
