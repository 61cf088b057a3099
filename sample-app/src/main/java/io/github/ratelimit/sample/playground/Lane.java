package io.github.ratelimit.sample.playground;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;

import org.jspecify.annotations.Nullable;

import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.RateLimiterRegistry;

/**
 * One of the two rules of a visit, and what it has decided.
 */
final class Lane {

	private final RateLimiterRegistry registry;

	private final String name;

	private final String key;

	/**
	 * The calls since the last report, in the order in which they were sent.
	 */
	private final Queue<CompletableFuture<Call>> asked = new ConcurrentLinkedQueue<>();

	private volatile @Nullable RateLimiter limiter;

	private long admitted;

	private long denied;

	/**
	 * Create a new lane without a rule.
	 * @param name the rule to register
	 * @param key who it counts
	 */
	Lane(RateLimiterRegistry registry, String name, String key) {
		this.registry = registry;
		this.name = name;
		this.key = key;
	}

	/**
	 * Takes effect with the next call and keeps what was consumed.
	 */
	void change(RuleForm form) {
		this.limiter = this.registry.register(form.toRule(this.name));
	}

	/**
	 * Ask the rule. Nobody waits for the answer.
	 */
	void call(Duration now) {
		RateLimiter known = this.limiter;
		if (known != null) {
			RateLimitRule rule = known.rule();
			this.asked.add(known.tryAcquireAsync(this.key, 1)
				.thenApply((decision) -> Call.of(now, rule, decision))
				.toCompletableFuture());
		}
	}

	/**
	 * Forget what was counted.
	 */
	synchronized void reset() {
		RateLimiter used = this.limiter;
		if (used != null) {
			used.reset(this.key);
		}
		this.admitted = 0;
		this.denied = 0;
	}

	/**
	 * What was decided since the last report, and where the rule stands.
	 * @return the report, or {@code null} as long as there is no rule
	 */
	synchronized @Nullable LaneReport report() {
		RateLimiter asked = this.limiter;
		if (asked == null) {
			return null;
		}
		List<Call> calls = drain();
		Reading reading = Reading.of(asked.rule(), asked.peek(this.key));
		return new LaneReport(this.admitted, this.denied, calls, reading);
	}

	private List<Call> drain() {
		List<Call> calls = new ArrayList<>();
		for (CompletableFuture<Call> next = this.asked.peek(); next != null
				&& next.isDone(); next = this.asked.peek()) {
			this.asked.remove();
			if (next.isCompletedExceptionally()) {
				continue;
			}
			Call call = next.join();
			calls.add(call);
			if (call.allowed()) {
				this.admitted++;
			}
			else {
				this.denied++;
			}
		}
		return calls;
	}

	/**
	 * What the page draws of a lane.
	 *
	 * @param admitted how many calls went on since the last reset
	 * @param denied how many did not
	 * @param calls those since the last report
	 * @param reading how full the limit is
	 */
	record LaneReport(long admitted, long denied, List<Call> calls, Reading reading) {
	}

}
