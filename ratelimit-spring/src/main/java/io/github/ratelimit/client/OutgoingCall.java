package io.github.ratelimit.client;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.stream.Collectors;

import io.github.ratelimit.Decision;
import io.github.ratelimit.RateLimitInterruptedException;
import io.github.ratelimit.engine.CallDelay;
import io.github.ratelimit.engine.DecidedCall;
import io.github.ratelimit.interceptor.CallLimiter;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.Demands;
import org.jspecify.annotations.Nullable;

/**
 * One attempt to send a request. It may be decided several times, because it waits until
 * a block of its key ends.
 *
 * @since 0.1.0
 */
public final class OutgoingCall {

	private final List<Key> keys;

	private final CallLimiter limiter;

	private final CallDelay delay;

	private final KeyBlocks blocks;

	/** Microseconds that the call has waited for the ends of blocks, by their rules. */
	private final Map<String, Long> waited = new HashMap<>();

	OutgoingCall(List<Key> keys, CallLimiter limiter, CallDelay delay, KeyBlocks blocks) {
		this.keys = keys;
		this.limiter = limiter;
		this.delay = delay;
		this.blocks = blocks;
	}

	public DecidedCall acquire() {
		Demands demands = demands();
		DecidedCall blocked = shortlyBlocked(demands);
		return (blocked != null) ? blocked : this.limiter.acquire(demands, null);
	}

	public CompletableFuture<DecidedCall> acquireAsync() {
		Demands demands = demands();
		DecidedCall blocked = shortlyBlocked(demands);
		return (blocked != null) ? CompletableFuture.completedFuture(blocked)
				: this.limiter.acquireAsync(demands, null);
	}

	/** Find a block that the call waits for, so that no denial is reported. */
	private @Nullable DecidedCall shortlyBlocked(Demands demands) {
		DecidedCall known = this.limiter.engine().known(demands);
		return (known != null && microsOfShortBlock(known.decision()) > 0) ? known : null;
	}

	private Demands demands() {
		return Demands.of(this.keys.stream().map(Key::demand).toList()).map(this::withWaitLeft);
	}

	private Demand withWaitLeft(Demand demand) {
		return this.waited.containsKey(demand.rule().name()) ? demand.withMaxWait(waitLeft(demand)) : demand;
	}

	private long waitLeft(Demand demand) {
		return Math.max(0, demand.maxWaitMicros() - this.waited.getOrDefault(demand.rule().name(), 0L));
	}

	/**
	 * Wait until the block of the key ends, if the call may wait so long. It is decided
	 * again then. The wait is part of the {@code max-wait} of the rules that block.
	 * @return whether the call has waited; otherwise the decision stands
	 * @throws RateLimitInterruptedException if the thread is interrupted, and stays so
	 */
	public boolean awaitBlock(Decision decision) {
		Duration wait = waitForBlock(decision);
		if (wait == null) {
			return false;
		}
		try {
			this.delay.await(wait);
			return true;
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new RateLimitInterruptedException(decision.rule(), ex);
		}
	}

	/**
	 * Wait until the block of the key ends without blocking the caller, if the call may
	 * wait so long. It is decided again then.
	 * @return a future that completes when the block has ended, or {@code null} if the
	 * decision stands
	 */
	public @Nullable CompletableFuture<Void> awaitBlockAsync(Decision decision) {
		Duration wait = waitForBlock(decision);
		return (wait != null) ? this.delay.awaitAsync(wait) : null;
	}

	private @Nullable Duration waitForBlock(Decision decision) {
		long micros = microsOfShortBlock(decision);
		if (micros == 0) {
			return null;
		}
		blocking(decision).forEach((rule) -> this.waited.merge(rule, micros, Long::sum));
		return Duration.of(micros, ChronoUnit.MICROS);
	}

	private static Set<String> blocking(Decision decision) {
		return decision.denials()
			.stream()
			.filter((denial) -> denial.cause() == Decision.Cause.BLOCK)
			.map(Decision.Denial::rule)
			.collect(Collectors.toSet());
	}

	/** Return the time until the block of the key ends, 0 if the decision stands. */
	private long microsOfShortBlock(Decision decision) {
		Set<String> blocking = blocking(decision);
		if (blocking.isEmpty() || decision.retryAfter().equals(Decision.NEVER)) {
			return 0;
		}
		long micros = Math.max(1, decision.retryAfter().toNanos() / 1000);
		boolean isShortEnough = this.keys.stream()
			.filter((limited) -> blocking.contains(limited.rule()))
			.allMatch((limited) -> micros <= waitLeft(limited.demand()));
		return isShortEnough ? micros : 0;
	}

	/**
	 * Obey the answer, if it forbids requests for some time.
	 * @param sharing runs a task that may block and blocks the key in other instances
	 */
	public void answered(Answer answer, Executor sharing) {
		for (Key limited : this.keys) {
			if (limited.obey()) {
				this.blocks.observe(limited.rule(), limited.key(), answer, sharing);
			}
		}
	}

	record Key(Demand demand, String key, boolean obey) {

		String rule() {
			return this.demand.rule().name();
		}

		Key or(Key same) {
			return this.obey ? this : same;
		}

	}

}
