package io.github.ratelimit.interceptor;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;

import io.github.ratelimit.concurrent.StageFailure;

/**
 * Result of a method that returns a stage, followed to the end of the call: when the
 * stage completes, or when the caller cancels the result or completes it first. The call
 * ends before the result completes, so a caller that waits for it can use what the call
 * refunds.
 */
final class FollowedStage {

	private final CallEnd end;

	/**
	 * {@code true} if the stage has completed, which has ended the call.
	 */
	private volatile boolean isComplete;

	private final CompletableFuture<Object> result = new CompletableFuture<>();

	private FollowedStage(CallEnd end) {
		this.end = end;
	}

	/**
	 * Proceed with a call and follow it.
	 * @return its result, which cancels the method's own stage if it is canceled
	 */
	static CompletableFuture<Object> of(LimitedCall call, CallEnd end) throws Throwable {
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
		return new FollowedStage(end).follow(stage);
	}

	private CompletableFuture<Object> follow(CompletionStage<?> stage) {
		boolean isOver = stage instanceof Future<?> future && future.isDone();
		stage.whenComplete((value, failure) -> {
			this.isComplete = true;
			Throwable error = (failure != null) ? StageFailure.cause(failure) : null;
			if (isOver) {
				this.end.end(value, error);
			}
			else {
				this.end.endAsync(value, error);
			}
			if (error != null) {
				this.result.completeExceptionally(error);
			}
			else {
				this.result.complete(value);
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

}
