package io.github.ratelimit.sample.playground;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.Decision;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.RateLimiterRegistry;
import io.github.ratelimit.RateLimiterUnavailableException;
import io.github.ratelimit.Reservation;

/**
 * One of the two rules of a visit, with its decisions.
 */
final class Lane {

	private static final Logger logger = LoggerFactory.getLogger(Lane.class);

	private final RateLimiterRegistry registry;

	private final String name;

	private final String key;

	private final SharedRule shared;

	/**
	 * Calls since the last report, in the order in which they were sent.
	 */
	private final Queue<CompletableFuture<Call>> pending = new ConcurrentLinkedQueue<>();

	private volatile @Nullable RateLimiter limiter;

	private volatile Duration callTakes = Duration.ZERO;

	private boolean registered;

	private boolean closed;

	private long admitted;

	private long denied;

	/**
	 * Create a new lane without a rule.
	 * @param name the rule to register
	 * @param key the key that it counts
	 * @param shared the rule of lanes that are plans
	 */
	Lane(RateLimiterRegistry registry, String name, String key, SharedRule shared) {
		this.registry = registry;
		this.name = name;
		this.key = key;
		this.shared = shared;
	}

	/**
	 * Change the rule, or the plan of the rule that both lanes share. The change takes
	 * effect with the next call and keeps consumed units.
	 */
	synchronized void change(RuleForm form) {
		if (this.closed) {
			throw new NoSuchElementException("The visit is over.");
		}
		this.callTakes = form.timeOfCall();
		String plan = form.plan();
		if (plan == null || plan.isBlank()) {
			this.limiter = this.registry.register(form.toRule(this.name));
			this.registered = true;
			this.shared.leave(this.name);
		}
		else {
			this.limiter = this.shared.change(this.name, plan, form);
		}
	}

	/**
	 * Send a call without waiting for its decision.
	 */
	void call(Duration now) {
		RateLimiter known = this.limiter;
		if (known != null) {
			RateLimitRule rule = known.rule();
			this.pending.add(decide(known).thenApply((decision) -> Call.of(now, rule, decision)).toCompletableFuture());
		}
	}

	private CompletionStage<Decision> decide(RateLimiter known) {
		boolean hasSlots = known.rule().limits().get(0).algorithm() == Algorithm.CONCURRENCY;
		return hasSlots ? known.reserveAsync(this.key).thenApply(this::run) : known.tryAcquireAsync(this.key);
	}

	/**
	 * Run a call that does nothing but take its time.
	 */
	private Decision run(Reservation slot) {
		CompletableFuture.delayedExecutor(this.callTakes.toMillis(), TimeUnit.MILLISECONDS).execute(slot::close);
		return slot.decision();
	}

	/**
	 * Reset the counts, after the decisions of all calls on their way.
	 */
	synchronized void reset() {
		this.pending.forEach((call) -> call.handle((decided, failure) -> decided).join());
		this.pending.clear();
		RateLimiter used = this.limiter;
		if (used != null) {
			used.reset(this.key);
		}
		this.admitted = 0;
		this.denied = 0;
	}

	/**
	 * Reset the counts and remove the rule. A store that cannot answer forgets the key of
	 * a visit by itself.
	 */
	synchronized void close() {
		this.closed = true;
		try {
			reset();
		}
		catch (RateLimiterUnavailableException ex) {
			logger.debug("The counts of rule {} are not reset", this.name, ex);
		}
		if (this.registered) {
			this.registry.remove(this.name);
		}
	}

	/**
	 * Return the decisions since the last report, and the state of the rule.
	 * @return the report, or {@code null} as long as there is no rule
	 */
	synchronized @Nullable LaneReport report() {
		RateLimiter current = this.limiter;
		if (current == null) {
			return null;
		}
		List<Call> calls = drain();
		Reading reading = Reading.of(current.rule(), current.peek(this.key));
		return new LaneReport(this.admitted, this.denied, calls, reading);
	}

	private List<Call> drain() {
		List<Call> calls = new ArrayList<>();
		for (CompletableFuture<Call> next = this.pending.peek(); next != null
				&& next.isDone(); next = this.pending.peek()) {
			this.pending.remove();
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
	 * Report on a lane, which the page draws.
	 *
	 * @param admitted calls admitted since the last reset
	 * @param denied calls denied since the last reset
	 * @param calls calls since the last report
	 * @param reading how full the limit is
	 */
	record LaneReport(long admitted, long denied, List<Call> calls, Reading reading) {
	}

}
