package io.github.ratelimit.store.redis;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.LimitOutcome;
import io.github.ratelimit.store.Refund;
import io.github.ratelimit.store.StoreAnswer;
import io.github.ratelimit.store.Tally;

/**
 * What one call asks of Redis, and who waits for the answer.
 *
 * @param demands what it asks
 * @param plan the same as scripts are told
 * @param keys the name of each count
 * @param deadline when the caller waits no longer, by {@link Deadlines}
 * @param answer what the caller waits for
 */
record Question(List<Demand> demands, Plan plan, byte[][] keys, long deadline, CompletableFuture<StoreAnswer> answer) {

	static Question of(List<Demand> demands, RedisKeys redisKeys, long deadline) {
		List<Plan.Part> parts = new ArrayList<>(demands.size());
		List<byte[]> keys = new ArrayList<>();
		for (Demand demand : demands) {
			Plan.Part part = Plan.Part.of(demand);
			parts.add(part);
			for (Tally tally : part.tallies()) {
				keys.add(redisKeys.name(demand.rule(), tally, demand.key()));
			}
		}
		return new Question(demands, new Plan(parts), keys.toArray(byte[][]::new), deadline, new CompletableFuture<>());
	}

	boolean asksTheSameAs(Question other) {
		return this.plan.equals(other.plan) && Arrays.deepEquals(this.keys, other.keys);
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
		List<LimitOutcome> tallied = new ArrayList<>(this.keys.length);
		for (int i = 0; i < this.keys.length; i++) {
			tallied.add(new LimitOutcome(reply.getLong(), reply.getLong(), reply.getLong()));
		}
		StoreAnswer outcome = StoreAnswer.at(now, Tally.merge(this.demands, tallied));
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
