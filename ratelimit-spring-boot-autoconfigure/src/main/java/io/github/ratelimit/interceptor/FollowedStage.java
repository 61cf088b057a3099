package io.github.ratelimit.interceptor;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;

import io.github.ratelimit.concurrent.StageFailure;
import org.jspecify.annotations.Nullable;

/**
 * Result of a method that returns a stage, followed to the end of the call: when the
 * stage completes, or when the caller cancels the result or completes it first. The call
 * ends before the result completes, so a caller that waits for it can use what the call
 * refunds.
 */
final class FollowedStage {

	private final LimitedCall call;

	private final CallEnd end;

	private final @Nullable CallContext context;

	/**
	 * {@code true} if the stage has completed, which has ended the call or left that to
	 * the response.
	 */
	private volatile boolean isComplete;

	private final CompletableFuture<Object> result = new CompletableFuture<>();

	private FollowedStage(LimitedCall call, CallEnd end, @Nullable CallContext context) {
		this.call = call;
		this.end = end;
		this.context = context;
	}

	/**
	 * Proceed with a call and follow it.
	 * @param context its web request, if any
	 * @return its result, which cancels the method's own stage if it is canceled
	 */
	static CompletableFuture<Object> of(LimitedCall call, CallEnd end, @Nullable CallContext context) throws Throwable {
		CompletionStage<?> stage;
		try {
			stage = (CompletionStage<?>) call.invocation().proceed();
		}
		catch (Throwable ex) {
			end.end(null, StageFailure.cause(ex));
			throw ex;
		}
		if (stage == null) {
			end.end(null, null);
			return CompletableFuture.completedFuture(null);
		}
		return new FollowedStage(call, end, context).follow(stage);
	}

	private CompletableFuture<Object> follow(CompletionStage<?> stage) {
		boolean isOver = stage instanceof Future<?> future && future.isDone();
		stage.whenComplete((value, failure) -> {
			this.isComplete = true;
			if (failure != null) {
				fail(StageFailure.cause(failure), isOver);
			}
			else {
				this.result.complete(this.call.end(value, this.end, this.context, isOver));
			}
		});
		if (!isOver) {
			this.result.whenComplete((value, failure) -> {
				if (!this.isComplete) {
					this.end.endAsync(value, failure);
				}
				if (this.result.isCancelled() && stage instanceof Future<?> future) {
					future.cancel(true);
				}
			});
		}
		return this.result;
	}

	private void fail(Throwable error, boolean mayBlock) {
		if (mayBlock) {
			this.end.end(null, error);
		}
		else {
			this.end.endAsync(null, error);
		}
		this.result.completeExceptionally(error);
	}

}
