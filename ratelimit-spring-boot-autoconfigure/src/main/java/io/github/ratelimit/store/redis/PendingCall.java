package io.github.ratelimit.store.redis;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.LimitOutcome;
import io.github.ratelimit.store.Refund;
import io.github.ratelimit.store.RuleValue;
import io.github.ratelimit.store.StoreAnswer;

/**
 * A call that waits for the reply of its script.
 *
 * @param demands what it asks
 * @param encoded the same, encoded for scripts
 * @param keys the name of the counter of each count
 * @param deadline when the caller waits no longer, by {@link Deadlines}
 * @param answer what the caller waits for
 */
record PendingCall(List<Demand> demands, EncodedCall encoded, byte[][] keys, long deadline,
		CompletableFuture<StoreAnswer> answer) {

	static PendingCall of(List<Demand> demands, RuleValue<EncodedCounts> encoded, long deadline) {
		if (demands.size() == 1) {
			Demand demand = demands.get(0);
			EncodedCounts counts = encoded.get(demand.counts());
			return new PendingCall(demands, counts.call(demand), counts.names().of(demand.key()), deadline,
					new CompletableFuture<>());
		}
		List<EncodedCall> calls = new ArrayList<>(demands.size());
		List<byte[]> keys = new ArrayList<>();
		for (Demand demand : demands) {
			EncodedCounts counts = encoded.get(demand.counts());
			calls.add(counts.call(demand, calls.size()));
			keys.addAll(Arrays.asList(counts.names().of(demand.key())));
		}
		return new PendingCall(demands, EncodedCall.joined(calls), keys.toArray(byte[][]::new), deadline,
				new CompletableFuture<>());
	}

	boolean asksTheSameAs(PendingCall other) {
		return this.encoded.equals(other.encoded) && Arrays.deepEquals(this.keys, other.keys);
	}

	/**
	 * Answer with the next part of a reply.
	 * @param now when it was asked
	 * @param reply what {@code decide.lua} replied, from here on
	 * @return the units that were taken although nobody waits for the answer any more
	 */
	List<Refund> answer(long now, ByteBuffer reply) {
		ScriptFailure failure = ScriptFailure.next(reply);
		if (failure != null) {
			fail(failure);
			return List.of();
		}
		List<LimitOutcome> outcomes = new ArrayList<>();
		for (Demand demand : this.demands) {
			List<LimitOutcome> ofCounts = new ArrayList<>(demand.counts().size());
			for (int i = 0; i < demand.counts().size(); i++) {
				ofCounts.add(new LimitOutcome(reply.getLong(), reply.getLong(), reply.getLong()));
			}
			outcomes.addAll(demand.counts().merge(ofCounts));
		}
		StoreAnswer outcome = StoreAnswer.at(now, outcomes);
		if (this.answer.complete(outcome) || !outcome.admits(this.demands)) {
			return List.of();
		}
		return outcome.taken(this.demands).stream().filter((refund) -> refund.demand().cost() > 0).toList();
	}

	void fail(Throwable failure) {
		this.answer.completeExceptionally(failure);
	}

	/**
	 * Whether nobody waits for the answer any more.
	 */
	boolean isOver() {
		return this.answer.isDone();
	}

}
