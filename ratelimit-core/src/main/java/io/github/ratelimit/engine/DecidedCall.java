package io.github.ratelimit.engine;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

import org.jspecify.annotations.Nullable;

import io.github.ratelimit.Decision;
import io.github.ratelimit.Limit;
import io.github.ratelimit.RateLimitInterruptedException;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.Demands;
import io.github.ratelimit.store.StoreAnswer;

/**
 * Decision of a call, and the units that it took. A call that gives up refunds them, and
 * one that ends settles them. The first refund or end counts, and all others do nothing.
 *
 * @since 0.1.0
 */
public final class DecidedCall {

	private static final VarHandle ENDED = ended();

	private final @Nullable StoreAnswer answer;

	private final @Nullable TakenUnits taken;

	private final Decision decision;

	private final @Nullable Shadow shadow;

	private volatile int ended;

	private DecidedCall(@Nullable StoreAnswer answer, @Nullable TakenUnits taken, Decision decision,
			@Nullable Shadow shadow) {
		this.answer = answer;
		this.taken = taken;
		this.decision = decision;
		this.shadow = shadow;
	}

	private static VarHandle ended() {
		try {
			return MethodHandles.lookup().findVarHandle(DecidedCall.class, "ended", int.class);
		}
		catch (ReflectiveOperationException ex) {
			throw new IllegalStateException(ex);
		}
	}

	/**
	 * Return a call that was counted, or denied.
	 * @param taken refunds units where the call was counted
	 */
	static DecidedCall of(StoreAnswer answer, Decision.Origin origin, TakenUnits taken) {
		return new DecidedCall(answer, taken, new Decision(answer, origin), null);
	}

	static DecidedCall uncounted(Demand demand, Decision.Origin origin) {
		long capacity = smallestCapacity(demand);
		return denied(new Decision(true, demand.rule().name(), capacity, capacity, Duration.ZERO, Duration.ZERO,
				Duration.ZERO, List.of(), List.of(), origin));
	}

	/** Return a call with a key that is blocked. */
	static DecidedCall blocked(Demand demand, Duration retryAfter, List<String> rules) {
		return denied(new Decision(false, demand.rule().name(), smallestCapacity(demand), 0, retryAfter, retryAfter,
				Duration.ZERO, List.of(), Decision.Origin.NONE,
				rules.stream().map((rule) -> new Decision.Denial(rule, rule, Decision.Cause.BLOCK)).toList()));
	}

	private static long smallestCapacity(Demand demand) {
		return demand.rule().limits().stream().mapToLong(Limit::capacity).min().orElseThrow();
	}

	static DecidedCall denied(Decision decision) {
		return new DecidedCall(null, null, decision, null);
	}

	/**
	 * Return this call as one that is subject to rules in shadow mode only. It replaces
	 * this one.
	 */
	DecidedCall inShadowMode() {
		return new DecidedCall(this.answer, this.taken, ShadowMode.allow(this.decision), this.shadow);
	}

	/**
	 * Return this call together with its rules in shadow mode, which are refunded and end
	 * with it. It replaces this one.
	 * @param decided their decision, later
	 */
	DecidedCall beside(Demands demands, CompletionStage<DecidedCall> decided) {
		return new DecidedCall(this.answer, this.taken, this.decision, new Shadow(demands, decided));
	}

	public Decision decision() {
		return this.decision;
	}

	/** Return whether the call may go on, now or after the {@link #delay()}. */
	public boolean isAllowed() {
		return this.decision.allowed();
	}

	/** Return how long to wait before going on. */
	public Duration delay() {
		return this.decision.delay();
	}

	/**
	 * Wait for the delay of the decision.
	 * @throws InterruptedException if the thread is interrupted; the units taken are
	 * refunded then
	 */
	public DecidedCall await() throws InterruptedException {
		if (delay().isZero()) {
			return this;
		}
		try {
			this.taken.delay().await(this.answer);
			return this;
		}
		catch (InterruptedException ex) {
			refund();
			throw ex;
		}
	}

	/**
	 * Wait for the delay of the decision, where the caller expects no interruption.
	 * @throws RateLimitInterruptedException if the thread is interrupted, and stays so;
	 * the units taken are refunded then
	 */
	public DecidedCall awaitTurn() {
		try {
			return await();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new RateLimitInterruptedException(decision().rule(), ex);
		}
	}

	/**
	 * Return whether the call holds something until it ends, so that its
	 * {@link #end(UsedUnits) end} matters even if all its units stay counted.
	 */
	public boolean needsEnd() {
		return (this.answer != null && this.answer.needsEnd() && this.answer.isAdmitted())
				|| (this.shadow != null && this.shadow.demands.needsEnd());
	}

	/**
	 * Wait for the delay of the decision without blocking the caller.
	 * @return a future that completes when the turn has come
	 */
	public CompletableFuture<Void> awaitAsync() {
		return delay().isZero() ? CompletableFuture.completedFuture(null) : this.taken.delay().awaitAsync(this.answer);
	}

	/**
	 * Refund the units that were taken: the call does not take place. Never fails: a
	 * store that cannot answer keeps them.
	 */
	public void refund() {
		refund(true);
	}

	/** Refund the units that were taken without blocking the caller. */
	public void refundAsync() {
		refund(false);
	}

	private void refund(boolean waits) {
		if (this.shadow != null) {
			this.shadow.decided.thenAccept(DecidedCall::refundAsync);
		}
		if (endsFirst()) {
			this.taken.refund(this.answer, waits);
		}
	}

	/**
	 * End the call: units that it took and has not used are refunded, units beyond those
	 * that it took are owed, and its slots become free. Never fails: a store that cannot
	 * answer keeps what it has counted.
	 */
	public void end(UsedUnits used) {
		end(used, true);
	}

	/** End the call without blocking the caller. */
	public void endAsync(UsedUnits used) {
		end(used, false);
	}

	private void end(UsedUnits used, boolean waits) {
		if (this.shadow != null) {
			this.shadow.decided.thenAccept((call) -> call.endAsync(used));
		}
		if (endsFirst()) {
			this.taken.settle(this.answer, used, waits);
		}
	}

	/**
	 * Mark the call as ended, and return whether this is its first end and there is
	 * something to refund.
	 */
	private boolean endsFirst() {
		return hasTaken() && ENDED.compareAndSet(this, 0, 1);
	}

	/**
	 * Return whether the call took units. One that is allowed because its rules are in
	 * shadow mode may have taken nothing, or units of candidates alone.
	 */
	private boolean hasTaken() {
		return this.answer != null && (this.answer.isAdmitted() || !this.answer.tried().isEmpty());
	}

	/** Rules in shadow mode of a call that is also subject to enforced rules. */
	private record Shadow(Demands demands, CompletionStage<DecidedCall> decided) {

	}

}
