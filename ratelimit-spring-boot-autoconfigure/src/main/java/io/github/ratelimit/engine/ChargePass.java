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
import java.util.function.Consumer;
import java.util.function.Predicate;

import org.jspecify.annotations.Nullable;

import io.github.ratelimit.concurrent.StageFailure;
import io.github.ratelimit.store.Charge;
import io.github.ratelimit.store.ChargeException;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.Demands;
import io.github.ratelimit.store.RateLimitStore;
import io.github.ratelimit.store.FallbackStore;
import io.github.ratelimit.store.StoreException;
import io.github.ratelimit.store.Uncharged;

/**
 * One pass through all that the fallback has to charge, in batches that follow each
 * other. What a part of the store does not answer for is left for the next pass.
 */
final class ChargePass implements Runnable {

	/**
	 * How many keys a batch has at most. Calls that fail while the store is asked fill no
	 * batch, only those of an outage do. So after a batch with fewer keys the fallback
	 * learns what the store has counted of them.
	 */
	static final int AT_ONCE = 100;

	private static final Logger logger = System.getLogger(ChargePass.class.getName());

	private final FallbackStore fallback;

	private final RateLimitStore store;

	private final Predicate<Object> isSilent;

	private final Consumer<StoreException> failures;

	private final Executor worker;

	private final Consumer<Boolean> whenEnded;

	private final Iterator<? extends Uncharged> left;

	private final Set<Object> silentMeanwhile = ConcurrentHashMap.newKeySet();

	private volatile boolean failed;

	/**
	 * Create a new pass.
	 * @param fallback what has counts to charge
	 * @param store what they are charged to
	 * @param isSilent whether a part of the store does not answer
	 * @param failures takes note of failures of the store
	 * @param worker runs each batch but the first one
	 * @param whenEnded learns at the end whether something failed
	 */
	ChargePass(FallbackStore fallback, RateLimitStore store, Predicate<Object> isSilent,
			Consumer<StoreException> failures, Executor worker, Consumer<Boolean> whenEnded) {
		this.fallback = fallback;
		this.store = store;
		this.isSilent = isSilent;
		this.failures = failures;
		this.worker = worker;
		this.whenEnded = whenEnded;
		this.left = fallback.uncharged().iterator();
	}

	/**
	 * Batches that end at once follow each other in a loop, others call again.
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
	 * Send as many charges as may be under way.
	 * @return when all of them have ended; {@code null} if there are no more
	 */
	private @Nullable CompletableFuture<?> nextBatch() {
		Map<Object, Map<Charge, Uncharged>> byPart = new HashMap<>();
		for (int size = 0; size < AT_ONCE && this.left.hasNext();) {
			size += begin(this.left.next(), byPart) ? 1 : 0;
		}
		CompletableFuture<?>[] sent = byPart.entrySet()
			.stream()
			.map((entry) -> send(entry.getKey(), entry.getValue()).toCompletableFuture())
			.toArray(CompletableFuture<?>[]::new);
		return (sent.length > 0) ? CompletableFuture.allOf(sent) : null;
	}

	private boolean begin(Uncharged uncharged, Map<Object, Map<Charge, Uncharged>> byPart) {
		try {
			Object part = this.store.partOf(uncharged.demand());
			boolean answers = !this.silentMeanwhile.contains(part) && !this.isSilent.test(part);
			Charge charge = answers ? uncharged.begin() : null;
			if (charge == null) {
				return false;
			}
			byPart.computeIfAbsent(part, (unknown) -> new IdentityHashMap<>()).put(charge, uncharged);
			return true;
		}
		catch (RuntimeException ex) {
			failed(ex);
			return false;
		}
	}

	private CompletionStage<Void> send(Object part, Map<Charge, Uncharged> batch) {
		return CompletableFuture.completedStage(List.copyOf(batch.keySet()))
			.thenCompose(this.store::charge)
			.handle((done, failure) -> (failure != null) ? failed(part, batch, failure) : List.<Charge>of())
			.thenCompose((lost) -> end(batch, Set.copyOf(lost)));
	}

	/**
	 * Take note of a failure.
	 * @return the charges that failed
	 */
	private Collection<Charge> failed(Object part, Map<Charge, Uncharged> batch, Throwable failure) {
		Throwable cause = StageFailure.cause(failure);
		failed(cause);
		if (cause instanceof StoreException storeFailure && storeFailure.isOutage()) {
			this.silentMeanwhile.add(part);
		}
		return (cause instanceof ChargeException some) ? some.failed() : batch.keySet();
	}

	private void failed(Throwable cause) {
		this.failed = true;
		if (cause instanceof StoreException storeFailure) {
			this.failures.accept(storeFailure);
		}
		else {
			logger.log(Level.DEBUG, "What was counted in the fallback could not be charged", cause);
		}
	}

	private CompletionStage<Void> end(Map<Charge, Uncharged> batch, Set<Charge> lost) {
		List<Demand> charged = new ArrayList<>();
		batch.forEach((charge, uncharged) -> {
			if (lost.contains(charge)) {
				uncharged.failed();
			}
			else {
				uncharged.succeeded();
				charged.add(uncharged.demand());
			}
		});
		return (batch.size() < AT_ONCE) ? learn(charged) : CompletableFuture.completedStage(null);
	}

	/**
	 * Learn what the store has counted. That nobody answers does not matter.
	 */
	private CompletionStage<Void> learn(List<Demand> charged) {
		return CompletableFuture.allOf(charged.stream()
			.map((demand) -> CompletableFuture.<Demands>completedStage(demand)
				.thenCompose(this.store::acquireAsync)
				.thenAccept(this.fallback::learn)
				.exceptionally((failure) -> null)
				.toCompletableFuture())
			.toArray(CompletableFuture<?>[]::new));
	}

}
