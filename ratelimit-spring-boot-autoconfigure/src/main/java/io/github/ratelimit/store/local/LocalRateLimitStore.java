package io.github.ratelimit.store.local;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.LongSupplier;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Expiry;
import com.github.benmanes.caffeine.cache.Ticker;

import io.github.ratelimit.Decision;
import io.github.ratelimit.Limit;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.algorithm.LimitState;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.LimitOutcome;
import io.github.ratelimit.store.RateLimitStore;

/**
 * Counters inside this process: a bounded map of states, each of which is dropped when it
 * equals an unused one. A decision holds the locks of all its states, so it is exact
 * under concurrency and all or nothing.
 *
 * @since 0.1.0
 */
public final class LocalRateLimitStore implements RateLimitStore {

	private static final long EPOCH_MICROS = System.currentTimeMillis() * 1000 - System.nanoTime() / 1000;

	private final Stripes stripes = new Stripes();

	private final Cache<StateKey, Entry> entries;

	private final LongSupplier clock;

	/**
	 * Create a new store on the monotonic clock of this process.
	 * @param maxKeys how many states are kept; beyond that the least useful ones are
	 * dropped, and their keys start anew
	 */
	public LocalRateLimitStore(long maxKeys) {
		this(maxKeys, LocalRateLimitStore::monotonicMicros, Ticker.systemTicker());
	}

	/**
	 * Create a new store.
	 * @param clock what calls are counted by, in microseconds
	 * @param ticker what unused states are dropped by, in nanoseconds
	 */
	LocalRateLimitStore(long maxKeys, LongSupplier clock, Ticker ticker) {
		this.clock = clock;
		this.entries = Caffeine.newBuilder()
			.maximumSize(maxKeys)
			.ticker(ticker)
			.expireAfter(Expiry.<StateKey, Entry>writing((key, entry) -> entry.lifetime))
			.build();
	}

	/**
	 * The monotonic clock, told as Unix time, which windows by the clock begin by.
	 */
	private static long monotonicMicros() {
		return EPOCH_MICROS + System.nanoTime() / 1000;
	}

	@Override
	public List<LimitOutcome> acquire(List<Demand> demands) {
		List<Question> questions = new ArrayList<>();
		for (Demand demand : demands) {
			for (Limit limit : demand.rule().limits()) {
				questions.add(new Question(StateKey.of(demand.rule(), limit, demand.key()), limit, demand.cost()));
			}
		}
		int[] held = this.stripes.lock(questions.stream().map(Question::key).toList());
		try {
			return decide(questions, this.clock.getAsLong());
		}
		finally {
			this.stripes.unlock(held);
		}
	}

	private List<LimitOutcome> decide(List<Question> questions, long now) {
		Entry[] asked = new Entry[questions.size()];
		long[] retryAfter = new long[asked.length];
		boolean admitted = true;
		for (int i = 0; i < asked.length; i++) {
			Question question = questions.get(i);
			Entry entry = this.entries.getIfPresent(question.key());
			asked[i] = (entry != null) ? entry : new Entry(LimitState.unused(question.limit().algorithm()));
			retryAfter[i] = asked[i].state.retryAfter(question.limit(), question.cost(), now);
			admitted &= retryAfter[i] == 0;
		}
		List<LimitOutcome> outcomes = new ArrayList<>(asked.length);
		for (int i = 0; i < asked.length; i++) {
			Question question = questions.get(i);
			write(question, asked[i], admitted, now);
			LimitState state = asked[i].state;
			outcomes.add(new LimitOutcome(state.remaining(question.limit(), now), retryAfter[i],
					state.resetAfter(question.limit(), now)));
		}
		return outcomes;
	}

	private void write(Question question, Entry entry, boolean admitted, long now) {
		if (question.cost() == 0) {
			return;
		}
		boolean changed = entry.state.settle(question.limit(), now);
		if (admitted) {
			entry.state.take(question.limit(), question.cost(), now);
		}
		if (admitted || changed) {
			entry.lifetime = Duration.of(entry.state.resetAfter(question.limit(), now), ChronoUnit.MICROS);
			this.entries.put(question.key(), entry);
		}
	}

	@Override
	public CompletionStage<List<LimitOutcome>> acquireAsync(List<Demand> demands) {
		return CompletableFuture.completedFuture(acquire(demands));
	}

	@Override
	public void reset(RateLimitRule rule, String key) {
		List<StateKey> keys = rule.limits().stream().map((limit) -> StateKey.of(rule, limit, key)).toList();
		int[] held = this.stripes.lock(keys);
		try {
			this.entries.invalidateAll(keys);
		}
		finally {
			this.stripes.unlock(held);
		}
	}

	@Override
	public Decision.Origin origin() {
		return Decision.Origin.LOCAL;
	}

	private static final class Entry {

		private final LimitState state;

		private Duration lifetime = Duration.ZERO;

		private Entry(LimitState state) {
			this.state = state;
		}

	}

	/**
	 * What a call asks of one limit.
	 */
	private record Question(StateKey key, Limit limit, long cost) {

	}

}
