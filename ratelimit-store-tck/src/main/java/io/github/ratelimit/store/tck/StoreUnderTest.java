package io.github.ratelimit.store.tck;

import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.store.Correction;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.Demands;
import io.github.ratelimit.store.LimitOutcome;
import io.github.ratelimit.store.RateLimitStore;
import io.github.ratelimit.store.RuleAnswer;
import io.github.ratelimit.store.RuleCounts;
import io.github.ratelimit.store.StoreAnswer;
import io.github.ratelimit.store.StoredKey;

/**
 * Store whose clock is set by the test. The author of a store implements the three
 * abstract methods and registers the class as a {@linkplain java.util.ServiceLoader
 * service}. It needs a public constructor without parameters, which is called once per
 * JVM. {@link Object#toString()} names the store in reports.
 *
 * <p>
 * All tests call the same instance, each with keys of its own: nothing has to be removed
 * between them, but nothing may be counted when the JVM starts. Calls come from one
 * thread, except for those of {@link #instancesOnTheRealClock()}.
 *
 * @since 0.1.0
 */
public interface StoreUnderTest {

	/**
	 * Return the store, which counts by the clock of {@link #setClock(long)}. It drops a
	 * state only when a call of the key finds that it equals an unused one, never as real
	 * time passes: tests set the clock back.
	 * @return the same store each time
	 */
	RateLimitStore store();

	/**
	 * Set the clock, which then stands still. Calls that the store has not answered yet
	 * keep the time at which they were made.
	 * @param micros the time in microseconds since 1970, at any distance before or after
	 * the last one
	 */
	void setClock(long micros);

	/**
	 * Return stores of this kind that count together on their real clock, as instances of
	 * an application do. Many threads call them at the same time. A store that counts for
	 * one process only returns a single one.
	 * @return one or more stores, which may be those of an earlier call
	 */
	List<RateLimitStore> instancesOnTheRealClock();

	/**
	 * Decide a call.
	 * @param demands the demands of the call
	 * @return the outcomes of all limits, in order of rules and limits
	 */
	default List<LimitOutcome> acquire(List<Demand> demands) {
		return outcomes(answer(Demands.of(demands)));
	}

	/**
	 * Decide a call, by {@link RateLimitStore#acquire(Demands)} by default.
	 * @param demands the demands of the call
	 * @return the answer
	 */
	default StoreAnswer answer(Demands demands) {
		return store().acquire(demands);
	}

	/**
	 * Return the answer that a call would get, by {@link RateLimitStore#peek(Demand)} by
	 * default.
	 * @param demand the demand of the call
	 * @return the answer
	 */
	default RuleAnswer answerToPeek(Demand demand) {
		return store().peek(demand);
	}

	/**
	 * Return the outcome that a call would have under the first limit of its rule.
	 * @param demand the demand of the call
	 * @return the outcome
	 */
	default LimitOutcome peek(Demand demand) {
		return answerToPeek(demand).outcomes().get(0);
	}

	/**
	 * Correct counts, by {@link RateLimitStore#correct(List)} by default.
	 * @param corrections the corrections
	 */
	default void correct(List<Correction> corrections) {
		join(store().correct(corrections));
	}

	/**
	 * Forget the counts of a key, by {@link RateLimitStore#reset(RuleCounts, StoredKey)}
	 * by default.
	 * @param rule the rule
	 * @param key the key
	 */
	default void reset(RateLimitRule rule, String key) {
		store().reset(RuleCounts.of(rule), StoredKey.of(key));
	}

	/**
	 * Send a call of a walk, which needs no answer yet. It is decided after all earlier
	 * calls, at the current time of the clock. By default, it is decided by
	 * {@link RateLimitStore#acquireAsync(Demands)}, and its answer awaited. A store with
	 * long round trips may send many calls before it awaits the first answer.
	 * @param demands the demands of the call
	 * @return waits for the outcomes of all limits, in order of rules and limits
	 */
	default Supplier<List<LimitOutcome>> acquireLater(List<Demand> demands) {
		List<LimitOutcome> outcomes = outcomes(join(store().acquireAsync(Demands.of(demands))));
		return () -> outcomes;
	}

	/**
	 * Send corrections of a walk, as {@link #acquireLater(List)} sends a call, by
	 * {@link RateLimitStore#correct(List)} by default.
	 * @param corrections the corrections
	 * @return waits until they are done
	 */
	default Runnable correctLater(List<Correction> corrections) {
		correct(corrections);
		return () -> {
		};
	}

	/**
	 * Return the outcomes of an answer.
	 * @param answer the answer
	 * @return the outcomes of all limits, in order of rules and limits
	 */
	static List<LimitOutcome> outcomes(StoreAnswer answer) {
		return answer.asList().stream().flatMap((each) -> each.outcomes().stream()).toList();
	}

	private static <T> T join(CompletionStage<T> stage) {
		return stage.toCompletableFuture().join();
	}

}
