package io.github.ratelimit.engine;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Predicate;

import org.jspecify.annotations.Nullable;

import io.github.ratelimit.concurrent.StageFailure;
import io.github.ratelimit.store.Correction;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.FallbackStore;
import io.github.ratelimit.store.RemoteStore;
import io.github.ratelimit.store.StoreException;
import io.github.ratelimit.store.Uncharged;

/**
 * Pass through all counts of the fallback that are not charged yet, some of them at once.
 * Charges to a failure domain that does not answer are left for the next pass.
 */
final class ChargePass implements Runnable {

	/**
	 * Largest number of charges under way.
	 */
	static final int AT_ONCE = 100;

	private static final Logger logger = System.getLogger(ChargePass.class.getName());

	private final RemoteStore store;

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
	ChargePass(FallbackStore fallback, RemoteStore store, Predicate<Object> isSilent,
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
		List<CompletableFuture<?>> sent = new ArrayList<>();
		while (sent.size() < AT_ONCE && this.left.hasNext()) {
			CompletableFuture<?> charged = charge(this.left.next());
			if (charged != null) {
				sent.add(charged);
			}
		}
		return sent.isEmpty() ? null : CompletableFuture.allOf(sent.toArray(CompletableFuture<?>[]::new));
	}

	/**
	 * Send a charge.
	 * @return a future that completes when it has ended, or {@code null} if there is none
	 * to send now
	 */
	private @Nullable CompletableFuture<?> charge(Uncharged uncharged) {
		try {
			Object domain = this.store.failureDomain(uncharged.demand());
			Correction charge = (this.silentByNow.contains(domain) || this.isSilent.test(domain)) ? null
					: uncharged.begin();
			return (charge != null) ? CompletableFuture.completedStage(charge)
				.thenCompose((only) -> this.store.correct(List.of(only)))
				.toCompletableFuture()
				.handle((counted, failure) -> ended(uncharged, domain, counted, failure)) : null;
		}
		catch (RuntimeException ex) {
			failed(uncharged, ex);
			return null;
		}
	}

	private boolean ended(Uncharged uncharged, Object domain, @Nullable List<long[]> counted,
			@Nullable Throwable failure) {
		if (counted != null) {
			uncharged.succeeded(counted.get(0));
			return true;
		}
		uncharged.failed();
		Throwable cause = StageFailure.cause(failure);
		if (cause instanceof StoreException storeFailure && storeFailure.isOutage()) {
			this.silentByNow.add(domain);
		}
		failed(uncharged, cause);
		return false;
	}

	private void failed(Uncharged concerned, Throwable cause) {
		this.failed = true;
		if (cause instanceof StoreException storeFailure) {
			this.failures.accept(concerned.demand(), storeFailure);
		}
		else {
			logger.log(Level.DEBUG, "Counts of the fallback could not be charged", cause);
		}
	}

}
