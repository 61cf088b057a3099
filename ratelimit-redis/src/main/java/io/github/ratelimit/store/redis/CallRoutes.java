package io.github.ratelimit.store.redis;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;

import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.Demands;
import io.github.ratelimit.store.RuleAnswer;
import io.github.ratelimit.store.RuleValue;
import io.github.ratelimit.store.StoreAnswer;
import io.github.ratelimit.store.StoreException;

/**
 * Routes by which calls reach Redis: with a fetch of units for later calls, as one script
 * call, or in groups. The first calls wait until the {@link Sharding} is known.
 *
 * @param calls sends calls of several rules
 * @param corrections refunds units that a group has counted for a call that another
 * denies
 */
record CallRoutes(RedisSetup setup, RuleValue<Road> roads, SentCalls calls, Corrections corrections) {

	Object server(Demand demand) {
		return this.setup.runner.ownerOf(first(demand));
	}

	byte[] first(Demand demand) {
		return this.setup.encoded.get(demand.counts()).names().first(demand.key());
	}

	private Object group(Demand demand) {
		return this.setup.sharding.reach().group(first(demand));
	}

	private boolean areOne(Demands demands) {
		return demands.size() == 1 || this.setup.sharding.reach() == ScriptReach.ALL_KEYS
				|| demands.asList().stream().map(this::group).distinct().count() == 1;
	}

	/**
	 * Pay a call with units that this instance holds, {@code null} if they do not
	 * suffice.
	 */
	@Nullable RuleAnswer pay(Demands demands) {
		return (demands instanceof Demand demand && this.roads.get(demand.counts()) instanceof StockRegistry stocks)
				? stocks.pay(demand) : null;
	}

	CompletableFuture<StoreAnswer> decide(Demands demands) {
		long deadline = this.calls.nextDeadline();
		if (this.setup.sharding.isKnown()) {
			return decide(demands, deadline);
		}
		CompletableFuture<StoreAnswer> answer = new CompletableFuture<>();
		this.setup.sharding.find().whenComplete((found, failure) -> {
			if (failure != null) {
				answer.completeExceptionally(failure);
			}
			else if (!answer.isDone()) {
				forward(decide(demands, deadline), answer);
			}
		});
		return this.setup.failures.inTime(answer);
	}

	private CompletableFuture<StoreAnswer> decide(Demands demands, long deadline) {
		if (demands instanceof Demand demand) {
			return this.roads.get(demand.counts()).decide(demand, deadline);
		}
		return areOne(demands) ? this.calls.send(demands, deadline)
				: this.setup.failures.inTime(split(demands, Demands::tried, deadline).decide());
	}

	/**
	 * Decide a call anew that was sent together with others and cannot be. Those to
	 * candidates, which were sent with it, are not.
	 */
	void decideAnew(PendingCall call) {
		if (areOne(call.demands())) {
			this.calls.sendAnew(call);
		}
		else {
			SplitCall split = split(call.demands(), (ofGroup) -> List.of(), call.deadline())
				.triedBefore(call.answersOfTried());
			forward(this.setup.failures.inTime(split.decide()), call.answer());
		}
	}

	/**
	 * Complete the answer that a caller waits for by a decision. If the caller has given
	 * up, so that the answer is complete, the decision is given up too, or refunded.
	 */
	private void forward(CompletableFuture<StoreAnswer> decision, CompletableFuture<StoreAnswer> answer) {
		answer.whenComplete((decided, failure) -> {
			if (failure != null) {
				decision.completeExceptionally(failure);
			}
		});
		decision.whenComplete((decided, failure) -> {
			if (failure != null) {
				answer.completeExceptionally(failure);
			}
			else if (!answer.complete(decided) && (decided.isAdmitted() || !decided.tried().isEmpty())) {
				this.corrections.correct(decided.refunds());
			}
		});
	}

	CompletableFuture<StoreAnswer> peek(Demand demand) {
		return this.setup.sharding.isKnown() ? this.calls.peek(demand)
				: this.setup.failures.inTime(this.setup.sharding.whenKnown(() -> this.calls.peek(demand)));
	}

	/** Return the decision that a call would get. */
	CompletableFuture<StoreAnswer> preview(Demands demands) {
		return this.setup.failures
			.inTime(this.setup.sharding.whenKnown(() -> areOne(demands) ? this.calls.preview(demands)
					: new SplitCall(demands, this::group, (ofGroup) -> List.of(),
							(ofGroup, none) -> this.calls.preview(ofGroup),
							(nothing) -> CompletableFuture.completedFuture(List.of()), this::blame)
						.decide()));
	}

	private SplitCall split(Demands demands, Function<Demands, List<Demand>> tried, long deadline) {
		return new SplitCall(demands, this::group, tried,
				(ofGroup, candidates) -> this.calls.send(ofGroup, candidates, deadline), this.corrections::correct,
				this::blame);
	}

	private StoreException blame(Demand demand, Throwable failure) {
		return this.setup.failures.of(failure).withFailureDomain(server(demand));
	}

}
