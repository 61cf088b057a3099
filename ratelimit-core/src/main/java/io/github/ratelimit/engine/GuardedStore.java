package io.github.ratelimit.engine;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

import io.github.ratelimit.Decision;
import io.github.ratelimit.concurrent.StageFailure;
import io.github.ratelimit.store.BannedKey;
import io.github.ratelimit.store.Debt;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.Demands;
import io.github.ratelimit.store.RateLimitStore;
import io.github.ratelimit.store.Refund;
import io.github.ratelimit.store.RuleAnswer;
import io.github.ratelimit.store.RuleCounts;
import io.github.ratelimit.store.StoreAnswer;
import io.github.ratelimit.store.StoreException;
import io.github.ratelimit.store.StoredKey;

/**
 * Guarded store, the only path by which calls reach the store: decisions, peeks, refunds,
 * debts and resets alike. A {@link Circuit} for each failure domain of the store refuses
 * calls that would fail; {@link StoreRecovery} closes it again. Refunds that fail open
 * the circuit as well. While it is open none is sent, and their units stay counted.
 */
final class GuardedStore implements RefundTarget {

	static final StoreException OPEN = new StoreException("The store did not answer lately", null, "open", false, null);

	private final RateLimitStore store;

	private final Decision.Origin origin;

	private final Circuits circuits;

	private final StoreRecovery recovery;

	private final StoreReport report;

	private final Listeners listeners;

	/**
	 * Create a new guard.
	 * @param store the store to guard
	 * @param recovery the recovery that closes the circuits that the guard opens
	 */
	GuardedStore(RateLimitStore store, StoreRecovery recovery, StoreReport report) {
		this.store = store;
		this.origin = store.origin();
		this.circuits = recovery.circuits();
		this.recovery = recovery;
		this.report = report;
		this.listeners = report.listeners();
	}

	Decision.Origin origin() {
		return this.origin;
	}

	/**
	 * Return whether the store is inside this process, where it always answers.
	 */
	boolean isLocal() {
		return origin() == Decision.Origin.LOCAL;
	}

	boolean isAnswering() {
		return this.circuits.areFine();
	}

	StoreAnswer acquire(Demands demands) {
		return call(demands, () -> this.store.acquire(demands));
	}

	CompletionStage<StoreAnswer> acquireAsync(Demands demands) {
		return callAsync(demands, () -> this.store.acquireAsync(demands));
	}

	RuleAnswer peek(Demand demand) {
		return call(demand, () -> this.store.peek(demand));
	}

	@Override
	public boolean mayBlock() {
		return this.store.mayBlock();
	}

	@Override
	public void refund(List<Refund> refunds) {
		freeSlotsLater(refunds);
		correct(demands(refunds), () -> this.store.refund(refunds));
	}

	@Override
	public CompletionStage<Void> refundAsync(List<Refund> refunds) {
		freeSlotsLater(refunds);
		return correctAsync(demands(refunds), () -> this.store.refundAsync(refunds));
	}

	@Override
	public void owe(List<Debt> debts) {
		correct(demandsOf(debts), () -> this.store.owe(debts));
	}

	@Override
	public CompletionStage<Void> oweAsync(List<Debt> debts) {
		return correctAsync(demandsOf(debts), () -> this.store.oweAsync(debts));
	}

	void reset(RuleCounts counts, StoredKey key) {
		call(new Demand(counts, key, 0), () -> {
			this.store.reset(counts, key);
			return null;
		});
	}

	/**
	 * List the banned keys of a rule. No circuit concerns the list: in a cluster it is on
	 * any server.
	 */
	List<BannedKey> bans(RuleCounts counts) {
		return this.store.bans(counts);
	}

	private static Demands demands(List<Refund> refunds) {
		return Demands.of(refunds.stream().map(Refund::demand).toList());
	}

	private static Demands demandsOf(List<Debt> debts) {
		return Demands.of(debts.stream().map(Debt::demand).toList());
	}

	private void correct(Demands demands, Runnable correction) {
		try {
			call(demands, () -> {
				correction.run();
				return null;
			});
		}
		catch (StoreException ex) {
			reportLost(ex);
			throw ex;
		}
	}

	private CompletionStage<Void> correctAsync(Demands demands, Supplier<CompletionStage<Void>> correction) {
		return callAsync(demands, correction).whenComplete((done, failure) -> {
			if (failure != null) {
				reportLost(StageFailure.cause(failure));
			}
		});
	}

	/**
	 * Report a correction that an open circuit refuses. Unlike a decision it has no
	 * fallback, and is lost.
	 */
	private void reportLost(Throwable failure) {
		if (failure == OPEN) {
			this.report.failed(OPEN);
		}
	}

	private <T> T call(Demands demands, Supplier<T> operation) {
		if (isRefused(demands)) {
			throw OPEN;
		}
		long start = this.listeners.start();
		try {
			T answer = operation.get();
			answered(demands);
			return answer;
		}
		catch (StoreException ex) {
			failed(demands, ex);
			throw ex;
		}
		finally {
			this.listeners.storeCalled(start);
		}
	}

	private <T> CompletionStage<T> callAsync(Demands demands, Supplier<CompletionStage<T>> operation) {
		if (isRefused(demands)) {
			return CompletableFuture.failedFuture(OPEN);
		}
		long start = this.listeners.start();
		return operation.get().whenComplete((answer, failure) -> {
			this.listeners.storeCalled(start);
			if (failure == null) {
				answered(demands);
			}
			else if (StageFailure.cause(failure) instanceof StoreException storeFailure) {
				failed(demands, storeFailure);
			}
		});
	}

	/**
	 * Let the store free slots even if it is not called now.
	 */
	private void freeSlotsLater(List<Refund> refunds) {
		if (!this.circuits.areFine()) {
			refunds.forEach((refund) -> this.store.freeSlots(refund.demand()));
		}
	}

	private boolean isRefused(Demands demands) {
		if (!this.circuits.areFine()) {
			for (Demand demand : demands.asList()) {
				if (this.circuits.refuse(this.store.failureDomain(demand), demand)) {
					return true;
				}
			}
		}
		return false;
	}

	private void answered(Demands demands) {
		if (!this.circuits.areFine()) {
			for (Demand demand : demands.asList()) {
				this.circuits.answered(this.store.failureDomain(demand));
			}
		}
	}

	/**
	 * A call is one failure of each failure domain that it called, however many rules it
	 * has.
	 */
	private void failed(Demands demands, StoreException failure) {
		this.report.failed(failure);
		if (failure.isOutage()) {
			Set<Object> failedDomains = new HashSet<>();
			for (Demand demand : demands.asList()) {
				Object domain = this.store.failureDomain(demand);
				if (failure.concerns(domain) && failedDomains.add(domain) && this.circuits.failed(domain, demand)) {
					this.recovery.begin(domain, failure);
				}
			}
		}
	}

}
