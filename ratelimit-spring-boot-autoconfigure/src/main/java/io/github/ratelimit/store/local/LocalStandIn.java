package io.github.ratelimit.store.local;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

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
	 * How many charges are under way at once.
	 */
	private static final int AT_ONCE = 128;

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
		shares.forEach((demand) -> this.counted.put(new Counted(demand.rule().name(), demand.key()), demand.rule()));
		return this.store.acquire(shares);
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
	public CompletionStage<Void> charge(Charge charge) {
		return this.store.charge(charge);
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
	public CompletionStage<?> handOver(RateLimitStore back) {
		return handOver(back, new ArrayList<>(this.counted.asMap().keySet()), 0);
	}

	private CompletionStage<?> handOver(RateLimitStore back, List<Counted> keys, int from) {
		if (from >= keys.size()) {
			return CompletableFuture.completedFuture(null);
		}
		int to = Math.min(keys.size(), from + AT_ONCE);
		CompletableFuture<?>[] charges = keys.subList(from, to)
			.stream()
			.map((key) -> handOver(back, key).toCompletableFuture())
			.toArray(CompletableFuture<?>[]::new);
		return CompletableFuture.allOf(charges).thenCompose((done) -> handOver(back, keys, to));
	}

	private CompletionStage<Void> handOver(RateLimitStore back, Counted key) {
		RateLimitRule rule = this.counted.asMap().remove(key);
		if (rule == null) {
			return CompletableFuture.completedFuture(null);
		}
		Charge charge = this.store.drain(rule, key.key());
		if (charge.isEmpty()) {
			return CompletableFuture.completedFuture(null);
		}
		return back.charge(charge).whenComplete((done, failure) -> {
			if (failure != null) {
				this.store.charge(charge);
				this.counted.asMap().putIfAbsent(key, rule);
			}
		});
	}

	private record Counted(String rule, String key) {

	}

}
