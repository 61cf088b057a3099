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
 * Store whose clock is set by the test. It drops nothing as real time passes. Its
 * implementations are services of the class path, and every common test runs for each.
 *
 * @since 0.1.0
 */
public interface StoreUnderTest {

	/**
	 * Decide a call.
	 * @param demands the demands of the call, at least one
	 * @return the outcomes of all limits, in order of rules and limits
	 */
	default List<LimitOutcome> acquire(List<Demand> demands) {
		return outcomes(answer(Demands.of(demands)));
	}

	/**
	 * Decide a call.
	 * @param demands the demands of the call, at least one
	 * @return the answer of each rule
	 */
	StoreAnswer answer(Demands demands);

	/**
	 * Return the answer that a call would get. No state changes.
	 * @param demand the demand of the call
	 * @return the answer
	 */
	RuleAnswer answerToPeek(Demand demand);

	/**
	 * Return the outcome that a call would get. No state changes.
	 * @param demand the demand of the call
	 * @return the outcome of the first limit
	 */
	default LimitOutcome peek(Demand demand) {
		return answerToPeek(demand).outcomes().get(0);
	}

	/**
	 * Return the outcomes of all limits, in order of rules and limits.
	 * @param answer the answer of each rule
	 * @return the outcomes
	 */
	static List<LimitOutcome> outcomes(StoreAnswer answer) {
		return answer.asList().stream().flatMap((each) -> each.outcomes().stream()).toList();
	}

	/**
	 * Refund units, as {@link RateLimitStore#refund(List)} does.
	 * @param refunds the units, at least one
	 */
	void refund(List<Refund> refunds);

	/**
	 * Count units beyond those that calls took, as {@link RateLimitStore#owe(List)} does.
	 * @param debts the units, at least one
	 */
	void owe(List<Debt> debts);

	/**
	 * Count units that were admitted elsewhere, as {@link RateLimitStore#charge(List)}
	 * does.
	 * @param charge the units
	 */
	void charge(Charge charge);

	/**
	 * Send a call without waiting for the answer. It is decided after all earlier calls,
	 * at the current time of the clock.
	 * @param demands the demands of the call, at least one
	 * @return waits for the answer
	 */
	default Supplier<List<LimitOutcome>> acquireLater(List<Demand> demands) {
		List<LimitOutcome> outcomes = acquire(demands);
		return () -> outcomes;
	}

	/**
	 * Refund without waiting, as {@link #acquireLater(List)}.
	 * @param refunds the units, at least one
	 * @return waits until it is done
	 */
	default Supplier<?> refundLater(List<Refund> refunds) {
		refund(refunds);
		return () -> null;
	}

	/**
	 * Count debts without waiting, as {@link #acquireLater(List)}.
	 * @param debts the units, at least one
	 * @return waits until it is done
	 */
	default Supplier<?> oweLater(List<Debt> debts) {
		owe(debts);
		return () -> null;
	}

	/**
	 * Charge without waiting, as {@link #acquireLater(List)}.
	 * @param charge the units
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

	/**
	 * Forget the counts of a key.
	 * @param rule the rule
	 * @param key the key
	 */
	void reset(RateLimitRule rule, String key);

	/**
	 * Return instances of this kind of store on the real clock that count together.
	 * @return the instances
	 */
	List<RateLimitStore> instancesOnTheRealClock();

}
