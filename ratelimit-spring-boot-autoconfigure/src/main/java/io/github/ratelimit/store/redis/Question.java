package io.github.ratelimit.store.redis;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.LimitOutcome;
import io.github.ratelimit.store.StoreAnswer;
import io.github.ratelimit.store.Tally;

/**
 * What one call asks of Redis, and who waits for the answer.
 *
 * @param demands what it asks
 * @param plan the same as scripts are told
 * @param keys the name of each count
 * @param answer what the caller waits for
 */
record Question(List<Demand> demands, Plan plan, byte[][] keys, CompletableFuture<StoreAnswer> answer) {

	static Question of(List<Demand> demands, RedisKeys redisKeys) {
		List<Plan.Part> parts = new ArrayList<>(demands.size());
		List<byte[]> keys = new ArrayList<>();
		for (Demand demand : demands) {
			Plan.Part part = Plan.Part.of(demand);
			parts.add(part);
			for (Tally tally : part.tallies()) {
				keys.add(redisKeys.name(demand.rule(), tally, demand.key()));
			}
		}
		return new Question(demands, new Plan(parts), keys.toArray(byte[][]::new), new CompletableFuture<>());
	}

	boolean asksTheSameAs(Question other) {
		return this.plan.equals(other.plan) && Arrays.deepEquals(this.keys, other.keys);
	}

	/**
	 * Answer with the next part of a reply.
	 * @param now when it was asked
	 * @param reply what {@code decide.lua} replied, from here on
	 */
	void answer(long now, ByteBuffer reply) {
		ScriptFailure failure = ScriptFailure.next(reply);
		if (failure != null) {
			this.answer.completeExceptionally(failure);
			return;
		}
		List<LimitOutcome> tallied = new ArrayList<>(this.keys.length);
		for (int i = 0; i < this.keys.length; i++) {
			tallied.add(new LimitOutcome(reply.getLong(), reply.getLong(), reply.getLong()));
		}
		this.answer.complete(StoreAnswer.at(now, Tally.merge(this.demands, tallied)));
	}

}
