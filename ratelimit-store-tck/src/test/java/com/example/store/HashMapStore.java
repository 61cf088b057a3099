package com.example.store;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.LongSupplier;

import io.github.ratelimit.Decision;
import io.github.ratelimit.store.Correction;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.Demands;
import io.github.ratelimit.store.RateLimitStore;
import io.github.ratelimit.store.RuleAnswer;
import io.github.ratelimit.store.RuleCounts;
import io.github.ratelimit.store.StoreAnswer;
import io.github.ratelimit.store.StoreException;
import io.github.ratelimit.store.StoredCalls;
import io.github.ratelimit.store.StoredKey;

/**
 * Store of a {@link HashMap} and one lock, as an example for authors of stores. It keeps
 * counts as bytes, as a store outside the process does, and passes all tests.
 *
 * <p>
 * It does not have what no test asks for: all calls wait for one lock, it lists no bans,
 * and it renews no leases of slots.
 */
public final class HashMapStore implements RateLimitStore {

	private static final byte[] NOTHING = {};

	private final Map<List<Object>, byte[]> stored = new HashMap<>();

	private final LongSupplier clock;

	/**
	 * Create an empty store.
	 * @param clock returns the time in microseconds since 1970
	 */
	public HashMapStore(LongSupplier clock) {
		this.clock = clock;
	}

	@Override
	public StoreAnswer acquire(Demands demands) {
		return call((calls) -> calls.decide(demands, demands.tried()));
	}

	@Override
	public RuleAnswer peek(Demand demand) {
		return call((calls) -> calls.peek(demand));
	}

	@Override
	public StoreAnswer preview(Demands demands) {
		return call((calls) -> calls.preview(demands));
	}

	@Override
	public CompletionStage<List<long[]>> correct(List<Correction> corrections) {
		return CompletableFuture.completedFuture(call((calls) -> corrections.stream().map(calls::correct).toList()));
	}

	@Override
	public void reset(RuleCounts counts, StoredKey key) {
		call((calls) -> {
			calls.reset(new Demand(counts, key, 0));
			return true;
		});
	}

	@Override
	public Decision.Origin origin() {
		return Decision.Origin.LOCAL;
	}

	/**
	 * Let calls be decided, and store what has changed.
	 */
	private synchronized <T> T call(Function<StoredCalls<?>, T> decision) {
		Calls calls = new Calls(this.clock.getAsLong());
		T answer = decision.apply(calls);
		calls.store();
		return answer;
	}

	private final class Calls extends StoredCalls<List<Object>> {

		/**
		 * The number of this instance among all.
		 */
		private static final long INSTANCE = 1;

		Calls(long now) {
			super(INSTANCE, now);
		}

		@Override
		protected List<Object> key(Demand demand) {
			return List.of(demand.counts().counters(), demand.key());
		}

		@Override
		protected byte[] read(List<Object> key) {
			return HashMapStore.this.stored.getOrDefault(key, NOTHING);
		}

		@Override
		protected StoreException unreadable(List<Object> key, Demand demand, RuntimeException cause) {
			return new StoreException("The counts of a key of rule \"" + demand.rule().name() + "\" cannot be read: "
					+ cause.getMessage(), cause);
		}

		/**
		 * Store all counts, except those that equal unused ones.
		 */
		private void store() {
			counts().forEach((key, counts) -> {
				byte[] bytes = counts.toBytes();
				if (bytes.length > 0) {
					HashMapStore.this.stored.put(key, bytes);
				}
				else {
					HashMapStore.this.stored.remove(key);
				}
			});
		}

	}

}
