package io.github.ratelimit.interceptor;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

import io.github.ratelimit.RateLimitExceededException;
import io.github.ratelimit.RateLimitInterruptedException;
import io.github.ratelimit.annotation.RateLimited;
import io.github.ratelimit.engine.CallDelay;
import io.github.ratelimit.store.Demand;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Calls that may wait: threads sleep, stages and publishers are delayed, and a call that
 * gives up is refunded.
 */
class WaitingTests {

	private static final Duration SHORT = Duration.ofMillis(60);

	private static final Duration LONG = Duration.ofSeconds(30);

	private static final Duration PATIENCE = Duration.ofSeconds(10);

	private final CountingStore store = new CountingStore();

	@Test
	void demandHasTheMaxWaitOfTheAnnotation() {
		run((calls) -> {
			calls.value();
			assertThat(this.store.demands()).extracting(Demand::maxWaitMicros).containsExactly(LONG.toNanos() / 1000);
		});
	}

	@Test
	void environmentOverridesMaxWait() {
		LimitedContext.with(this.store, Calls.class)
			.withPropertyValues("ratelimit.rules.calls-value.max-wait=1500ms")
			.run((context) -> {
				context.getBean(Calls.class).value();
				assertThat(this.store.demands()).extracting(Demand::maxWaitMicros).containsExactly(1_500_000L);
			});
	}

	@Test
	void threadGoesOnAfterItsDelay() {
		this.store.delayBy(SHORT);
		run((calls) -> {
			long before = System.nanoTime();
			calls.value();
			assertThat(System.nanoTime() - before).isGreaterThanOrEqualTo(SHORT.toNanos());
			assertThat(calls.runs()).hasValue(1);
		});
	}

	@Test
	void waitThatIsTooLongIsDeniedAtOnce() {
		this.store.delayBy(LONG.plusSeconds(1));
		run((calls) -> {
			long before = System.nanoTime();
			assertThatExceptionOfType(RateLimitExceededException.class).isThrownBy(calls::value)
				.satisfies((denial) -> assertThat(denial.decision().retryAfter()).isEqualTo(Duration.ofSeconds(1)));
			assertThat(System.nanoTime() - before).isLessThan(LONG.toNanos());
			assertThat(calls.runs()).hasValue(0);
		});
	}

	@Test
	void interruptedThreadRefundsAndStaysInterrupted() {
		this.store.delayBy(LONG);
		run((calls) -> {
			AtomicReference<Throwable> failure = new AtomicReference<>();
			AtomicReference<Boolean> interrupted = new AtomicReference<>();
			Thread thread = new Thread(() -> {
				failure.set(CallOutcome.of(calls::value).thrown());
				interrupted.set(Thread.currentThread().isInterrupted());
			});
			thread.start();
			Awaitility.await().until(() -> thread.getState() == Thread.State.TIMED_WAITING);
			thread.interrupt();
			join(thread);
			assertThat(failure.get()).isInstanceOf(RateLimitInterruptedException.class)
				.hasMessage("Interrupted while waiting for rate limit \"calls-value\"");
			assertThat(interrupted.get()).isTrue();
			assertThat(this.store.refunds()).singleElement()
				.satisfies((refund) -> assertThat(refund.countedAt()).isEqualTo(LONG.toNanos() / 1000));
			assertThat(calls.runs()).hasValue(0);
		});
	}

	@Test
	void stageIsDelayedWithoutBlocking() throws Exception {
		this.store.delayBy(SHORT);
		run((calls) -> {
			long before = System.nanoTime();
			assertThat(calls.stage().orTimeout(60, TimeUnit.SECONDS).join()).isEqualTo("x");
			assertThat(calls.thread()).isNotSameAs(Thread.currentThread());
			assertThat(System.nanoTime() - before).isGreaterThanOrEqualTo(SHORT.toNanos());
		});
	}

	@Test
	void canceledStageRefundsAndNeverRuns() {
		this.store.delayBy(LONG);
		run((calls, turn) -> {
			calls.stage().cancel(true);
			assertThat(this.store.refunds()).hasSize(1);
			turn.complete(null);
			assertThat(calls.runs()).hasValue(0);
		});
	}

	@Test
	void canceledStageCancelsThatOfTheMethodThatRuns() {
		this.store.delayBy(SHORT);
		run((calls) -> {
			CompletableFuture<String> own = new CompletableFuture<>();
			CompletableFuture<String> result = calls.pending(own);
			Awaitility.await().until(() -> calls.runs().get() == 1);
			result.cancel(true);
			Awaitility.await().until(own::isCancelled);
			assertThat(this.store.refunds()).isEmpty();
		});
	}

	@Test
	void stageFailsAndRefundsWhenTheExecutorRejectsTasks() {
		this.store.delayBy(SHORT);
		Executor full = (task) -> {
			throw new RejectedExecutionException("full");
		};
		LimitedContext.with(this.store, Calls.class)
			.withBean("rateLimitExecutor", Executor.class, () -> full)
			.run((context) -> {
				Calls calls = context.getBean(Calls.class);
				assertThat(CallOutcome.of(calls::stage).failure()).isInstanceOf(RejectedExecutionException.class);
				Awaitility.await().untilAsserted(() -> assertThat(this.store.refunds()).hasSize(1));
				assertThat(calls.runs()).hasValue(0);
			});
	}

	@Test
	void stageThatRanGivesNothingBack() {
		this.store.delayBy(SHORT);
		run((calls) -> {
			calls.stage().orTimeout(60, TimeUnit.SECONDS).join();
			assertThat(this.store.refunds()).isEmpty();
		});
	}

	@Test
	void publisherIsDelayedWithoutBlocking() throws Exception {
		this.store.delayBy(SHORT);
		CountDownLatch done = new CountDownLatch(1);
		run((calls) -> {
			long before = System.nanoTime();
			AtomicReference<Long> after = new AtomicReference<>();
			calls.mono().subscribe((value) -> {
				after.set(System.nanoTime());
				done.countDown();
			});
			await(done);
			assertThat(after.get() - before).isGreaterThanOrEqualTo(SHORT.toNanos());
			assertThat(calls.runs()).hasValue(1);
			assertThat(calls.thread()).isNotSameAs(Thread.currentThread());
		});
	}

	@Test
	void canceledSubscriptionRefundsAndNeverRuns() {
		this.store.delayBy(LONG);
		run((calls, turn) -> {
			Disposable subscription = calls.mono().subscribe();
			subscription.dispose();
			assertThat(this.store.refunds()).hasSize(1);
			turn.complete(null);
			assertThat(calls.runs()).hasValue(0);
		});
	}

	@Test
	void everyRuleOfACallIsRefundedAsOfItsOwnTime() {
		this.store.delayBy(LONG);
		run((calls) -> {
			calls.both().cancel(true);
			assertThat(this.store.refunds()).extracting((refund) -> refund.demand().rule().name())
				.isEqualTo(List.of("first", "second"));
		});
	}

	private void run(Consumer<Calls> test) {
		LimitedContext.with(this.store, Calls.class).run((context) -> test.accept(context.getBean(Calls.class)));
	}

	/**
	 * Run a test that completes the turn of its calls. They go on at once then.
	 */
	private void run(BiConsumer<Calls, CompletableFuture<Void>> test) {
		CompletableFuture<Void> turn = new CompletableFuture<>();
		LimitedContext.with(this.store, Calls.class)
			.withBean(CallDelay.class, () -> new SettableDelay(turn))
			.withBean("rateLimitExecutor", Executor.class, () -> Runnable::run)
			.run((context) -> test.accept(context.getBean(Calls.class), turn));
	}

	private static void join(Thread thread) {
		try {
			thread.join(PATIENCE.toMillis());
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static void await(CountDownLatch done) {
		try {
			assertThat(done.await(60, TimeUnit.SECONDS)).isTrue();
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	/**
	 * Delay that the test ends.
	 */
	private record SettableDelay(CompletableFuture<Void> turn) implements CallDelay {

		@Override
		public void await(Duration time) {
			throw new UnsupportedOperationException();
		}

		@Override
		public CompletableFuture<Void> awaitAsync(Duration time) {
			return this.turn;
		}

	}

	static class Calls {

		private final AtomicInteger runs = new AtomicInteger();

		private volatile Thread thread;

		AtomicInteger runs() {
			return this.runs;
		}

		Thread thread() {
			return this.thread;
		}

		@RateLimited(max = 5, period = 60, maxWait = "30s")
		public String value() {
			return run();
		}

		@RateLimited(max = 5, period = 60, maxWait = "30")
		public CompletableFuture<String> stage() {
			return CompletableFuture.completedFuture(run());
		}

		@RateLimited(max = 5, period = 60, maxWait = "30s")
		public CompletableFuture<String> pending(CompletableFuture<String> stage) {
			run();
			return stage;
		}

		@RateLimited(max = 5, period = 60, maxWait = "30000ms")
		public Mono<String> mono() {
			return Mono.fromSupplier(this::run);
		}

		@RateLimited(name = "first", max = 5, period = 60, maxWait = "PT30S")
		@RateLimited(name = "second", max = 5, period = 60, maxWait = "30s")
		public CompletableFuture<String> both() {
			return CompletableFuture.completedFuture(run());
		}

		private String run() {
			this.thread = Thread.currentThread();
			this.runs.incrementAndGet();
			return "x";
		}

	}

}
