package io.github.ratelimit.interceptor;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;

import io.github.ratelimit.Limit;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.Demands;
import io.github.ratelimit.store.LimitOutcome;
import io.github.ratelimit.store.RecordingStore;
import io.github.ratelimit.store.RuleAnswer;
import io.github.ratelimit.store.StoreAnswer;

/**
 * Store that records its calls and denies given rules. It answers at once, unless it gets
 * an executor.
 */
final class CountingStore extends RecordingStore {

	private final Set<String> denied = ConcurrentHashMap.newKeySet();

	private volatile long wait;

	CountingStore() {
		answerOn(Runnable::run);
	}

	CountingStore deny(String... rules) {
		this.denied.addAll(Set.of(rules));
		return this;
	}

	CountingStore admit(String rule) {
		this.denied.remove(rule);
		return this;
	}

	/**
	 * Admit calls that accept this wait, and deny the others.
	 */
	CountingStore delayBy(Duration newWait) {
		this.wait = newWait.toNanos() / 1000;
		return this;
	}

	List<String> rules() {
		return demands().stream().map((demand) -> demand.rule().name()).toList();
	}

	List<String> keys() {
		return demands().stream().map((demand) -> demand.key().text()).toList();
	}

	@Override
	protected StoreAnswer decide(Demands demands) {
		return StoreAnswer.to(demands, this::answer);
	}

	private RuleAnswer answer(Demand demand) {
		boolean admitted = !this.denied.contains(demand.rule().name());
		return RuleAnswer.of(demand, 0, (count) -> outcome(demand.counts().get(count).limit(), admitted));
	}

	private LimitOutcome outcome(Limit limit, boolean admitted) {
		return new LimitOutcome(admitted ? limit.max() - 1 : 0, admitted ? this.wait : 1_500_000, limit.periodMicros());
	}

}
