package io.github.ratelimit.store.redis;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

import io.github.ratelimit.store.Correction;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.Demands;
import io.github.ratelimit.store.RuleAnswer;
import io.github.ratelimit.store.RuleValue;
import io.github.ratelimit.store.StoreAnswer;

/**
 * Call that waits for the reply of its script.
 *
 * @param rules the counts of each rule
 * @param encoded its demands, encoded for scripts
 * @param keys the name of the counter of each count
 * @param deadline the time at which the caller stops waiting, by the clock of
 * {@link Deadlines}
 * @param answer the future that the caller waits for
 * @param fetch the units that it fetches for later calls
 * @param again sends the call again if it lacks edges of a calendar, or if a lean script
 * does not know its state; {@code null} if it is not sent again
 * @param tried the same call to each candidate of its rules: calls of their own, which
 * the first script call of this one decides before it
 * @param isAgain whether this call was sent before, and those to candidates with it
 */
record PendingCall(Demands demands, RuleValue<EncodedCounts> rules, EncodedCall encoded, byte[][] keys, long deadline,
		CompletableFuture<StoreAnswer> answer, Fetch fetch, @Nullable Again again, List<PendingCall> tried,
		boolean isAgain) {

	private static final List<PendingCall> NONE = List.of();

	static PendingCall of(Demands demands, RuleValue<EncodedCounts> rules, long deadline,
			CompletableFuture<StoreAnswer> answer, @Nullable Again again) {
		if (demands instanceof Demand demand) {
			return of(demand, Fetch.NOTHING, rules, deadline, answer, again);
		}
		List<EncodedCall> calls = new ArrayList<>(demands.size());
		List<byte[]> keys = new ArrayList<>();
		for (Demand demand : demands.asList()) {
			EncodedCounts counts = rules.get(demand.counts());
			calls.add(counts.call(demand, calls.size(), Fetch.NOTHING));
			keys.addAll(Arrays.asList(counts.names().of(demand.key())));
		}
		return new PendingCall(demands, rules, EncodedCall.joined(calls), keys.toArray(byte[][]::new), deadline, answer,
				Fetch.NOTHING, again, NONE, false);
	}

	/** Create a new call under one rule, which may prefetch. */
	static PendingCall of(Demand demand, Fetch fetch, RuleValue<EncodedCounts> rules, long deadline,
			CompletableFuture<StoreAnswer> answer, @Nullable Again again) {
		EncodedCounts counts = rules.get(demand.counts());
		return new PendingCall(demand, rules, counts.call(demand, 0, fetch), counts.names().of(demand.key()), deadline,
				answer, fetch, again, NONE, false);
	}

	/** Encode the same call anew, to be sent again without those to candidates. */
	PendingCall encodedAgain(@Nullable Again next) {
		PendingCall anew = (this.demands instanceof Demand demand)
				? of(demand, this.fetch, this.rules, this.deadline, this.answer, next)
				: of(this.demands, this.rules, this.deadline, this.answer, next);
		return sentAgain(anew.encoded, anew.keys, next);
	}

	/**
	 * Return the same call, which no lean script may decide, to be sent again without
	 * those to candidates.
	 */
	PendingCall notLean() {
		return sentAgain(this.encoded.notLean(), this.keys, this.again);
	}

	private PendingCall sentAgain(EncodedCall call, byte[][] names, @Nullable Again next) {
		return new PendingCall(this.demands, this.rules, call, names, this.deadline, this.answer, this.fetch, next,
				this.tried, true);
	}

	/** Return the same call together with that to each candidate of its rules. */
	PendingCall trying(List<Demand> candidates) {
		if (candidates.isEmpty()) {
			return this;
		}
		List<PendingCall> calls = candidates.stream()
			.map((each) -> of(each, this.rules, this.deadline, new CompletableFuture<>(), this.again))
			.toList();
		return new PendingCall(this.demands, this.rules, this.encoded.tried(calls.size()), this.keys, this.deadline,
				this.answer, this.fetch, this.again, calls, false);
	}

	/** Return the calls to candidates that have to be sent with this one. */
	List<PendingCall> untried() {
		return this.isAgain ? NONE : this.tried;
	}

	boolean isSentLike(PendingCall other) {
		return this.encoded.equals(other.encoded) && Arrays.deepEquals(this.keys, other.keys);
	}

	/**
	 * Answer with the next part of a reply.
	 * @return refunds of the units taken, if the call was already over
	 */
	List<Correction> answer(Reply reply) {
		ScriptFailure failure = reply.nextCall();
		if (failure != null) {
			failed(failure, reply.time());
			return List.of();
		}
		StoreAnswer decided = (reply instanceof LeanReply && this.demands instanceof Demand only)
				? RuleAnswer.of(only, reply.time(), reply.nextOutcome(only)) : StoreAnswer.to(this.demands,
						(demand) -> this.rules.get(demand.counts()).answer(demand, reply, this.fetch));
		StoreAnswer all = (this.tried != NONE) ? decided.withTried(answersOfTried()) : decided;
		if (this.answer.complete(all)) {
			return List.of();
		}
		return ((all.isAdmitted() || !all.tried().isEmpty()) ? all.refunds() : List.<Correction>of()).stream()
			.filter((refund) -> refund.demand().cost() > 0)
			.toList();
	}

	/**
	 * Return the answers of candidates. They are known, since they come before that of
	 * the call, unless the call of a candidate has failed.
	 */
	List<RuleAnswer> answersOfTried() {
		return this.tried.stream()
			.filter((each) -> each.isOver() && !each.answer.isCompletedExceptionally())
			.map((each) -> each.answer.join().get(0))
			.toList();
	}

	private void failed(ScriptFailure failure, long now) {
		Long lacking = failure.outsideOfEdges();
		if ((lacking != null || failure == ScriptFailure.NOT_LEAN) && this.again != null) {
			this.again.send(this, now, lacking);
		}
		else {
			fail(failure.ofRule(this.demands.get(0).rule().name()));
		}
	}

	void fail(Throwable failure) {
		this.answer.completeExceptionally(failure);
	}

	boolean isOver() {
		return this.answer.isDone();
	}

	/**
	 * Group calls by their keys, which a moving hash slot refuses or accepts together.
	 */
	static Collection<List<PendingCall>> byKeys(List<PendingCall> calls) {
		return calls.stream()
			.collect(Collectors.groupingBy((call) -> Arrays.stream(call.keys()).map(ByteBuffer::wrap).toList(),
					LinkedHashMap::new, Collectors.toList()))
			.values();
	}

	/** Sender of calls that were not decided. */
	interface Again {

		/**
		 * Send a call again.
		 * @param lacking the time that was outside of the edges of a calendar, {@code
		 * null} if a lean script does not know the state
		 */
		void send(PendingCall call, long now, @Nullable Long lacking);

	}

}
