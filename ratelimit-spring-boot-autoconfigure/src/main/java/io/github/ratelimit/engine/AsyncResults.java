package io.github.ratelimit.engine;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinWorkerThread;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;

import io.github.ratelimit.Decision;
import io.github.ratelimit.concurrent.StageFailure;

/**
 * Results of the public asynchronous API, and the threads on which they complete.
 * Applications block in continuations, and the thread that brings a result is often the
 * only one that reads the replies of Redis. A result that is available at once stays on
 * the caller's thread.
 *
 * <p>
 * The pool begins with few threads and keeps short continuations on them. It adds one for
 * each that blocks on a decision, or on another future, so continuations that wait for
 * each other cannot exhaust it.
 */
final class AsyncResults {

	private static final int THREADS = Math.max(16, 2 * Runtime.getRuntime().availableProcessors());

	private static final int MOST_THREADS = 1_024;

	private static final int IDLE_SECONDS = 10;

	private final ForkJoinPool threads = new ForkJoinPool(THREADS, AsyncResults::newThread, null, true, THREADS,
			MOST_THREADS, 1, (pool) -> true, IDLE_SECONDS, TimeUnit.SECONDS);

	private static ForkJoinWorkerThread newThread(ForkJoinPool pool) {
		ForkJoinWorkerThread thread = ForkJoinPool.defaultForkJoinWorkerThreadFactory.newThread(pool);
		thread.setName("ratelimit-async-" + thread.getPoolIndex());
		thread.setContextClassLoader(AsyncResults.class.getClassLoader());
		return thread;
	}

	/**
	 * Return the decision of a call for programs. If its future is canceled, or completed
	 * otherwise, before the decision, the units taken are refunded.
	 */
	CompletionStage<Decision> of(CompletionStage<DecidedCall> stage) {
		CompletableFuture<DecidedCall> decided = stage.toCompletableFuture();
		if (decided.isDone()) {
			return decided.thenApply(DecidedCall::decision);
		}
		CompletableFuture<Decision> result = new CompletableFuture<>();
		decided.whenComplete((taken, failure) -> execute(() -> complete(result, taken, failure)));
		result.whenComplete((decision, failure) -> decided.cancel(false));
		return result;
	}

	private static void complete(CompletableFuture<Decision> result, DecidedCall taken, @Nullable Throwable failure) {
		if (failure != null) {
			result.completeExceptionally(StageFailure.cause(failure));
		}
		else if (!result.complete(taken.decision())) {
			taken.refundAsync();
		}
	}

	private void execute(Runnable task) {
		try {
			this.threads.execute(task);
		}
		catch (RejectedExecutionException ex) {
			task.run();
		}
	}

	/**
	 * Shut the threads down. Later results complete on the threads that bring them.
	 */
	void close() {
		this.threads.shutdown();
	}

}
