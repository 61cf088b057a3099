package io.github.ratelimit.engine;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import io.github.ratelimit.concurrent.StageFailure;
import io.github.ratelimit.store.Charge;
import io.github.ratelimit.store.ChargeException;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.RateLimitStore;
import io.github.ratelimit.store.FallbackStore;
import io.github.ratelimit.store.Refund;
import io.github.ratelimit.store.StoreException;
import io.github.ratelimit.store.Uncharged;

/**
 * Pass through all counts of the fallback that are not charged yet, in batches that
 * follow each other. Charges to a failure domain that does not answer are left for the
 * next pass. Units that calls have refunded since their charge are refunded in the store.
 */
final class ChargePass implements Runnable {

	/**
	 * Largest number of keys of a batch.
	 */
	static final int AT_ONCE = 100;

	private static final Logger logger = System.getLogger(ChargePass.class.getName());

	private final RateLimitStore store;

	private final Predicate<Object> isSilent;

	private final BiConsumer<Demand, StoreException> failures;

	private final Executor worker;

	private final Consumer<Boolean> whenEnded;

	private final Iterator<? extends Uncharged> left;

	private final Set<Object> silentByNow = ConcurrentHashMap.newKeySet();

	private volatile boolean failed;

	/**
	 * Create a new pass.
	 * @param fallback the fallback whose counts are charged
	 * @param store the store they are charged to
	 * @param isSilent whether a failure domain of the store does not answer
	 * @param failures gets failures of the store, each with a demand that it concerns
	 * @param worker runs each batch but the first one
	 * @param whenEnded gets at the end whether any charge failed
	 */
	ChargePass(FallbackStore fallback, RateLimitStore store, Predicate<Object> isSilent,
			BiConsumer<Demand, StoreException> failures, Executor worker, Consumer<Boolean> whenEnded) {
		this.store = store;
		this.isSilent = isSilent;
		this.failures = failures;
		this.worker = worker;
		this.whenEnded = whenEnded;
		this.left = fallback.uncharged().iterator();
	}

	/**
	 * Send the batches one after the other: in a loop as long as they end at once,
	 * otherwise when the one before has ended.
	 */
	@Override
	public void run() {
		CompletableFuture<?> batch = nextBatch();
		while (batch != null && batch.isDone()) {
			batch = nextBatch();
		}
		if (batch != null) {
			batch.whenCompleteAsync((done, failure) -> run(), this.worker);
		}
		else {
			this.whenEnded.accept(this.failed);
		}
	}

	/**
	 * Send a batch of charges.
	 * @return a future that completes when all of them have ended, or {@code null} if
	 * there are no more
	 */
	private @Nullable CompletableFuture<?> nextBatch() {
		Map<Object, Map<Charge, Uncharged>> byDomain = new HashMap<>();
		List<Refund> refunds = new ArrayList<>();
		for (int size = 0; size < AT_ONCE && this.left.hasNext();) {
			size += begin(this.left.next(), byDomain, refunds) ? 1 : 0;
		}
		CompletableFuture<?>[] sent = Stream
			.concat(byDomain.entrySet().stream().map((entry) -> send(entry.getKey(), entry.getValue())),
					refunds.stream().map(this::send))
			.map(CompletionStage::toCompletableFuture)
			.toArray(CompletableFuture<?>[]::new);
		return (sent.length > 0) ? CompletableFuture.allOf(sent) : null;
	}

	private boolean begin(Uncharged uncharged, Map<Object, Map<Charge, Uncharged>> byDomain, List<Refund> refunds) {
		try {
			Object domain = this.store.failureDomain(uncharged.demand());
			if (this.silentByNow.contains(domain) || this.isSilent.test(domain)) {
				return false;
			}
			Charge charge = uncharged.begin();
			if (charge != null) {
				byDomain.computeIfAbsent(domain, (unknown) -> new IdentityHashMap<>()).put(charge, uncharged);
				return true;
			}
			Refund refund = uncharged.takeRefund();
			boolean isRefunded = refund != null;
			while (refund != null) {
				refunds.add(refund);
				refund = uncharged.takeRefund();
			}
			return isRefunded;
		}
		catch (RuntimeException ex) {
			failed(uncharged.demand(), ex);
			return false;
		}
	}

	/**
	 * Send a refund. One that fails is not repeated: it may have been done.
	 */
	private CompletionStage<Void> send(Refund refund) {
		return CompletableFuture.completedStage(List.of(refund))
			.thenCompose(this.store::refundAsync)
			.exceptionally((failure) -> {
				report(refund.demand(), StageFailure.cause(failure));
				return null;
			});
	}

	private CompletionStage<Void> send(Object domain, Map<Charge, Uncharged> batch) {
		return CompletableFuture.completedStage(List.copyOf(batch.keySet()))
			.thenCompose((charges) -> this.store.charge(charges, (charge, receipt) -> batch.get(charge).keep(receipt)))
			.handle((done, failure) -> (failure != null) ? failed(domain, batch, failure) : List.<Charge>of())
			.thenAccept((lost) -> end(batch, Set.copyOf(lost)));
	}

	/**
	 * Note a failure.
	 * @return the charges that failed
	 */
	private Collection<Charge> failed(Object domain, Map<Charge, Uncharged> batch, Throwable failure) {
		Throwable cause = StageFailure.cause(failure);
		failed(batch.values().iterator().next().demand(), cause);
		if (cause instanceof StoreException storeFailure && storeFailure.isOutage()) {
			this.silentByNow.add(domain);
		}
		return (cause instanceof ChargeException some) ? some.failed() : batch.keySet();
	}

	private void failed(Demand concerned, Throwable cause) {
		this.failed = true;
		report(concerned, cause);
	}

	private void report(Demand concerned, Throwable cause) {
		if (cause instanceof StoreException storeFailure) {
			this.failures.accept(concerned, storeFailure);
		}
		else {
			logger.log(Level.DEBUG, "Counts of the fallback could not be charged", cause);
		}
	}

	private static void end(Map<Charge, Uncharged> batch, Set<Charge> lost) {
		batch.forEach((charge, uncharged) -> {
			if (lost.contains(charge)) {
				uncharged.failed();
			}
			else {
				uncharged.succeeded();
			}
		});
	}

}
