package io.github.ratelimit.engine;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.Decision;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.store.DelegatingStore;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.Demands;
import io.github.ratelimit.store.StoreAnswer;
import io.github.ratelimit.store.local.LocalRateLimitStore;

/**
 * Store that answers when the test lets it.
 */
final class PendingStore extends DelegatingStore {

	private final Queue<CompletableFuture<Void>> pending = new ArrayDeque<>();

	final List<List<String>> calls = new ArrayList<>();

	boolean answersAtOnce;

	PendingStore() {
		super(new LocalRateLimitStore(1_000));
	}

	@Override
	public CompletionStage<StoreAnswer> acquireAsync(Demands demands) {
		this.calls.add(demands.asList().stream().map((demand) -> demand.rule().name()).toList());
		CompletableFuture<Void> go = new CompletableFuture<>();
		this.pending.add(go);
		CompletionStage<StoreAnswer> answer = go.thenApply((released) -> this.delegate.acquire(demands));
		if (this.answersAtOnce) {
			answerNext();
		}
		return answer;
	}

	void answerNext() {
		this.pending.remove().complete(null);
	}

	void answerAll() {
		while (!this.pending.isEmpty()) {
			answerNext();
		}
	}

	void failNext(RuntimeException failure) {
		this.pending.remove().completeExceptionally(failure);
	}

	/**
	 * Return the units left of a rule of five per hour.
	 */
	long remaining(String rule) {
		RateLimitRule counted = RateLimitRule.named(rule)
			.limit(5, Duration.ofHours(1))
			.algorithm(Algorithm.SLIDING_LOG)
			.build();
		return this.delegate.peek(new Demand(counted, "key", 1)).outcomes().get(0).remaining();
	}

	@Override
	public Decision.Origin origin() {
		return Decision.Origin.REDIS;
	}

}
