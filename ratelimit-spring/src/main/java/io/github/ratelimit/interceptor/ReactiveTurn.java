package io.github.ratelimit.interceptor;

import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

import io.github.ratelimit.engine.DecidedCall;
import io.micrometer.context.ContextSnapshot;
import io.micrometer.context.ContextSnapshotFactory;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;
import reactor.util.context.ContextView;

import org.springframework.util.ClassUtils;

/**
 * Turn of a call that waits for its decision and its delay without blocking. Needs
 * Reactor.
 *
 * @since 0.1.0
 */
public final class ReactiveTurn {

	private static final String OBSERVATION = "micrometer.observation";

	private static final boolean MICROMETER = ClassUtils.isPresent("io.micrometer.context.ContextSnapshotFactory",
			ReactiveTurn.class.getClassLoader());

	private ReactiveTurn() {
	}

	/**
	 * Decide a request in each subscription, and wait for its turn. The observation of
	 * the subscriber is current during the decision. If the subscription is canceled
	 * before the turn, the units are refunded.
	 * @param decision makes the decision, now or later
	 * @param settles whether a rule settles the units when the request ends
	 * @return the decided call when its turn has come; if it came later, on a thread of
	 * Reactor, so that the Redis client's thread can read other replies
	 */
	public static Mono<DecidedCall> of(Supplier<CompletableFuture<DecidedCall>> decision, boolean settles) {
		return of(decision, Schedulers::parallel, settles);
	}

	static Mono<DecidedCall> of(Supplier<CompletableFuture<DecidedCall>> decision, Supplier<Scheduler> scheduler,
			boolean settles) {
		return Mono.deferContextual((subscriber) -> of(observed(subscriber, decision), scheduler, settles));
	}

	private static Mono<DecidedCall> of(CompletableFuture<DecidedCall> decision, Supplier<Scheduler> scheduler,
			boolean settles) {
		boolean hasCome = Turn.hasCome(decision);
		if (hasCome && !settles && (decision.isCompletedExceptionally() || !decision.join().needsEnd())) {
			return Mono.fromFuture(decision);
		}
		Turn turn = new Turn(decision);
		Mono<DecidedCall> awaited = hasCome ? Mono.fromFuture(decision, true)
				: Mono.fromFuture(turn.await(), true).publishOn(scheduler.get());
		return awaited.doOnCancel(turn::giveUp).doOnError((failure) -> turn.giveUp()).filter((decided) -> turn.begin());
	}

	/**
	 * Decide while the observation of a subscriber is current, so that listeners find it
	 * on this thread.
	 */
	private static <T> T observed(ContextView subscriber, Supplier<T> decision) {
		return (MICROMETER && subscriber.hasKey(OBSERVATION)) ? Propagation.during(subscriber, decision)
				: decision.get();
	}

	/** Loaded only where Micrometer's context propagation is present. */
	private static final class Propagation {

		private static final ContextSnapshotFactory SNAPSHOTS = ContextSnapshotFactory.builder().build();

		static <T> T during(ContextView subscriber, Supplier<T> decision) {
			ContextSnapshot.Scope current = SNAPSHOTS.setThreadLocalsFrom(subscriber, OBSERVATION);
			try {
				return decision.get();
			}
			finally {
				current.close();
			}
		}

	}

}
