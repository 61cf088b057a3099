package io.github.ratelimit.engine;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinWorkerThread;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

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
 * each other cannot exhaust it. Stages inside the engine do not use it: they complete
 * where the answer arrives.
 */
final class AsyncResults {

	private static final int THREADS = Math.max(16, 2 * Runtime.getRuntime().availableProcessors());

	private static final int MOST_THREADS = 1_024;

	private static final int IDLE_SECONDS = 10;

	private static final AtomicInteger NUMBERS = new AtomicInteger();

	private final ForkJoinPool threads;

	AsyncResults() {
		this(new ForkJoinPool(THREADS, AsyncResults::newThread, null, true, THREADS, MOST_THREADS, 1, (pool) -> true,
				IDLE_SECONDS, TimeUnit.SECONDS));
	}

	AsyncResults(ForkJoinPool threads) {
		this.threads = threads;
	}

	private static ForkJoinWorkerThread newThread(ForkJoinPool pool) {
		ForkJoinWorkerThread thread = ForkJoinPool.defaultForkJoinWorkerThreadFactory.newThread(pool);
		thread.setName("ratelimit-async-" + NUMBERS.incrementAndGet());
		thread.setContextClassLoader(AsyncResults.class.getClassLoader());
		return thread;
	}

	CompletionStage<Decision> of(CompletionStage<DecidedCall> stage) {
		return of(stage, DecidedCall::decision);
	}

	/**
	 * Return the result of a call for the public API. If its future is canceled, or
	 * completed otherwise, before the decision, the units taken are refunded.
	 */
	<T> CompletionStage<T> of(CompletionStage<DecidedCall> stage, Function<DecidedCall, T> result) {
		CompletableFuture<DecidedCall> decided = stage.toCompletableFuture();
		CompletableFuture<T> published = new CompletableFuture<>();
		if (decided.isDone()) {
			decided.whenComplete((taken, failure) -> complete(published, result, taken, failure));
		}
		else {
			decided.whenComplete((taken, failure) -> execute(() -> complete(published, result, taken, failure)));
			published.whenComplete((done, failure) -> decided.cancel(false));
		}
		return published;
	}

	private static <T> void complete(CompletableFuture<T> published, Function<DecidedCall, T> result, DecidedCall taken,
			@Nullable Throwable failure) {
		if (failure != null) {
			published.completeExceptionally(StageFailure.cause(failure));
		}
		else if (!published.complete(result.apply(taken))) {
			taken.refundAsync();
		}
	}

	/**
	 * Run a task on one of the threads, or here if there is none. A pool that has failed
	 * to start a thread has queued the task, and may run it as well.
	 */
	private void execute(Runnable task) {
		Runnable once = new FutureTask<@Nullable Void>(task, null);
		try {
			this.threads.execute(once);
		}
		catch (Throwable ex) { // closed, or no thread
			once.run();
		}
	}

	/** Shut the threads down. Later results complete on the threads that bring them. */
	void close() {
		this.threads.shutdown();
	}

}
