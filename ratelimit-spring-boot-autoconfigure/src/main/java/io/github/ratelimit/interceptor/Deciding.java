package io.github.ratelimit.interceptor;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Supplier;

import io.github.ratelimit.engine.RateLimitEngine;
import io.github.ratelimit.engine.Reservation;
import io.github.ratelimit.store.Demand;
import org.jspecify.annotations.Nullable;

import org.springframework.util.function.SingletonSupplier;

/**
 * What the styles of calls decide with.
 */
final class Deciding {

	private final RateLimitEngine engine;

	private final CallContextSource contexts;

	private final Supplier<Executor> executor;

	Deciding(RateLimitEngine engine, CallContextSource contexts, Supplier<Executor> executor) {
		this.engine = engine;
		this.contexts = contexts;
		this.executor = SingletonSupplier.of(executor);
	}

	/**
	 * Return the web request of the current thread, or of the call that goes on with it.
	 */
	@Nullable CallContext context() {
		CallContext current = this.contexts.current();
		return (current != null) ? current : CallerContext.request();
	}

	/**
	 * Return where a call goes on that has to wait for its turn: threads that may block,
	 * with the context of the current one.
	 */
	Executor continuation(@Nullable CallContext context) {
		return CallerContext.capture(this.executor.get(), context);
	}

	Reservation decide(List<Demand> demands, @Nullable CallContext context) {
		return noted(this.engine.acquire(demands), context);
	}

	CompletableFuture<Reservation> decideLater(List<Demand> demands, @Nullable CallContext context) {
		return this.engine.acquireAsync(demands)
			.thenApply((reservation) -> noted(reservation, context))
			.toCompletableFuture();
	}

	private static Reservation noted(Reservation reservation, @Nullable CallContext context) {
		if (context != null) {
			context.decided(reservation.decision());
		}
		return reservation;
	}

}
