package io.github.ratelimit.interceptor;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

import io.github.ratelimit.engine.Reservation;
import io.github.ratelimit.store.Demand;
import org.jspecify.annotations.Nullable;

/**
 * The caller gets a stage at once; the method runs when the decision has come. A denial
 * is a failed stage.
 */
final class StageStyle implements CallStyle {

	static boolean fits(Class<?> returnType) {
		return CompletionStage.class.isAssignableFrom(returnType)
				&& returnType.isAssignableFrom(CompletableFuture.class);
	}

	@Override
	public Object invoke(LimitedCall call, Deciding deciding) {
		CompletableFuture<Object> result = new CompletableFuture<>();
		try {
			CallContext context = deciding.context();
			List<Demand> demands = call.demands(context);
			if (demands.isEmpty()) {
				complete(result, (CompletionStage<?>) call.invocation().proceed());
				return result;
			}
			CompletableFuture<Reservation> decision = deciding.decideLater(demands, context);
			Executor executor = decision.isDone() ? Runnable::run : deciding.executor();
			LimitedCall later = call.copy();
			decision.whenCompleteAsync((value, failure) -> answer(later, value, failure, result, deciding), executor)
				.whenComplete((value, refusal) -> fail(result, refusal));
		}
		catch (Throwable ex) {
			result.completeExceptionally(ex);
		}
		return result;
	}

	private static void answer(LimitedCall call, Reservation reservation, @Nullable Throwable failure,
			CompletableFuture<Object> result, Deciding deciding) {
		if (failure != null) {
			fail(result, failure);
		}
		else if (reservation.delay().isZero()) {
			answer(call, reservation, result);
		}
		else {
			answerLater(call, reservation, result, deciding);
		}
	}

	/**
	 * A result that is cancelled while the call waits, or that no thread is left for when
	 * its turn has come, gives back what was taken.
	 */
	private static void answerLater(LimitedCall call, Reservation reservation, CompletableFuture<Object> result,
			Deciding deciding) {
		AtomicBoolean settled = new AtomicBoolean();
		new CompletableFuture<Void>().completeOnTimeout(null, reservation.delay().toNanos(), TimeUnit.NANOSECONDS)
			.whenCompleteAsync((turn, never) -> {
				if (settled.compareAndSet(false, true)) {
					answer(call, reservation, result);
				}
			}, deciding.executor())
			.whenComplete((turn, refusal) -> fail(result, refusal));
		result.whenComplete((value, failure) -> {
			if (settled.compareAndSet(false, true)) {
				reservation.giveBackAsync();
			}
		});
	}

	private static void answer(LimitedCall call, Reservation reservation, CompletableFuture<Object> result) {
		try {
			complete(result, (CompletionStage<?>) call.answer(reservation));
		}
		catch (Throwable ex) {
			result.completeExceptionally(ex);
		}
	}

	private static void complete(CompletableFuture<Object> result, @Nullable CompletionStage<?> stage) {
		if (stage == null) {
			result.complete(null);
			return;
		}
		stage.whenComplete((value, failure) -> {
			if (failure != null) {
				fail(result, failure);
			}
			else {
				result.complete(value);
			}
		});
	}

	private static void fail(CompletableFuture<Object> result, @Nullable Throwable failure) {
		if (failure != null) {
			boolean wrapped = failure instanceof CompletionException && failure.getCause() != null;
			result.completeExceptionally(wrapped ? failure.getCause() : failure);
		}
	}

}
