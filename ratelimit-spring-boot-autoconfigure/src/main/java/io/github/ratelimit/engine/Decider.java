package io.github.ratelimit.engine;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

import org.jspecify.annotations.Nullable;

import io.github.ratelimit.Decision;
import io.github.ratelimit.concurrent.StageFailure;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.RuleCounts;
import io.github.ratelimit.store.StoreAnswer;
import io.github.ratelimit.store.StoreException;
import io.github.ratelimit.store.StoredKey;

/**
 * Decides what is asked of rules in one mode: a denial that is known still holds, else
 * the store is asked, and when that cannot answer, the policy of the rules does.
 */
final class Decider {

	private final GuardedStore store;

	private final StoreFailurePolicy failurePolicy;

	private final @Nullable DenyCache denyCache;

	private final DecisionReport report;

	private final RulesInForce rulesInForce;

	private final Consumer<List<Demand>> whenGivenBack = this::forget;

	/**
	 * Create a new decider.
	 * @param denyCache what denials are remembered by, {@code null} to ask the store
	 * every time
	 * @param rulesInForce what is given back by
	 */
	Decider(GuardedStore store, StoreFailurePolicy failurePolicy, @Nullable DenyCache denyCache, DecisionReport report,
			RulesInForce rulesInForce) {
		this.store = store;
		this.failurePolicy = failurePolicy;
		this.denyCache = denyCache;
		this.report = report;
		this.rulesInForce = rulesInForce;
	}

	Reservation decide(List<Demand> demands) {
		Decision known = known(demands);
		if (known != null) {
			return denied(demands, known);
		}
		long sent = now();
		try {
			return counted(demands, this.store.acquire(demands), sent);
		}
		catch (StoreException ex) {
			return this.failurePolicy.decide(demands, ex, this.report, this.rulesInForce);
		}
	}

	/**
	 * Decide without blocking the caller. If nobody waits for the decision any more when
	 * the store answers, what was taken is given back, and nothing else happens.
	 * @param then what becomes of the decision
	 */
	CompletableFuture<Reservation> decideAsync(List<Demand> demands, UnaryOperator<Reservation> then) {
		Decision known = known(demands);
		if (known != null) {
			return CompletableFuture.completedFuture(then.apply(denied(demands, known)));
		}
		long sent = now();
		CompletableFuture<Reservation> result = new CompletableFuture<>();
		this.store.acquireAsync(demands).whenComplete((answer, failure) -> {
			if (!result.isDone()) {
				settle(result, () -> then.apply(decision(demands, answer, failure, sent)));
			}
			else if (failure == null) {
				reservation(demands, answer).giveBackAsync();
			}
		});
		return result;
	}

	private static void settle(CompletableFuture<Reservation> result, Supplier<Reservation> decision) {
		try {
			Reservation reservation = decision.get();
			if (!result.complete(reservation)) {
				reservation.giveBackAsync();
			}
		}
		catch (Throwable ex) {
			result.completeExceptionally(ex);
		}
	}

	private Reservation decision(List<Demand> demands, StoreAnswer answer, @Nullable Throwable failure, long sent) {
		if (failure == null) {
			return counted(demands, answer, sent);
		}
		Throwable cause = StageFailure.cause(failure);
		if (cause instanceof StoreException storeFailure) {
			return this.failurePolicy.decide(demands, storeFailure, this.report, this.rulesInForce);
		}
		throw new CompletionException(cause);
	}

	/**
	 * Forget a denial: what it was about has changed.
	 */
	void forget(RuleCounts counts, StoredKey key) {
		if (this.denyCache != null) {
			this.denyCache.forget(counts, key);
		}
	}

	/**
	 * Forget denials of calls that asked the same as one that has given back.
	 */
	void forget(List<Demand> demands) {
		demands.forEach((demand) -> forget(demand.counts(), demand.key()));
	}

	private @Nullable Decision known(List<Demand> demands) {
		return (this.denyCache != null) ? this.denyCache.find(demands) : null;
	}

	private Reservation denied(List<Demand> demands, Decision known) {
		this.report.denied(demands.get(0), known);
		return Reservation.denied(known);
	}

	private long now() {
		return (this.denyCache != null) ? this.denyCache.now() : 0;
	}

	private Reservation counted(List<Demand> demands, StoreAnswer answer, long sent) {
		Reservation reservation = reservation(demands, answer);
		this.report.counted(demands, answer, reservation);
		remember(demands, answer, reservation, sent);
		return reservation;
	}

	private Reservation reservation(List<Demand> demands, StoreAnswer answer) {
		return Reservation.of(demands, answer, this.store.unguarded(), this.rulesInForce, this.whenGivenBack);
	}

	private void remember(List<Demand> demands, StoreAnswer answer, Reservation reservation, long sent) {
		if (this.denyCache != null && !reservation.isAllowed()) {
			this.denyCache.remember(demands, answer, reservation.decision().retryAfter(), sent);
		}
	}

}
