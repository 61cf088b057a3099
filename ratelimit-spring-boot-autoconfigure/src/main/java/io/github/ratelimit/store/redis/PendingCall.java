package io.github.ratelimit.store.redis;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import io.github.ratelimit.store.BanOutcome;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.Demands;
import io.github.ratelimit.store.LimitOutcome;
import io.github.ratelimit.store.Refund;
import io.github.ratelimit.store.RuleAnswer;
import io.github.ratelimit.store.RuleValue;
import io.github.ratelimit.store.StoreAnswer;

/**
 * Call that waits for the reply of its script.
 *
 * @param demands its demands
 * @param encoded the same, encoded for scripts
 * @param keys the name of the counter of each count
 * @param deadline the time at which the caller stops waiting, by the clock of
 * {@link Deadlines}
 * @param answer the future that the caller waits for
 * @param fetch the units that it fetches for later calls
 */
record PendingCall(Demands demands, EncodedCall encoded, byte[][] keys, long deadline,
		CompletableFuture<StoreAnswer> answer, Fetch fetch) {

	static PendingCall of(Demands demands, RuleValue<EncodedCounts> encoded, long deadline) {
		if (demands instanceof Demand demand) {
			EncodedCounts counts = encoded.get(demand.counts());
			return new PendingCall(demands, counts.call(demand), counts.names().of(demand.key()), deadline,
					new CompletableFuture<>(), Fetch.NOTHING);
		}
		List<EncodedCall> calls = new ArrayList<>(demands.size());
		List<byte[]> keys = new ArrayList<>();
		for (Demand demand : demands.asList()) {
			EncodedCounts counts = encoded.get(demand.counts());
			calls.add(counts.call(demand, calls.size()));
			keys.addAll(Arrays.asList(counts.names().of(demand.key())));
		}
		return new PendingCall(demands, EncodedCall.joined(calls), keys.toArray(byte[][]::new), deadline,
				new CompletableFuture<>(), Fetch.NOTHING);
	}

	/**
	 * Create a new call of a rule that prefetches.
	 */
	static PendingCall of(Demand demand, Fetch fetch, RuleValue<EncodedCounts> encoded, long deadline,
			CompletableFuture<StoreAnswer> answer) {
		EncodedCounts counts = encoded.get(demand.counts());
		EncodedCall call = (fetch == Fetch.NOTHING) ? counts.call(demand) : counts.call(demand, fetch);
		return new PendingCall(demand, call, counts.names().of(demand.key()), deadline, answer, fetch);
	}

	boolean asksTheSameAs(PendingCall other) {
		return this.encoded.equals(other.encoded) && Arrays.deepEquals(this.keys, other.keys);
	}

	/**
	 * Answer with the next part of a reply.
	 * @param now the time of the decision
	 * @param reply the rest of the reply of {@code decide.lua}
	 * @return refunds of the units taken, if the call was already over
	 */
	List<Refund> answer(long now, ByteBuffer reply) {
		ScriptFailure failure = ScriptFailure.next(reply);
		if (failure != null) {
			fail(failure);
			return List.of();
		}
		StoreAnswer decided = StoreAnswer.to(this.demands, (demand) -> answer(demand, now, reply));
		if (this.answer.complete(decided) || !decided.isAdmitted()) {
			return List.of();
		}
		return decided.refunds().stream().filter((refund) -> refund.demand().cost() > 0).toList();
	}

	private RuleAnswer answer(Demand demand, long now, ByteBuffer reply) {
		RuleAnswer decided = RuleAnswer.of(demand, now, (count) -> nextOutcome(reply));
		if (demand.rule().prefetch() != null) {
			this.fetch.answered(decided, nextOutcome(reply));
		}
		return (demand.rule().ban() != null) ? withBan(decided, nextOutcome(reply)) : decided;
	}

	private static RuleAnswer withBan(RuleAnswer decided, LimitOutcome ban) {
		return ban.admitted() ? decided : decided.bannedBy(BanOutcome.of(ban));
	}

	private static LimitOutcome nextOutcome(ByteBuffer reply) {
		return new LimitOutcome(reply.getLong(), reply.getLong(), reply.getLong());
	}

	void fail(Throwable failure) {
		this.answer.completeExceptionally(failure);
	}

	/**
	 * Return whether the call is answered, failed or given up.
	 */
	boolean isOver() {
		return this.answer.isDone();
	}

}
