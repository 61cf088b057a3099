package io.github.ratelimit.interceptor;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

import io.github.ratelimit.annotation.RateLimited;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A method that returns a stage runs when the decision has come, and blocks nobody.
 */
class StageTests {

	private final ExecutorService storeThread = Executors.newSingleThreadExecutor((task) -> new Thread(task, "store"));

	private final CountingStore store = new CountingStore();

	@AfterEach
	void stop() {
		this.storeThread.shutdownNow();
	}

	@Test
	void callerGetsItsStageBeforeTheDecision() {
		AtomicReference<Runnable> answer = new AtomicReference<>();
		this.store.answerOn(answer::set);
		run((calls) -> {
			CompletableFuture<String> stage = calls.call("x");
			assertThat(stage).isNotDone();
			assertThat(calls.thread()).isNull();
			answer.get().run();
			assertThat(stage.orTimeout(10, TimeUnit.SECONDS).join()).isEqualTo("x");
		});
	}

	@Test
	void methodRunsAtOnceOnTheCallersThreadWhenTheDecisionIsThere() {
		run((calls) -> {
			assertThat(calls.call("x")).isDone();
			assertThat(calls.thread()).isSameAs(Thread.currentThread());
		});
	}

	@Test
	void methodDoesNotRunOnTheStoresThread() {
		this.store.answerOn(later());
		run((calls) -> {
			calls.call("x").orTimeout(10, TimeUnit.SECONDS).join();
			assertThat(calls.thread().getName()).isNotEqualTo("store");
		});
	}

	@Test
	void methodRunsOnTheExecutorOfTheApplication() {
		this.store.answerOn(later());
		Executor executor = (task) -> new Thread(task, "application").start();
		context().withBean("applicationTaskExecutor", Executor.class, () -> executor).run((context) -> {
			Calls calls = context.getBean(Calls.class);
			calls.call("x").orTimeout(10, TimeUnit.SECONDS).join();
			assertThat(calls.thread().getName()).isEqualTo("application");
		});
	}

	@Test
	void stageFailsWhenTheExecutorTakesNoMore() {
		this.store.answerOn(later());
		Executor full = (task) -> {
			throw new RejectedExecutionException("full");
		};
		context().withBean("applicationTaskExecutor", Executor.class, () -> full).run((context) -> {
			Calls calls = context.getBean(Calls.class);
			assertThat(CallOutcome.of(() -> calls.call("x")).failure()).isInstanceOf(RejectedExecutionException.class);
			assertThat(calls.thread()).isNull();
		});
	}

	@Test
	void failureOfTheMethodComesOutAsItIs() {
		run((calls) -> {
			IllegalStateException own = new IllegalStateException("own");
			CompletableFuture<String> failed = CompletableFuture.failedFuture(own);
			CompletableFuture<String> wrapped = failed.thenApply((value) -> value);
			assertThat(CallOutcome.of(() -> calls.give(failed)).failure()).isSameAs(own);
			assertThat(CallOutcome.of(() -> calls.give(wrapped)).failure()).isSameAs(own);
			assertThat(wrapped.handle((value, failure) -> failure).join()).isInstanceOf(CompletionException.class);
		});
	}

	/**
	 * Answers when the caller has its stage.
	 */
	private Executor later() {
		return (task) -> this.storeThread.execute(() -> {
			try {
				TimeUnit.MILLISECONDS.sleep(50);
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
			}
			task.run();
		});
	}

	private void run(Consumer<Calls> test) {
		context().run((context) -> test.accept(context.getBean(Calls.class)));
	}

	private ApplicationContextRunner context() {
		return LimitedContext.with(this.store, Calls.class);
	}

	static class Calls {

		private volatile Thread thread;

		Thread thread() {
			return this.thread;
		}

		@RateLimited(max = 5, period = 60)
		public CompletableFuture<String> call(String value) {
			this.thread = Thread.currentThread();
			return CompletableFuture.completedFuture(value);
		}

		@RateLimited(max = 5, period = 60)
		public CompletableFuture<String> give(CompletableFuture<String> stage) {
			return stage;
		}

	}

}
