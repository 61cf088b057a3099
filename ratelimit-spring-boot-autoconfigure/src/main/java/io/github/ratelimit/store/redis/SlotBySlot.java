package io.github.ratelimit.store.redis;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.Refund;
import io.github.ratelimit.store.StoreAnswer;

/**
 * One call whose counts lie in several slots of a cluster, which no script can reach at
 * once: the slots are asked one after the other, in the order of the demands. When one of
 * them denies, or fails, or nobody waits for the answer any more, what the ones before it
 * took is given back.
 *
 * <p>
 * The slots after one that denies are not asked for anything, and tell only what is left.
 * So do those before it, once they have got back what they gave.
 */
final class SlotBySlot {

	private static final Logger logger = System.getLogger(SlotBySlot.class.getName());

	private final List<Demand> demands;

	private final List<List<Integer>> slots;

	private final Function<List<Demand>, CompletionStage<StoreAnswer>> slot;

	private final Function<List<Refund>, CompletionStage<Void>> refunds;

	/**
	 * The answer to each demand.
	 */
	private final StoreAnswer[] answers;

	private final List<Refund> taken = new ArrayList<>();

	private final CompletableFuture<StoreAnswer> result = new CompletableFuture<>();

	/**
	 * Create a new sequence.
	 * @param demands what the call asks
	 * @param slotOf which slot a demand lies in
	 * @param slot asks one slot
	 * @param refunds gives back
	 */
	SlotBySlot(List<Demand> demands, ToIntFunction<Demand> slotOf,
			Function<List<Demand>, CompletionStage<StoreAnswer>> slot,
			Function<List<Refund>, CompletionStage<Void>> refunds) {
		this.demands = demands;
		Collection<List<Integer>> bySlot = IntStream.range(0, demands.size())
			.boxed()
			.collect(Collectors.groupingBy((index) -> slotOf.applyAsInt(demands.get(index)), LinkedHashMap::new,
					Collectors.toList()))
			.values();
		this.slots = List.copyOf(bySlot);
		this.slot = slot;
		this.refunds = refunds;
		this.answers = new StoreAnswer[demands.size()];
	}

	CompletableFuture<StoreAnswer> ask() {
		ask(0);
		return this.result;
	}

	private void ask(int turn) {
		if (turn == this.slots.size()) {
			if (!this.result.complete(joined())) {
				giveBack();
			}
			return;
		}
		List<Integer> asked = this.slots.get(turn);
		List<Demand> ofSlot = asked.stream().map(this.demands::get).toList();
		send(ofSlot).whenComplete((answer, failure) -> {
			if (failure != null) {
				giveBack();
				this.result.completeExceptionally(failure);
			}
			else if (answer.admits(ofSlot)) {
				note(asked, answer);
				this.taken.addAll(answer.taken(ofSlot));
				askNext(turn);
			}
			else {
				note(asked, answer);
				deny(asked);
			}
		});
	}

	private void askNext(int turn) {
		if (this.result.isDone()) {
			giveBack();
		}
		else {
			ask(turn + 1);
		}
	}

	private void deny(List<Integer> denied) {
		giveBack().thenCompose((done) -> lookAtOthers(denied)).whenComplete((done, failure) -> {
			if (failure != null) {
				this.result.completeExceptionally(failure);
			}
			else {
				this.result.complete(joined());
			}
		});
	}

	private CompletionStage<Void> lookAtOthers(List<Integer> denied) {
		Stream<CompletionStage<Void>> looks = this.slots.stream()
			.filter((others) -> others != denied)
			.map((others) -> send(others.stream().map(this.demands::get).map((demand) -> demand.withCost(0)).toList())
				.thenAccept((answer) -> note(others, answer)));
		return CompletableFuture
			.allOf(looks.map(CompletionStage::toCompletableFuture).toArray(CompletableFuture[]::new));
	}

	private CompletionStage<StoreAnswer> send(List<Demand> ofSlot) {
		return CompletableFuture.completedStage(ofSlot).thenCompose(this.slot);
	}

	/**
	 * Never fails: a server that cannot answer keeps what it took.
	 */
	private CompletionStage<Void> giveBack() {
		if (this.taken.isEmpty()) {
			return CompletableFuture.completedStage(null);
		}
		return CompletableFuture.completedStage(this.taken).thenCompose(this.refunds).exceptionally((failure) -> {
			logger.log(Level.DEBUG, "Units of a call that another slot denied could not be given back", failure);
			return null;
		});
	}

	private void note(List<Integer> asked, StoreAnswer answer) {
		int next = 0;
		for (int i = 0; i < asked.size(); i++) {
			int limits = this.demands.get(asked.get(i)).rule().limits().size();
			this.answers[asked.get(i)] = StoreAnswer.at(answer.time(i), answer.outcomes().subList(next, next + limits));
			next += limits;
		}
	}

	private StoreAnswer joined() {
		return StoreAnswer.joined(List.of(this.answers));
	}

}
