package io.github.ratelimit.engine;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

import org.jspecify.annotations.Nullable;

import io.github.ratelimit.Decision;
import io.github.ratelimit.concurrent.StageFailure;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.Demands;
import io.github.ratelimit.store.RuleCounts;
import io.github.ratelimit.store.StoreAnswer;
import io.github.ratelimit.store.StoreException;
import io.github.ratelimit.store.StoredKey;

/**
 * Decider of calls whose rules are all in one mode: a remembered denial that still holds
 * decides, else the store does, and if that cannot answer, the failure policies of the
 * rules do. Every decision is reported here, and nowhere else.
 */
final class Decider {

	private final GuardedStore store;

	private final Decision.Origin origin;

	private final @Nullable ChargedFallback fallback;

	private final @Nullable DenyCache denyCache;

	private final DecisionReport report;

	private final TakenUnits storeUnits;

	private final TakenUnits fallbackUnits;

	private volatile @Nullable CandidateFigures candidates;

	/**
	 * Create a new decider.
	 * @param fallback decides while the store cannot, {@code null} for a store that
	 * always answers
	 * @param callDelay waits for the turns of calls
	 * @param denyCache remembers denials, {@code null} to call the store every time
	 * @param rulesInForce the rules by which calls are refunded
	 */
	Decider(GuardedStore store, @Nullable ChargedFallback fallback, CallDelay callDelay, @Nullable DenyCache denyCache,
			DecisionReport report, RulesInForce rulesInForce) {
		this.store = store;
		this.origin = store.origin();
		this.fallback = fallback;
		this.denyCache = denyCache;
		this.report = report;
		Consumer<Demand> forget = this::forget;
		this.storeUnits = new TakenUnits(store, rulesInForce, callDelay, forget);
		this.fallbackUnits = (fallback != null) ? new TakenUnits(fallback, rulesInForce, callDelay, forget)
				: this.storeUnits;
	}

	private Decider(Decider other, DecisionReport report) {
		this.store = other.store;
		this.origin = other.origin;
		this.fallback = other.fallback;
		this.denyCache = other.denyCache;
		this.report = report;
		this.storeUnits = other.storeUnits;
		this.fallbackUnits = other.fallbackUnits;
		this.candidates = other.candidates;
	}

	/**
	 * Count the decisions of the candidates of a rule from now on.
	 * @param verdicts know the time
	 * @param listeners get the decisions
	 */
	synchronized void tryCandidates(RuleCounts rule, VerdictSource verdicts, Listeners listeners) {
		CandidateFigures known = this.candidates;
		if (known == null) {
			known = new CandidateFigures(verdicts::now, listeners);
			this.candidates = known;
		}
		known.follow(rule);
	}

	@Nullable CandidateFigures figures() {
		return this.candidates;
	}

	/**
	 * Return a decider of calls that are neither counted nor reported. Remembered denials
	 * are ignored: the store knows better.
	 */
	Decider previewing(RulesInForce rulesInForce) {
		return new Decider(this.store.previewing(), (this.fallback != null) ? this.fallback.previewing() : null,
				CallDelay.REAL_TIME, null, new DecisionReport(new Listeners()), rulesInForce);
	}

	/**
	 * Return the decider of a call of the current thread, whose decision other threads
	 * may report.
	 */
	Decider forCaller() {
		DecisionReport ofCaller = this.report.forCaller();
		return (ofCaller != this.report) ? new Decider(this, ofCaller) : this;
	}

	/**
	 * Decide a call that takes its units for good, under a rule about which nothing else
	 * has to be asked.
	 */
	Decision decidePlain(Demand demand) {
		Decision known = known(demand);
		if (known != null) {
			return known;
		}
		if (this.fallback != null && this.fallback.decides(demand)) {
			return this.fallback.decide(demand, this.report, this.fallbackUnits).decision();
		}
		long sent = now();
		try {
			StoreAnswer answer = this.store.acquire(demand);
			counted(answer, sent);
			return new Decision(answer, this.origin);
		}
		catch (StoreException ex) {
			return decideWithoutStore(demand, ex).decision();
		}
	}

	DecidedCall decide(Demands demands) {
		Decision known = known(demands);
		if (known != null) {
			return DecidedCall.denied(known);
		}
		if (this.fallback != null && this.fallback.decides(demands)) {
			return this.fallback.decide(demands, this.report, this.fallbackUnits);
		}
		long sent = now();
		try {
			return decided(this.store.acquire(demands), sent);
		}
		catch (StoreException ex) {
			return decideWithoutStore(demands, ex);
		}
	}

	/**
	 * Decide without blocking the caller. If the result is completed before the store
	 * answers, the units taken are refunded, and nothing else happens.
	 * @param then applied to the decided call
	 */
	CompletableFuture<DecidedCall> decideAsync(Demands demands, UnaryOperator<DecidedCall> then) {
		Decision known = known(demands);
		if (known != null) {
			return CompletableFuture.completedFuture(then.apply(DecidedCall.denied(known)));
		}
		if (this.fallback != null && this.fallback.decides(demands)) {
			return CompletableFuture
				.completedFuture(then.apply(this.fallback.decide(demands, this.report, this.fallbackUnits)));
		}
		long sent = now();
		CompletableFuture<DecidedCall> result = new CompletableFuture<>();
		this.store.acquireAsync(demands).whenComplete((answer, failure) -> {
			if (!result.isDone()) {
				complete(result, () -> then.apply(decision(demands, answer, failure, sent)));
			}
			else if (failure == null) {
				taken(answer).refundAsync();
			}
		});
		return result;
	}

	private static void complete(CompletableFuture<DecidedCall> result, Supplier<DecidedCall> decision) {
		try {
			DecidedCall decided = decision.get();
			if (!result.complete(decided)) {
				decided.refundAsync();
			}
		}
		catch (Throwable ex) {
			result.completeExceptionally(ex);
		}
	}

	private DecidedCall decision(Demands demands, StoreAnswer answer, @Nullable Throwable failure, long sent) {
		if (failure == null) {
			return decided(answer, sent);
		}
		Throwable cause = StageFailure.cause(failure);
		if (cause instanceof StoreException storeFailure) {
			return decideWithoutStore(demands, storeFailure);
		}
		throw new CompletionException(cause);
	}

	DecidedCall decideWithoutStore(Demands demands, StoreException failure) {
		if (this.fallback == null) {
			throw failure;
		}
		return this.fallback.decideWithoutStore(demands, failure, this.report, this.fallbackUnits);
	}

	void forget(RuleCounts counts, StoredKey key) {
		if (this.denyCache != null) {
			this.denyCache.forget(counts, key);
		}
	}

	/** Forget a rule that was removed. */
	void forget(String rule) {
		CandidateFigures figures = this.candidates;
		if (figures != null) {
			figures.forget(rule);
		}
		if (this.denyCache != null) {
			this.denyCache.forget(rule);
		}
	}

	private void forget(Demand demand) {
		forget(demand.counts(), demand.key());
	}

	/** Find and report the remembered denial of a call. */
	private @Nullable Decision known(Demands demands) {
		Decision known = (this.denyCache != null) ? this.denyCache.find(demands) : null;
		if (known != null) {
			this.report.denied(demands.get(0), known);
		}
		return known;
	}

	private long now() {
		return (this.denyCache != null) ? this.denyCache.now() : 0;
	}

	private void counted(StoreAnswer answer, long sent) {
		if (this.denyCache != null) {
			this.denyCache.decided(answer, sent);
		}
		this.report.counted(answer, this.origin);
	}

	private DecidedCall decided(StoreAnswer answer, long sent) {
		try {
			counted(answer, sent);
			CandidateFigures figures = this.candidates;
			if (figures != null) {
				figures.count(answer);
			}
			return taken(answer);
		}
		catch (Throwable ex) { // no memory, and nobody else knows of the units
			this.storeUnits.refund(answer, false);
			throw ex;
		}
	}

	private DecidedCall taken(StoreAnswer answer) {
		return DecidedCall.of(answer, this.origin, this.storeUnits);
	}

}
