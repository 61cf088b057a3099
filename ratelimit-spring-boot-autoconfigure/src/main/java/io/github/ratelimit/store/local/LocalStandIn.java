package io.github.ratelimit.store.local;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

import io.github.ratelimit.Decision;
import io.github.ratelimit.Limit;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.store.Charge;
import io.github.ratelimit.store.ChargeException;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.RateLimitStore;
import io.github.ratelimit.store.Refund;
import io.github.ratelimit.store.StandIn;
import io.github.ratelimit.store.StoreAnswer;
import io.github.ratelimit.store.StoredKey;

/**
 * Counts inside this process while the shared store cannot: by the same limits, or by
 * this instance's share of them. What still counts when the store is back is charged to
 * it as if it were taken then, so that nobody gets a second quota.
 *
 * @since 0.1.0
 */
public final class LocalStandIn implements StandIn {

	/**
	 * How many keys are handed over at once.
	 */
	private static final int AT_ONCE = 100;

	private final LocalRateLimitStore store;

	private final double share;

	private final Map<String, Share> shares = new ConcurrentHashMap<>();

	/**
	 * Create a new stand-in.
	 * @param maxKeys how many keys are counted at once; beyond that the least useful ones
	 * are forgotten
	 * @param share the part of each limit that is this instance's, above 0 and up to 1
	 */
	public LocalStandIn(long maxKeys, double share) {
		this.store = new LocalRateLimitStore(maxKeys);
		this.share = share;
	}

	@Override
	public StoreAnswer acquire(List<Demand> demands) {
		return this.store.acquire(demands.stream().map(this::share).toList());
	}

	@Override
	public CompletionStage<StoreAnswer> acquireAsync(List<Demand> demands) {
		return CompletableFuture.completedFuture(acquire(demands));
	}

	@Override
	public StoreAnswer look(Demand demand) {
		return this.store.look(share(demand));
	}

	@Override
	public void giveBack(List<Refund> refunds) {
		this.store
			.giveBack(refunds.stream().map((refund) -> new Refund(share(refund.demand()), refund.slot())).toList());
	}

	@Override
	public CompletionStage<Void> giveBackAsync(List<Refund> refunds) {
		giveBack(refunds);
		return CompletableFuture.completedFuture(null);
	}

	@Override
	public void reset(RateLimitRule rule, StoredKey key) {
		this.store.reset(share(rule), key);
	}

	@Override
	public CompletionStage<Void> charge(List<Charge> charges) {
		return this.store.charge(charges.stream().map(this::share).toList());
	}

	@Override
	public Decision.Origin origin() {
		return Decision.Origin.FALLBACK;
	}

	private Demand share(Demand demand) {
		RateLimitRule part = share(demand.rule());
		return (part == demand.rule()) ? demand : new Demand(part, demand.key(), demand.cost(), demand.maxWait());
	}

	private Charge share(Charge charge) {
		return new Charge(share(charge.rule()), charge.key(), charge.units());
	}

	private RateLimitRule share(RateLimitRule rule) {
		Share known = this.shares.get(rule.name());
		if (known == null || known.whole() != rule) {
			known = new Share(rule, part(rule));
			this.shares.put(rule.name(), known);
		}
		return known.part();
	}

	private RateLimitRule part(RateLimitRule rule) {
		return (this.share == 1) ? rule : rule.withLimits(rule.limits().stream().map(this::share).toList());
	}

	private Limit share(Limit limit) {
		Limit part = limit.withMax(share(limit.max()));
		return limit.saysBurst() ? part.withBurst(share(limit.capacity())) : part;
	}

	/**
	 * At least one unit, lest a rule deny everything.
	 */
	private long share(long units) {
		return Math.max(1, (long) (units * this.share));
	}

	@Override
	public CompletionStage<Void> handOver(RateLimitStore back) {
		return handOver(back, this.store.counted(), 0);
	}

	private CompletionStage<Void> handOver(RateLimitStore back, List<LocalRateLimitStore.Counted> keys, int from) {
		if (from >= keys.size()) {
			return CompletableFuture.completedFuture(null);
		}
		int to = Math.min(keys.size(), from + AT_ONCE);
		Map<Object, List<Charge>> byPart = keys.subList(from, to)
			.stream()
			.map(this::drain)
			.filter((charge) -> !charge.isEmpty())
			.collect(Collectors.groupingBy((charge) -> back.partOf(new Demand(charge.rule(), charge.key(), 0))));
		CompletableFuture<?>[] parts = byPart.values()
			.stream()
			.map((charges) -> handOver(back, charges).toCompletableFuture())
			.toArray(CompletableFuture<?>[]::new);
		CompletableFuture<Void> these = CompletableFuture.allOf(parts);
		return these.exceptionally((failure) -> null)
			.thenCompose((done) -> handOver(back, keys, to))
			.thenCompose((done) -> these);
	}

	/**
	 * What was counted by a part of the limits counts by the whole of them elsewhere.
	 */
	private Charge drain(LocalRateLimitStore.Counted counted) {
		Share share = Objects.requireNonNull(this.shares.get(counted.rule()));
		Charge drained = this.store.drain(share.part(), counted.key());
		return new Charge(share.whole(), counted.key(), drained.units());
	}

	/**
	 * What the store cannot take stays here.
	 */
	private CompletionStage<Void> handOver(RateLimitStore back, List<Charge> charges) {
		return CompletableFuture.completedStage(charges).thenCompose(back::charge).whenComplete((done, failure) -> {
			if (failure != null) {
				charge(failed(failure, charges));
			}
		});
	}

	private static List<Charge> failed(Throwable failure, List<Charge> charges) {
		Throwable cause = (failure instanceof CompletionException) ? failure.getCause() : failure;
		return (cause instanceof ChargeException known) ? known.failed() : charges;
	}

	/**
	 * A rule and the part of it that is this instance's.
	 */
	private record Share(RateLimitRule whole, RateLimitRule part) {

	}

}
