package io.github.ratelimit.interceptor;

import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

import io.github.ratelimit.RateLimitExceededException;
import io.github.ratelimit.annotation.RateLimited;
import io.netty.util.concurrent.DefaultEventExecutor;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Threads on which a method that returns a stage is decided and continues.
 */
class StageTests {

	private static final Executor FULL = (task) -> {
		throw new RejectedExecutionException("full");
	};

	private final ExecutorService storeThread = Executors.newSingleThreadExecutor((task) -> new Thread(task, "store"));

	private final Queue<Runnable> unanswered = new ArrayDeque<>();

	private final CountingStore store = new CountingStore();

	@AfterEach
	void stop() {
		this.storeThread.shutdownNow();
	}

	@Test
	void methodRunsOnTheCallersThreadThatMayBlockWithAnyStore() {
		this.store.answerOn(this.storeThread);
		run((calls) -> {
			assertThat(calls.call("x")).isDone();
			assertThat(calls.thread()).isSameAs(Thread.currentThread());
		});
	}

	@ParameterizedTest
	@EnumSource
	void methodRunsOnTheSameThreadWhenTheDecisionIsThere(NonBlockingThread thread) {
		run((calls) -> {
			Thread caller = thread.call(() -> {
				calls.call("x");
				return Thread.currentThread();
			});
			assertThat(calls.thread()).isSameAs(caller);
		});
	}

	@ParameterizedTest
	@EnumSource
	void threadThatMustNotBlockGetsItsStageBeforeTheDecision(NonBlockingThread thread) {
		this.store.answerOn(this.unanswered::add);
		run((calls) -> {
			CompletableFuture<String> stage = thread.call(() -> calls.call("x"));
			assertThat(stage).isNotDone();
			assertThat(calls.thread()).isNull();
			this.storeThread.execute(this.unanswered.remove());
			assertThat(joined(stage)).isEqualTo("x");
		});
	}

	@Test
	void methodGoesOnWhereBlockingIsAllowed() {
		this.store.answerOn(this.unanswered::add);
		run((calls) -> {
			CompletableFuture<String> stage = NonBlockingThread.NETTY.call(() -> calls.call("x"));
			NonBlockingThread.NETTY.call(() -> {
				this.unanswered.remove().run();
				return "answered";
			});
			joined(stage);
			assertThat(calls.thread().getName()).startsWith("rate-limit-");
			assertThat(calls.mayBlock()).isTrue();
		});
	}

	@Test
	void denialDoesNotReachTheCallerOnTheStoresThread() {
		this.store.deny("calls-call").answerOn(this.unanswered::add);
		run((calls) -> {
			CompletableFuture<String> thread = NonBlockingThread.NETTY.call(() -> calls.call("x"))
				.handle((value, failure) -> failure.getClass().getSimpleName() + " on "
						+ Thread.currentThread().getName());
			this.storeThread.execute(this.unanswered.remove());
			assertThat(joined(thread)).startsWith(RateLimitExceededException.class.getSimpleName() + " on rate-limit-");
		});
	}

	@Test
	void canceledWhileItIsDecidedNeverRunsAndIsRefunded() {
		this.store.answerOn(this.unanswered::add);
		run((calls) -> {
			NonBlockingThread.NETTY.call(() -> calls.call("x")).cancel(false);
			assertThat(this.store.refunds()).isEmpty();
			this.unanswered.remove().run();
			assertThat(this.store.refunds()).hasSize(1);
			assertThat(calls.thread()).isNull();
		});
	}

	@Test
	void canceledBeforeItGoesOnNeverRunsAndIsRefunded() {
		this.store.answerOn(this.unanswered::add);
		Queue<Runnable> continuations = new ArrayDeque<>();
		context().withBean("rateLimitExecutor", Executor.class, () -> continuations::add).run((context) -> {
			Calls calls = context.getBean(Calls.class);
			CompletableFuture<String> stage = NonBlockingThread.NETTY.call(() -> calls.call("x"));
			this.unanswered.remove().run();
			stage.cancel(false);
			continuations.remove().run();
			assertThat(this.store.refunds()).hasSize(1);
			assertThat(calls.thread()).isNull();
		});
	}

	@Test
	void callIsRefundedWhenTheExecutorTakesNoMore() {
		this.store.answerOn(this.unanswered::add);
		context().withBean("rateLimitExecutor", Executor.class, () -> FULL).run((context) -> {
			Calls calls = context.getBean(Calls.class);
			CompletableFuture<String> stage = NonBlockingThread.NETTY.call(() -> calls.call("x"));
			this.unanswered.remove().run();
			assertThat(CallOutcome.of(() -> stage).failure()).isInstanceOf(RejectedExecutionException.class);
			assertThat(this.store.refunds()).hasSize(1);
			assertThat(calls.thread()).isNull();
		});
	}

	@Test
	void executorOfTheApplicationIsNotUsed() {
		this.store.answerOn(this.storeThread);
		context().withBean("applicationTaskExecutor", Executor.class, () -> FULL).run((context) -> {
			Calls calls = context.getBean(Calls.class);
			assertThat(joined(NonBlockingThread.NETTY.call(() -> calls.call("x")))).isEqualTo("x");
		});
	}

	@Test
	void limitedMethodThatItCallsLaterKnowsTheRequest() {
		FakeRequest request = new FakeRequest();
		this.store.answerOn(this.unanswered::add);
		context().withBean(CallContextSource.class, () -> () -> NonBlockingThread.isCurrent() ? request : null)
			.run((context) -> {
				Calls calls = context.getBean(Calls.class);
				CompletableFuture<String> stage = NonBlockingThread.NETTY
					.call(() -> calls.nested(context.getBean(Inner.class)));
				this.unanswered.remove().run();
				assertThat(joined(stage)).isEqualTo("x");
				assertThat(this.store.keys()).containsExactly("", "192.0.2.1");
			});
	}

	@Test
	void stageOfTheMethodIsHandedOutAsItIs() {
		run((calls) -> {
			CompletableFuture<String> own = new CompletableFuture<>();
			assertThat(calls.give(own)).isSameAs(own);
			assertThat(joined(calls.give(null))).isNull();
		});
	}

	@Test
	void failureOfAMethodThatRunsLaterComesOutAsItIs() {
		this.store.answerOn(this.unanswered::add);
		run((calls) -> {
			IllegalStateException own = new IllegalStateException("own");
			CompletableFuture<String> failed = CompletableFuture.failedFuture(own);
			for (CompletableFuture<String> given : List.of(failed, failed.thenApply((value) -> value))) {
				CompletableFuture<String> stage = NonBlockingThread.NETTY.call(() -> calls.give(given));
				this.unanswered.remove().run();
				assertThat(CallOutcome.of(() -> stage).failure()).isSameAs(own);
			}
		});
	}

	private static <T> T joined(CompletableFuture<T> stage) {
		return stage.orTimeout(60, TimeUnit.SECONDS).join();
	}

	private void run(Consumer<Calls> test) {
		context().run((context) -> test.accept(context.getBean(Calls.class)));
	}

	private ApplicationContextRunner context() {
		return LimitedContext.with(this.store, Calls.class, Inner.class);
	}

	static class Calls {

		private volatile Thread thread;

		private volatile boolean mayBlock;

		Thread thread() {
			return this.thread;
		}

		boolean mayBlock() {
			return this.mayBlock;
		}

		@RateLimited(max = 5, period = 60)
		public CompletableFuture<String> call(String value) {
			this.mayBlock = CurrentThread.mayBlock();
			this.thread = Thread.currentThread();
			return CompletableFuture.completedFuture(value);
		}

		@RateLimited(max = 5, period = 60)
		public CompletableFuture<String> nested(Inner inner) {
			return CompletableFuture.completedFuture(inner.call());
		}

		@RateLimited(max = 5, period = 60)
		public CompletableFuture<String> give(CompletableFuture<String> stage) {
			return stage;
		}

	}

	static class Inner {

		@RateLimited(key = "ip", max = 5, period = 60)
		public String call() {
			return "x";
		}

	}

	/**
	 * Threads that must not block.
	 */
	enum NonBlockingThread {

		REACTOR {

			@Override
			<T> T call(Callable<T> work) {
				return Mono.fromCallable(work).subscribeOn(Schedulers.parallel()).block();
			}

		},

		NETTY {

			@Override
			<T> T call(Callable<T> work) {
				DefaultEventExecutor eventLoop = new DefaultEventExecutor();
				try {
					return eventLoop.submit(work).get(60, TimeUnit.SECONDS);
				}
				catch (Exception ex) {
					throw new IllegalStateException(ex);
				}
				finally {
					eventLoop.shutdownGracefully(0, 0, TimeUnit.SECONDS);
				}
			}

		};

		abstract <T> T call(Callable<T> work);

		static boolean isCurrent() {
			return !CurrentThread.mayBlock();
		}

	}

}
