package io.github.ratelimit.store.redis;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.Demands;
import io.github.ratelimit.store.StoreAnswer;
import io.github.ratelimit.store.StoreException;

/**
 * Routes by which calls reach Redis: with a fetch of units for later calls, as one script
 * call, or slot by slot.
 */
final class CallRoutes {

	private final Places places;

	private final SentCalls calls;

	private final Stocks stocks;

	private final CallEnds ends;

	private final RedisFailures failures;

	/**
	 * Create a new instance.
	 * @param ends refunds units that a slot has counted for a call that another denies
	 */
	CallRoutes(Places places, SentCalls calls, Stocks stocks, CallEnds ends, RedisFailures failures) {
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
		if (demands instanceof Demand demand && Stocks.concerns(demand)) {
			return this.stocks.decide(demand, deadline);
		}
		return this.places.areOne(demands) ? this.calls.send(demands, deadline)
				: this.failures.inTime(decideSlotBySlot(demands, deadline));
	}

	private CompletableFuture<StoreAnswer> decideSlotBySlot(Demands demands, long deadline) {
		return new SlotBySlot(demands, this.places::slot, (ofSlot) -> decideInSlot(ofSlot, deadline),
				this.ends::refundAsync, this::blame)
			.decide();
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
