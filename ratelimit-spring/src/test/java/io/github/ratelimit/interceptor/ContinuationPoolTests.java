package io.github.ratelimit.interceptor;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Pool whose tasks may wait for each other.
 */
class ContinuationPoolTests {

	private final Queue<Runnable> checks = new ArrayDeque<>();

	private final CountDownLatch end = new CountDownLatch(1);

	@Test
	void tasksThatWaitForTasksBehindThemFinish() {
		ContinuationPool pool = new ContinuationPool();
		List<CompletableFuture<String>> outer = new ArrayList<>();
		for (int i = 0; i < 100; i++) {
			outer.add(CompletableFuture
				.supplyAsync(() -> CompletableFuture.supplyAsync(() -> "x", pool::execute).join(), pool::execute));
		}
		assertThat(outer).allSatisfy((task) -> assertThat(task.orTimeout(60, TimeUnit.SECONDS).join()).isEqualTo("x"));
	}

	@Test
	void poolGrowsWhileNoneOfItsTasksStarts() {
		ContinuationPool pool = new ContinuationPool(2, this.checks::add);
		CountDownLatch first = submit(pool, 2);
		await(first);
		CountDownLatch queued = submit(pool, 3);
		assertThat(pool.threads()).isEqualTo(2);
		for (int i = 0; i < 4 && !this.checks.isEmpty(); i++) {
			observe();
		}
		await(queued);
		assertThat(pool.threads()).isGreaterThanOrEqualTo(5);
		this.end.countDown();
	}

	@Test
	void poolKeepsItsSizeWhileTasksStart() {
		ContinuationPool pool = new ContinuationPool(1, this.checks::add);
		CountDownLatch endOfFirst = new CountDownLatch(1);
		CountDownLatch first = submit(pool, 1, endOfFirst);
		await(first);
		CountDownLatch second = submit(pool, 1);
		submit(pool, 1);
		endOfFirst.countDown();
		await(second);
		observe();
		assertThat(pool.threads()).isEqualTo(1);
		this.end.countDown();
	}

	@Test
	void threadsInheritNothingAndEndWithTheApplication() {
		InheritableThreadLocal<String> inherited = new InheritableThreadLocal<>();
		inherited.set("caller");
		CompletableFuture<Thread> thread = new CompletableFuture<>();
		CompletableFuture<String> seen = new CompletableFuture<>();
		new ContinuationPool().execute(() -> {
			seen.complete(String.valueOf(inherited.get()));
			thread.complete(Thread.currentThread());
		});
		assertThat(seen.orTimeout(60, TimeUnit.SECONDS).join()).isEqualTo("null");
		assertThat(thread.join().isDaemon()).isTrue();
	}

	@Test
	void closedPoolEndsItsThreadsAndRunsLateTasksOnTheCurrentThread() throws InterruptedException {
		ContinuationPool pool = new ContinuationPool();
		CompletableFuture<Thread> thread = new CompletableFuture<>();
		pool.execute(() -> thread.complete(Thread.currentThread()));
		pool.close();
		thread.join().join(TimeUnit.SECONDS.toMillis(10));
		assertThat(thread.join().isAlive()).isFalse();
		CompletableFuture<Thread> late = new CompletableFuture<>();
		pool.execute(() -> late.complete(Thread.currentThread()));
		assertThat(late).isCompletedWithValue(Thread.currentThread());
	}

	private CountDownLatch submit(ContinuationPool pool, int tasks) {
		return submit(pool, tasks, this.end);
	}

	private static CountDownLatch submit(ContinuationPool pool, int tasks, CountDownLatch until) {
		CountDownLatch started = new CountDownLatch(tasks);
		for (int i = 0; i < tasks; i++) {
			pool.execute(() -> {
				started.countDown();
				await(until);
			});
		}
		return started;
	}

	private static void await(CountDownLatch latch) {
		try {
			assertThat(latch.await(60, TimeUnit.SECONDS)).isTrue();
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private void observe() {
		this.checks.remove().run();
	}

}
