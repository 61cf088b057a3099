package io.github.ratelimit.store.local;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;

import io.github.ratelimit.Decision;
import io.github.ratelimit.Limit;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.store.Charge;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.RateLimitStore;
import io.github.ratelimit.store.Refund;
import io.github.ratelimit.store.StandIn;
import io.github.ratelimit.store.StoreAnswer;

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

	private final Cache<Counted, RateLimitRule> counted;

	/**
	 * Create a new stand-in.
	 * @param maxKeys how many keys are counted at once; beyond that the least useful ones
	 * are forgotten
	 * @param share the part of each limit that is this instance's, above 0 and up to 1
	 */
	public LocalStandIn(long maxKeys, double share) {
		this.store = new LocalRateLimitStore(maxKeys);
		this.share = share;
		this.counted = Caffeine.newBuilder().maximumSize(maxKeys).build();
	}

	@Override
	public StoreAnswer acquire(List<Demand> demands) {
		List<Demand> shares = demands.stream().map(this::share).toList();
		shares.forEach(this::remember);
		return this.store.acquire(shares);
	}

	private void remember(Demand demand) {
		Counted key = new Counted(demand.rule().name(), demand.key());
		if (this.counted.getIfPresent(key) != demand.rule()) {
			this.counted.put(key, demand.rule());
		}
	}

	@Override
	public CompletionStage<StoreAnswer> acquireAsync(List<Demand> demands) {
		return CompletableFuture.completedFuture(acquire(demands));
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
	public void reset(RateLimitRule rule, String key) {
		this.store.reset(rule, key);
		this.counted.invalidate(new Counted(rule.name(), key));
	}

	@Override
	public CompletionStage<Void> charge(List<Charge> charges) {
		return this.store.charge(charges);
	}

	@Override
	public Decision.Origin origin() {
		return Decision.Origin.FALLBACK;
	}

	private Demand share(Demand demand) {
		return (this.share == 1) ? demand
				: new Demand(share(demand.rule()), demand.key(), demand.cost(), demand.maxWait());
	}

	private RateLimitRule share(RateLimitRule rule) {
		return rule.withLimits(rule.limits().stream().map(this::share).toList());
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
		return handOver(back, new ArrayList<>(this.counted.asMap().keySet()), 0);
	}

	private CompletionStage<Void> handOver(RateLimitStore back, List<Counted> keys, int from) {
		if (from >= keys.size()) {
			return CompletableFuture.completedFuture(null);
		}
		int to = Math.min(keys.size(), from + AT_ONCE);
		Map<Object, List<Charge>> byPart = keys.subList(from, to)
			.stream()
			.flatMap(this::drain)
			.filter((charge) -> !charge.isEmpty())
			.collect(Collectors.groupingBy((charge) -> back.partOf(new Demand(charge.rule(), charge.key(), 0))));
		CompletableFuture<?>[] parts = byPart.values()
			.stream()
			.map((charges) -> handOver(back, charges).toCompletableFuture())
			.toArray(CompletableFuture<?>[]::new);
		return CompletableFuture.allOf(parts).thenCompose((done) -> handOver(back, keys, to));
	}

	private Stream<Charge> drain(Counted key) {
		RateLimitRule rule = this.counted.asMap().remove(key);
		return (rule != null) ? Stream.of(this.store.drain(rule, key.key())) : Stream.empty();
	}

	/**
	 * What a part of the store cannot take stays here.
	 */
	private CompletionStage<Void> handOver(RateLimitStore back, List<Charge> charges) {
		return CompletableFuture.completedStage(charges).thenCompose(back::charge).exceptionally((failure) -> {
			this.store.charge(charges);
			charges
				.forEach((charge) -> this.counted.put(new Counted(charge.rule().name(), charge.key()), charge.rule()));
			return null;
		});
	}

	private record Counted(String rule, String key) {

	}

}
