package io.github.ratelimit.interceptor;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;

import io.github.ratelimit.RateLimitException;
import io.github.ratelimit.concurrent.StageFailure;
import io.github.ratelimit.engine.DecidedCall;
import io.github.ratelimit.store.Demands;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

/**
 * Style of methods that return a stage. A caller that may block waits for the decision,
 * and the method runs on the caller's thread, as it would without limits. Any other
 * caller, and one whose call is delayed, gets a stage at once; the method runs when its
 * turn has come. A denial is a failed stage.
 *
 * <p>
 * A decision on another thread could deadlock: tasks that occupy all threads of the
 * application's executor and join a limited method would wait for one of these threads.
 */
final class StageStyle implements CallStyle {

	/**
	 * Return whether a call may wait for its turn. Callers that must not block are
	 * ignored: they have no thread-local values to lose.
	 */
	@Override
	public boolean leavesThread(boolean mayWait) {
		return mayWait;
	}

	@Override
	public Object invoke(LimitedMethod method, MethodInvocation invocation, Environment environment) {
		LimitedCall call = new LimitedCall(method, invocation);
		CallContext context = environment.context();
		try {
			Demands demands = call.demands(context);
			if (demands.isEmpty()) {
				return stage(call.proceed());
			}
			CompletableFuture<DecidedCall> decision = environment.limiter().acquireBlockingIfAllowed(demands, context);
			return Turn.hasCome(decision) ? now(call, decision.join(), demands, context)
					: later(call.copy(), new Turn(decision), demands, context, environment.continuation(context));
		}
		catch (Throwable ex) {
			return CompletableFuture.failedFuture(recorded(ex, context));
		}
	}

	/**
	 * Return the cause of a failed call. A caller that waits for the stage throws it, and
	 * a web request that it ends records the denial.
	 */
	private static Throwable recorded(Throwable failure, @Nullable CallContext context) {
		Throwable cause = StageFailure.cause(failure);
		if (context != null && cause instanceof RateLimitException ours) {
			context.failed(ours);
		}
		return cause;
	}

	private static Object now(LimitedCall call, DecidedCall decided, Demands demands, @Nullable CallContext context)
			throws Throwable {
		return call.hasEnd(decided) ? followed(call, call.end(decided, demands, context))
				: stage(call.proceedOrDeny(decided));
	}

	/** Return the stage of a method that may have returned none. */
	private static CompletionStage<?> stage(@Nullable Object returned) {
		return (returned != null) ? (CompletionStage<?>) returned : CompletableFuture.completedFuture(null);
	}

	/**
	 * Run the method when its turn has come. The turn is given up if the caller completes
	 * or cancels the result, or if no thread is available.
	 */
	private static CompletableFuture<Object> later(LimitedCall call, Turn turn, Demands demands,
			@Nullable CallContext context, Executor continuation) {
		CompletableFuture<Object> result = new CompletableFuture<>();
		result.whenComplete((value, failure) -> turn.giveUp());
		turn.await()
			.whenCompleteAsync((decided, failure) -> goOn(call, turn, decided, failure, demands, context, result),
					continuation)
			.whenComplete((decided, refusal) -> {
				if (refusal != null) {
					result.completeExceptionally(StageFailure.cause(refusal));
				}
			});
		return result;
	}

	private static void goOn(LimitedCall call, Turn turn, DecidedCall decided, @Nullable Throwable failure,
			Demands demands, @Nullable CallContext context, CompletableFuture<Object> result) {
		if (failure != null) {
			result.completeExceptionally(recorded(failure, context));
		}
		else if (turn.begin()) {
			try {
				if (call.hasEnd(decided)) {
					CompletableFuture<Object> followed = followed(call, call.end(decided, demands, context));
					complete(followed, result);
					complete(result, followed);
				}
				else {
					CompletionStage<?> stage = stage(call.proceedOrDeny(decided));
					complete(result, stage);
					result.whenComplete((value, error) -> cancelToo(stage, result));
				}
			}
			catch (Throwable ex) {
				result.completeExceptionally(recorded(ex, context));
			}
		}
	}

	private static void complete(CompletableFuture<Object> result, CompletionStage<?> stage) {
		stage.whenComplete((value, failure) -> {
			if (failure != null) {
				result.completeExceptionally(StageFailure.cause(failure));
			}
			else {
				result.complete(value);
			}
		});
	}

	private static void cancelToo(CompletionStage<?> stage, CompletableFuture<Object> result) {
		if (result.isCancelled() && stage instanceof Future<?> future) {
			future.cancel(true);
		}
	}

	/**
	 * Proceed with a call, and follow its stage to the end of the call: when the stage
	 * completes, or when the caller cancels the result or completes it first. The call
	 * ends before the result completes, so a caller that waits for it can use what the
	 * call refunds.
	 * @return the result, which cancels the method's own stage if it is canceled
	 */
	private static CompletableFuture<Object> followed(LimitedCall call, CallEnd end) throws Throwable {
		CompletionStage<?> stage;
		try {
			stage = stage(call.proceed());
		}
		catch (Throwable ex) {
			end.end(null, StageFailure.cause(ex));
			throw ex;
		}
		return followed(stage, end);
	}

	private static CompletableFuture<Object> followed(CompletionStage<?> stage, CallEnd end) {
		boolean isOver = isOver(stage);
		AtomicBoolean isComplete = new AtomicBoolean();
		CompletableFuture<Object> result = new CompletableFuture<>();
		complete(result, stage.whenComplete((value, failure) -> {
			isComplete.set(true);
			Throwable error = (failure != null) ? StageFailure.cause(failure) : null;
			if (isOver) {
				end.end(value, error);
			}
			else {
				end.endAsync(value, error);
			}
		}));
		if (!isOver) {
			result.whenComplete((value, failure) -> {
				if (!isComplete.get()) {
					end.endAsync(value, failure);
				}
				cancelToo(stage, result);
			});
		}
		return result;
	}

	/** Return whether a stage is known to be over. A minimal one does not say. */
	private static boolean isOver(CompletionStage<?> stage) {
		try {
			return stage instanceof Future<?> future && future.isDone();
		}
		catch (UnsupportedOperationException ex) {
			return false;
		}
	}

}
