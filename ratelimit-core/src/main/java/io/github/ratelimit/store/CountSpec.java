package io.github.ratelimit.store;

import java.util.Arrays;
import java.util.function.BiFunction;
import java.util.stream.Collectors;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.Limit;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.algorithm.CountType;
import org.jspecify.annotations.Nullable;

/**
 * One of the counts that a rule needs. Each limit has one; a limit with an
 * {@linkplain Limit#interval() interval} has a second one behind it, the time of the last
 * call.
 *
 * @param isInterval whether this count keeps the interval between calls; {@code false}
 * for that of a limit
 * @param name the name among several limits, {@code null} for the only one
 * @param limit the limit to count by
 * @param settled whether this is a bucket that records its newest takes, because calls
 * may be settled when others have been counted since
 * @since 0.1.0
 */
public record CountSpec(boolean isInterval, @Nullable String name, Limit limit, boolean settled) {

	static CountSpec of(Limit limit, @Nullable String name, RateLimitRule rule) {
		boolean settled = CountType.of(limit) == CountType.TOKEN_BUCKET && rule.maySettle() && rule.prefetch() == null;
		return new CountSpec(false, name, limit, settled);
	}

	/**
	 * Check that the counts of a rule can take back or charge what calls settle.
	 * @param refusal creates the exception by the reason and the remedy, without periods
	 */
	public static void checkSettling(RateLimitRule rule, BiFunction<String, String, RuntimeException> refusal) {
		if (rule.prefetch() != null) {
			throw refusal.apply("it uses prefetch, and units that instances hold cannot be charged",
					"Remove \"prefetch\"");
		}
		for (Limit limit : rule.limits()) {
			if (!limit.algorithm().hasDebt()) {
				throw refusal.apply(
						"its limit \"" + rule.nameOf(limit) + "\" is counted by " + limit.algorithm().yamlName()
								+ ", which cannot owe units",
						Arrays.stream(Algorithm.values())
							.filter(Algorithm::hasDebt)
							.map(Algorithm::yamlName)
							.sorted()
							.collect(Collectors.joining(", ", "Count it by one of ", "")));
			}
		}
	}

	static CountSpec ofInterval(Limit interval, @Nullable String name) {
		return new CountSpec(true, name, interval, false);
	}

	/**
	 * Return the kind of the state; states of the same kind mean the same.
	 * @return the kind, {@code tokens} for example
	 */
	public String kind() {
		return CountType.of(this.limit, this.isInterval).kind();
	}

	/**
	 * Return whether an admitted call may count more units than are left.
	 * @return whether it counts by an algorithm that {@linkplain Algorithm#hasDebt() has
	 * a debt}
	 */
	public boolean hasDebt() {
		return !this.isInterval && this.limit.algorithm().hasDebt();
	}

	/**
	 * Return whether calls hold the units of this count until they end.
	 * @return whether they come back when calls end, instead of by the time
	 */
	public boolean isHeldByCalls() {
		return CountType.of(this.limit, this.isInterval).isHeldByCalls();
	}

	/**
	 * {@return how many units a call takes from this count} An interval separates calls
	 * of any cost.
	 * @param cost the cost of the call
	 */
	public long units(long cost) {
		return this.isInterval ? Math.min(1, cost) : cost;
	}

	/**
	 * Return the identifier of this count among those of a key. It stays the same when
	 * the numbers of the limit change.
	 * @return the kind and the name
	 */
	public String meaning() {
		return kind() + ' ' + this.name;
	}

}
