package io.github.ratelimit.store.redis;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.Demands;
import io.github.ratelimit.store.StoreAnswer;
import io.github.ratelimit.store.StoreException;

/**
 * Routes by which calls reach Redis: with a fetch of units for later calls, as one script
 * call, or slot by slot. The first calls wait until the {@link Sharding} is known.
 */
final class CallRoutes {

	private final Places places;

	private final SentCalls calls;

	private final Stocks stocks;

	private final CallEnds ends;

	private final RedisFailures failures;

	private final Sharding sharding;

	/**
	 * Create a new instance.
	 * @param ends refunds units that a slot has counted for a call that another denies
	 */
	CallRoutes(Places places, SentCalls calls, Stocks stocks, CallEnds ends, RedisFailures failures,
			Sharding sharding) {
		this.sharding = sharding;
		this.places = places;
		this.calls = calls;
		this.stocks = stocks;
		this.ends = ends;
		this.failures = failures;
	}

	/**
	 * Return the server that counts a demand.
	 */
	Object server(Demand demand) {
		return this.places.server(demand);
	}

	/**
	 * Decide a call.
	 */
	CompletableFuture<StoreAnswer> decide(Demands demands) {
		long deadline = this.calls.nextDeadline();
		if (this.sharding.isKnown()) {
			return decide(demands, deadline);
		}
		CompletableFuture<StoreAnswer> answer = new CompletableFuture<>();
		this.sharding.find().whenComplete((found, failure) -> {
			if (failure != null) {
				answer.completeExceptionally(failure);
			}
			else if (!answer.isDone()) {
				forward(decide(demands, deadline), answer);
			}
		});
		return this.failures.inTime(answer);
	}

	private CompletableFuture<StoreAnswer> decide(Demands demands, long deadline) {
		if (demands instanceof Demand demand && Stocks.concerns(demand)) {
			return this.stocks.decide(demand, deadline);
		}
		return this.places.areOne(demands) ? this.calls.send(demands, deadline) : decideSlotBySlot(demands, deadline);
	}

	/**
	 * Decide a call anew that was sent together with others and cannot be.
	 */
	void decideAnew(PendingCall call) {
		if (this.places.areOne(call.demands())) {
			this.calls.sendAnew(call);
		}
		else {
			forward(decideSlotBySlot(call.demands(), call.deadline()), call.answer());
		}
	}

	/**
	 * Complete the answer that a caller waits for by a decision. If the caller has given
	 * up, so that the answer is complete, the decision is given up too, or refunded.
	 */
	private void forward(CompletableFuture<StoreAnswer> decision, CompletableFuture<StoreAnswer> answer) {
		answer.whenComplete((decided, failure) -> {
			if (failure != null) {
				decision.completeExceptionally(failure);
			}
		});
		decision.whenComplete((decided, failure) -> {
			if (failure != null) {
				answer.completeExceptionally(failure);
			}
			else if (!answer.complete(decided) && decided.isAdmitted()) {
				this.ends.refundAsync(decided.refunds());
			}
		});
	}

	/**
	 * Peek at the counts of a key.
	 */
	CompletableFuture<StoreAnswer> peek(Demand demand) {
		return this.sharding.isKnown() ? this.calls.peek(demand)
				: this.failures.inTime(this.sharding.whenKnown(() -> this.calls.peek(demand)));
	}

	private CompletableFuture<StoreAnswer> decideSlotBySlot(Demands demands, long deadline) {
		return this.failures.inTime(new SlotBySlot(demands, this.places::group,
				(ofSlot) -> decideInSlot(ofSlot, deadline), this.ends::refundAsync, this::blame)
			.decide());
	}

	private CompletionStage<StoreAnswer> decideInSlot(Demands demands, long deadline) {
		return this.calls.send(demands, deadline).exceptionally((failure) -> {
			throw blame(demands.get(0), failure);
		});
	}

	private StoreException blame(Demand demand, Throwable failure) {
		return this.failures.of(failure).withFailureDomain(this.places.server(demand));
	}

}
