package io.github.ratelimit.interceptor;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;

import io.github.ratelimit.engine.Reservation;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/**
 * Waiting for a decision, and for as long as it says, without blocking. Needs Reactor.
 *
 * @since 0.1.0
 */
public final class ReactiveTurn {

	private ReactiveTurn() {
	}

	/**
	 * Wait for a decision. Who cancels while it is not its turn yet gives back what was
	 * taken.
	 * @param decision the decision, made now or later
	 * @return the same when it is its turn; if it came later, not on the thread of the
	 * Redis client, which could then read no other reply
	 */
	public static Mono<Reservation> of(CompletableFuture<Reservation> decision) {
		Mono<Reservation> decided = Mono.fromFuture(decision);
		return (decision.isDone() ? decided : decided.publishOn(Schedulers.parallel())).flatMap(ReactiveTurn::delayed);
	}

	private static Mono<Reservation> delayed(Reservation reservation) {
		Duration delay = reservation.delay();
		return delay.isZero() ? Mono.just(reservation)
				: Mono.delay(delay).doOnCancel(reservation::giveBackAsync).thenReturn(reservation);
	}

}
