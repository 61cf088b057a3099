package io.github.ratelimit.interceptor;

import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;

import io.github.ratelimit.Decision;
import io.github.ratelimit.Limit;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.LimitOutcome;
import io.github.ratelimit.store.RateLimitStore;

/**
 * Remembers what it is asked and denies the rules it is told to.
 */
final class CountingStore implements RateLimitStore {

	private final Queue<Demand> asked = new ConcurrentLinkedQueue<>();

	private final Set<String> denied = ConcurrentHashMap.newKeySet();

	private volatile Executor executor = Runnable::run;

	CountingStore deny(String... rules) {
		this.denied.addAll(Set.of(rules));
		return this;
	}

	CountingStore admit(String rule) {
		this.denied.remove(rule);
		return this;
	}

	CountingStore answerOn(Executor newExecutor) {
		this.executor = newExecutor;
		return this;
	}

	List<Demand> asked() {
		return List.copyOf(this.asked);
	}

	List<String> rules() {
		return this.asked.stream().map((demand) -> demand.rule().name()).toList();
	}

	List<String> keys() {
		return this.asked.stream().map(Demand::key).toList();
	}

	@Override
	public List<LimitOutcome> acquire(List<Demand> demands) {
		this.asked.addAll(demands);
		List<LimitOutcome> outcomes = new ArrayList<>();
		for (Demand demand : demands) {
			boolean admitted = !this.denied.contains(demand.rule().name());
			for (Limit limit : demand.rule().limits()) {
				outcomes.add(new LimitOutcome(admitted ? limit.max() - 1 : 0, admitted ? 0 : 1_500_000,
						limit.periodMicros()));
			}
		}
		return outcomes;
	}

	@Override
	public CompletionStage<List<LimitOutcome>> acquireAsync(List<Demand> demands) {
		CompletableFuture<List<LimitOutcome>> later = new CompletableFuture<>();
		this.executor.execute(() -> later.complete(acquire(demands)));
		return later;
	}

	@Override
	public void reset(RateLimitRule rule, String key) {
	}

	@Override
	public Decision.Origin origin() {
		return Decision.Origin.LOCAL;
	}

}
