package io.github.ratelimit.store.redis;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.github.ratelimit.store.Correction;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.Demands;
import io.github.ratelimit.store.RuleAnswer;
import io.github.ratelimit.store.StoreAnswer;

/**
 * Call whose counts no single script can {@linkplain ScriptReach reach}: they are in
 * several hash slots of a cluster, or on several servers of a proxy. The groups of
 * demands that one script reaches decide one after the other, in the order of the
 * demands. When one of them denies or fails, or the call is given up, the units taken by
 * earlier ones are refunded. A lock over groups would cost each call a round trip, and
 * might outlive its owner.
 *
 * <p>
 * When a group denies, all others are peeked at: the earlier ones after their refund. The
 * candidates of the later ones decide the call beside the peek, since they decide each
 * call. All candidates keep what they have counted, unless a peek fails or nobody waits
 * for the denial.
 *
 * <p>
 * The whole call may time out a moment before the call of a group does. Then the group
 * that has not answered is blamed, and not the others.
 */
final class SplitCall {

	private static final Logger logger = System.getLogger(SplitCall.class.getName());

	private final Demands demands;

	private final List<List<Integer>> groups;

	private final Function<Demands, List<Demand>> candidates;

	private final BiFunction<Demands, List<Demand>, CompletionStage<StoreAnswer>> group;

	private final Function<List<Correction>, CompletionStage<List<long[]>>> refunds;

	private final BiFunction<Demand, Throwable, Throwable> blame;

	/** Demands that were sent and are not answered, one per group. */
	private final Set<Demand> unanswered = ConcurrentHashMap.newKeySet();

	private final RuleAnswer[] answers;

	private final List<RuleAnswer> tried = new ArrayList<>();

	private final List<Correction> taken = new ArrayList<>();

	private final CompletableFuture<StoreAnswer> result = new CompletableFuture<>() {

		@Override
		public boolean completeExceptionally(Throwable failure) {
			return super.completeExceptionally(blamed(failure));
		}

	};

	/**
	 * Create a new call.
	 * @param groupOf returns the group of a demand, equal for those that one script
	 * reaches
	 * @param candidates returns the demands to candidates of some demands
	 * @param group sends the demands of a group, and with them those to candidates
	 * @param blame restricts a failure to the group of a demand
	 */
	SplitCall(Demands demands, Function<Demand, Object> groupOf, Function<Demands, List<Demand>> candidates,
			BiFunction<Demands, List<Demand>, CompletionStage<StoreAnswer>> group,
			Function<List<Correction>, CompletionStage<List<long[]>>> refunds,
			BiFunction<Demand, Throwable, Throwable> blame) {
		this.demands = demands;
		this.groups = List.copyOf(IntStream.range(0, demands.size())
			.boxed()
			.collect(Collectors.groupingBy((index) -> groupOf.apply(demands.get(index)), LinkedHashMap::new,
					Collectors.toList()))
			.values());
		this.candidates = candidates;
		this.group = group;
		this.refunds = refunds;
		this.blame = blame;
		this.answers = new RuleAnswer[demands.size()];
	}

	/** Note the answers of candidates that have decided this call before. */
	SplitCall triedBefore(List<RuleAnswer> answers) {
		this.tried.addAll(answers);
		this.taken.addAll(refundsOfTried());
		return this;
	}

	CompletableFuture<StoreAnswer> decide() {
		decide(0);
		return this.result;
	}

	private void decide(int turn) {
		if (turn == this.groups.size() && this.result.complete(joined())) {
			return;
		}
		if (this.result.isDone()) {
			refund(this.taken);
			return;
		}
		List<Integer> indexes = this.groups.get(turn);
		Demands ofGroup = demands(indexes);
		send(ofGroup, this.candidates.apply(ofGroup)).whenComplete((answer, failure) -> {
			if (failure != null) {
				refund(this.taken);
				this.result.completeExceptionally(failure);
				return;
			}
			note(indexes, answer);
			if (answer.isAdmitted()) {
				this.taken.addAll(answer.refunds());
				decide(turn + 1);
			}
			else {
				deny(turn);
			}
		});
	}

	private void deny(int turn) {
		this.taken.removeIf((refund) -> refund.demand().counts().candidateId() != null);
		refund(this.taken).thenCompose((done) -> peekAtOthers(turn)).whenComplete((done, failure) -> {
			if (failure != null) {
				this.result.completeExceptionally(failure);
			}
			if (failure != null || !this.result.complete(joined())) {
				refund(refundsOfTried());
			}
		});
	}

	private List<Correction> refundsOfTried() {
		return this.tried.stream().filter(RuleAnswer::isAdmitted).map(RuleAnswer::refund).toList();
	}

	private CompletionStage<Void> peekAtOthers(int turn) {
		Stream<CompletionStage<Void>> peeks = IntStream.range(0, this.groups.size())
			.filter((other) -> other != turn)
			.mapToObj((other) -> peek(this.groups.get(other), other > turn));
		return CompletableFuture
			.allOf(peeks.map(CompletionStage::toCompletableFuture).toArray(CompletableFuture[]::new));
	}

	private CompletionStage<Void> peek(List<Integer> indexes, boolean tries) {
		Demands ofGroup = demands(indexes);
		return send(ofGroup.map((demand) -> demand.withCost(0)), tries ? this.candidates.apply(ofGroup) : List.of())
			.thenAccept((answer) -> note(indexes, answer));
	}

	private Demands demands(List<Integer> indexes) {
		return Demands.of(indexes.stream().map(this.demands::get).toList());
	}

	private CompletionStage<StoreAnswer> send(Demands ofGroup, List<Demand> toCandidates) {
		Demand first = ofGroup.get(0);
		this.unanswered.add(first);
		return CompletableFuture.completedStage(ofGroup)
			.thenCompose((demands) -> this.group.apply(demands, toCandidates))
			.exceptionallyCompose((failure) -> CompletableFuture.failedFuture(this.blame.apply(first, failure)))
			.whenComplete((answer, failure) -> this.unanswered.remove(first));
	}

	private Throwable blamed(Throwable failure) {
		return this.unanswered.stream().findFirst().map((demand) -> this.blame.apply(demand, failure)).orElse(failure);
	}

	/**
	 * Refund units. This never fails: the units of a server that cannot answer stay
	 * counted.
	 */
	private CompletionStage<Void> refund(List<Correction> units) {
		if (units.isEmpty()) {
			return CompletableFuture.completedStage(null);
		}
		return CompletableFuture.completedStage(units).thenCompose(this.refunds).handle((done, failure) -> {
			if (failure != null) {
				logger.log(Level.DEBUG, "Units of a call that another group denied could not be refunded", failure);
			}
			return null;
		});
	}

	private synchronized void note(List<Integer> indexes, StoreAnswer answer) {
		this.tried.addAll(answer.tried());
		for (int i = 0; i < indexes.size(); i++) {
			int index = indexes.get(i);
			this.answers[index] = answer.get(i).to(this.demands.get(index));
		}
	}

	private StoreAnswer joined() {
		return StoreAnswer.of(List.of(this.answers)).withTried(this.tried);
	}

}
