package io.github.ratelimit.interceptor;

import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;

import io.github.ratelimit.Decision;
import io.github.ratelimit.store.Charge;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.Demands;
import io.github.ratelimit.store.LimitOutcome;
import io.github.ratelimit.store.RateLimitStore;
import io.github.ratelimit.store.Refund;
import io.github.ratelimit.store.RuleAnswer;
import io.github.ratelimit.store.RuleCounts;
import io.github.ratelimit.store.StoreAnswer;
import io.github.ratelimit.store.StoredKey;

/**
 * Store that records its calls and denies given rules.
 */
final class CountingStore implements RateLimitStore {

	private final Queue<Demand> asked = new ConcurrentLinkedQueue<>();

	private final Set<String> denied = ConcurrentHashMap.newKeySet();

	private final List<Refund> refunds = new CopyOnWriteArrayList<>();

	private volatile Executor executor = Runnable::run;

	private volatile long wait;

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

	/**
	 * Admit calls that accept this wait, and deny the others.
	 */
	CountingStore delayBy(Duration newWait) {
		this.wait = newWait.toNanos() / 1000;
		return this;
	}

	List<Refund> refunds() {
		return List.copyOf(this.refunds);
	}

	List<Demand> asked() {
		return List.copyOf(this.asked);
	}

	List<String> rules() {
		return this.asked.stream().map((demand) -> demand.rule().name()).toList();
	}

	List<String> keys() {
		return this.asked.stream().map((demand) -> demand.key().text()).toList();
	}

	@Override
	public StoreAnswer acquire(Demands demands) {
		this.asked.addAll(demands.asList());
		return StoreAnswer.to(demands, this::answer);
	}

	private RuleAnswer answer(Demand demand) {
		boolean admitted = !this.denied.contains(demand.rule().name());
		return new RuleAnswer(demand, 0,
				demand.rule()
					.limits()
					.stream()
					.map((limit) -> new LimitOutcome(admitted ? limit.max() - 1 : 0, admitted ? this.wait : 1_500_000,
							limit.periodMicros()))
					.toList());
	}

	@Override
	public CompletionStage<StoreAnswer> acquireAsync(Demands demands) {
		CompletableFuture<StoreAnswer> later = new CompletableFuture<>();
		this.executor.execute(() -> later.complete(acquire(demands)));
		return later;
	}

	@Override
	public void refund(List<Refund> refunds) {
		this.refunds.addAll(refunds);
	}

	@Override
	public CompletionStage<Void> refundAsync(List<Refund> refunds) {
		refund(refunds);
		return CompletableFuture.completedFuture(null);
	}

	@Override
	public CompletionStage<Void> charge(List<Charge> charges) {
		throw new UnsupportedOperationException();
	}

	@Override
	public void reset(RuleCounts counts, StoredKey key) {
	}

	@Override
	public Decision.Origin origin() {
		return Decision.Origin.LOCAL;
	}

}
