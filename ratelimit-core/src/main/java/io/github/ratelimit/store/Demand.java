package io.github.ratelimit.store;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

import org.jspecify.annotations.Nullable;

import io.github.ratelimit.Limit;
import io.github.ratelimit.RateLimitRule;

/**
 * Units that one call demands of one rule.
 *
 * @param counts the rule
 * @param key the key
 * @param cost how many units to take from each limit of the rule; 0 only peeks
 * @param maxWaitMicros how long the call may wait instead of being denied, in
 * microseconds
 * @param call the number of the call in this process if it holds something until it ends,
 * else 0
 * @param priority the class that the call names, {@code null} for none
 * @since 0.1.0
 */
public record Demand(RuleCounts counts, StoredKey key, long cost, long maxWaitMicros, int call,
		@Nullable String priority) implements Demands {

	private static final AtomicInteger latestCall = new AtomicInteger();

	/**
	 * Create a new demand.
	 * @param counts the rule
	 * @param key the key
	 * @param cost how many units to take from each limit of the rule; 0 only peeks
	 * @param maxWaitMicros how long the call may wait, in microseconds
	 * @param call the number of the call, 0 if it holds nothing until it ends
	 * @param priority the class that the call names, {@code null} for none
	 * @throws IllegalArgumentException if the cost is negative
	 */
	public Demand {
		if (cost < 0) {
			throw new IllegalArgumentException("The cost of a call of rule \"" + counts.rule().name()
					+ "\" has to be 0 or more, but is " + cost + ". To refund units, call refund().");
		}
	}

	/**
	 * Create a new demand.
	 * @param counts the rule
	 * @param key the key
	 * @param cost how many units to take from each limit of the rule; 0 only peeks
	 * @param maxWaitMicros how long the call may wait, in microseconds
	 * @throws IllegalArgumentException if the cost is negative
	 */
	public Demand(RuleCounts counts, StoredKey key, long cost, long maxWaitMicros) {
		this(counts, key, cost, maxWaitMicros, nextCall(counts, cost), null);
	}

	/**
	 * Create a new demand that may wait as long as the rule allows.
	 * @param counts the rule
	 * @param key the key
	 * @param cost how many units to take
	 * @throws IllegalArgumentException if the cost is negative
	 */
	public Demand(RuleCounts counts, StoredKey key, long cost) {
		this(counts, key, cost, counts.maxWaitMicros());
	}

	/**
	 * Create a new demand of a key as callers write it, that may wait as long as the rule
	 * allows.
	 * @param counts the rule
	 * @param key the key, of any length
	 * @param cost how many units to take
	 * @throws IllegalArgumentException if the cost is negative
	 */
	public Demand(RuleCounts counts, String key, long cost) {
		this(counts, stored(key), cost, counts.maxWaitMicros());
	}

	/**
	 * Create a new demand of a key as callers write it.
	 * @param counts the rule
	 * @param key the key, of any length
	 * @param cost how many units to take
	 * @param maxWait how long the call may wait instead of being denied
	 * @throws IllegalArgumentException if the cost or the wait is negative, or the wait
	 * too long
	 */
	public Demand(RuleCounts counts, String key, long cost, Duration maxWait) {
		this(counts, stored(key), cost, micros(counts.rule(), maxWait));
	}

	/**
	 * Create a new demand of a rule that is not registered.
	 * @param rule the rule, which is prepared anew
	 * @param key the key, of any length
	 * @param cost how many units to take
	 * @throws IllegalArgumentException if the cost is negative
	 */
	public Demand(RateLimitRule rule, String key, long cost) {
		this(RuleCounts.of(rule), key, cost);
	}

	/**
	 * Create a new demand of a rule that is not registered.
	 * @param rule the rule, which is prepared anew
	 * @param key the key, of any length
	 * @param cost how many units to take
	 * @param maxWait how long the call may wait instead of being denied
	 * @throws IllegalArgumentException if the cost or the wait is negative, or the wait
	 * too long
	 */
	public Demand(RateLimitRule rule, String key, long cost, Duration maxWait) {
		this(RuleCounts.of(rule), key, cost, maxWait);
	}

	private static int nextCall(RuleCounts counts, long cost) {
		if (!counts.needsEnd() || cost == 0) {
			return 0;
		}
		int next = latestCall.incrementAndGet();
		return (next != 0) ? next : latestCall.incrementAndGet();
	}

	private static StoredKey stored(String key) {
		return StoredKey.of(Objects.requireNonNull(key,
				"The key must not be null; \"\" is the one counter of a rule without keys"));
	}

	private static long micros(RateLimitRule rule, Duration maxWait) {
		if (maxWait.isNegative() || maxWait.compareTo(Limit.MAX_PERIOD) > 0) {
			throw new IllegalArgumentException("The longest wait of a call of rule \"" + rule.name()
					+ "\" has to be between 0 and 366 days, but is " + maxWait + ".");
		}
		return maxWait.toNanos() / 1000;
	}

	@Override
	public int size() {
		return 1;
	}

	@Override
	public Demand get(int index) {
		return this;
	}

	@Override
	public List<Demand> asList() {
		return List.of(this);
	}

	@Override
	public List<Demand> tried() {
		int candidates = this.counts.candidateCount();
		return (candidates == 0 || this.cost == 0) ? List.of()
				: IntStream.range(0, candidates).mapToObj((i) -> withCounts(this.counts.candidate(i))).toList();
	}

	@Override
	public boolean needsEnd() {
		return this.call != 0;
	}

	@Override
	public Demand map(UnaryOperator<Demand> change) {
		return change.apply(this);
	}

	/**
	 * {@return the rule as it counts now}
	 */
	public RateLimitRule rule() {
		return this.counts.rule();
	}

	/**
	 * Return whether the call may wait so long.
	 * @param wait a wait in microseconds, or {@link LimitOutcome#NEVER}
	 * @return whether a rule that lets the call pass after this wait admits it
	 */
	public boolean accepts(long wait) {
		return wait != LimitOutcome.NEVER && wait <= this.maxWaitMicros;
	}

	/**
	 * {@return the same demand at another cost}
	 * @param changed how many units to take
	 */
	public Demand withCost(long changed) {
		return new Demand(this.counts, this.key, changed, this.maxWaitMicros, this.call, this.priority);
	}

	/**
	 * {@return the same demand of a call that may wait for another time}
	 * @param micros how long the call may wait, in microseconds
	 */
	public Demand withMaxWait(long micros) {
		return new Demand(this.counts, this.key, this.cost, micros, this.call, this.priority);
	}

	/**
	 * Return the same demand of another rule, or of a variant of this one.
	 * @param changed the rule
	 * @return a changed copy, or this demand if the rule is the same
	 */
	public Demand withCounts(RuleCounts changed) {
		return (changed == this.counts) ? this : new Demand(changed, this.key, this.cost, this.maxWaitMicros,
				(this.call != 0) ? this.call : nextCall(changed, this.cost), this.priority);
	}

	/**
	 * Return the same demand of a call of a class.
	 * @param named the class that the call names, {@code null} for none
	 * @return a changed copy, or this demand if the class is the same
	 */
	public Demand withPriority(@Nullable String named) {
		return Objects.equals(named, this.priority) ? this
				: new Demand(this.counts, this.key, this.cost, this.maxWaitMicros, this.call, named);
	}

	/**
	 * Return the same demand of the rule as it decides calls of this class.
	 * @return a changed copy, whose class is {@code null} if the rule has none; or this
	 * demand if the rule and the call have none
	 */
	public Demand belowHeadroom() {
		String ofClass = rule().classOf(this.priority);
		return (ofClass == null) ? withPriority(null)
				: withCounts(this.counts.variants().below(ofClass)).withPriority(ofClass);
	}

}
