package io.github.ratelimit.interceptor;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

import io.github.ratelimit.RateLimitExceededException;
import io.github.ratelimit.annotation.RateLimited;
import org.junit.jupiter.api.Test;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.SignalType;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A method that returns a publisher is decided with every subscription.
 */
class ReactiveTests {

	private static final Duration PATIENCE = Duration.ofSeconds(10);

	private final CountingStore store = new CountingStore();

	@Test
	void nothingHappensBeforeASubscription() {
		run((calls) -> {
			calls.mono("x");
			calls.flux("x");
			assertThat(this.store.demands()).isEmpty();
			assertThat(calls.runs()).hasValue(0);
		});
	}

	@Test
	void everySubscriptionTakesAPermitAndRunsTheMethod() {
		run((calls) -> {
			Mono<String> mono = calls.mono("x");
			mono.block(PATIENCE);
			mono.block(PATIENCE);
			assertThat(this.store.keys()).containsExactly("x", "x");
			assertThat(calls.runs()).hasValue(2);
		});
	}

	@Test
	void inheritedMethodThatReturnsAPublisherByItsTypeArgumentIsDecidedWithEverySubscription() {
		LimitedContext.with(this.store, Inheriting.class).run((context) -> {
			Mono<String> mono = context.getBean(Inheriting.class).call();
			assertThat(this.store.demands()).isEmpty();
			mono.block(PATIENCE);
			mono.block(PATIENCE);
			assertThat(this.store.demands()).hasSize(2);
		});
	}

	@Test
	void retryIsDecidedAgain() {
		this.store.deny("calls-mono");
		run((calls) -> {
			Mono<String> retried = calls.mono("x")
				.doOnError(RateLimitExceededException.class, (denial) -> this.store.admit("calls-mono"))
				.retry(1);
			assertThat(retried.block(PATIENCE)).isEqualTo("x");
			assertThat(this.store.demands()).hasSize(2);
			assertThat(calls.runs()).hasValue(1);
		});
	}

	@Test
	void decisionOfAnotherThreadIsWaitedForWithoutBlocking() {
		ExecutorService storeThread = Executors.newSingleThreadExecutor();
		this.store.answerOn(storeThread);
		run((calls) -> assertThat(calls.flux("x").collectList().block(PATIENCE)).containsExactly("x", "x"));
		storeThread.shutdown();
	}

	@Test
	void methodGoesOnWhereBlockingIsAllowed() {
		List<Runnable> unanswered = new ArrayList<>();
		this.store.answerOn(unanswered::add);
		run((calls) -> {
			CompletableFuture<String> thread = calls.blocking().toFuture();
			unanswered.forEach(Runnable::run);
			assertThat(thread.orTimeout(60, TimeUnit.SECONDS).join()).startsWith("rate-limit-");
		});
	}

	@Test
	void delayedMethodGoesOnWhereBlockingIsAllowed() {
		this.store.delayBy(Duration.ofMillis(20));
		run((calls) -> assertThat(calls.blocking().block(PATIENCE)).startsWith("rate-limit-"));
	}

	@Test
	void methodStaysOnTheSubscribersThreadWhenTheDecisionIsThere() {
		run((calls) -> assertThat(calls.blocking().block(PATIENCE)).isEqualTo(Thread.currentThread().getName()));
	}

	@Test
	void methodsThatBlockOnEachOtherFinishHoweverManyTheyAre() {
		ExecutorService storeThread = Executors.newSingleThreadExecutor();
		this.store.answerOn(storeThread);
		run((calls) -> {
			Flux<String> all = Flux.range(0, 100).flatMap((i) -> calls.outer(calls), 100);
			assertThat(all.collectList().block(PATIENCE)).hasSize(100).containsOnly("x");
		});
		storeThread.shutdown();
	}

	@Test
	void canceledWhileItIsDecidedNeverRunsAndIsRefunded() {
		List<Runnable> unanswered = new ArrayList<>();
		this.store.answerOn(unanswered::add);
		run((calls) -> {
			calls.mono("x").subscribe().dispose();
			calls.flux("x").subscribe().dispose();
			unanswered.forEach(Runnable::run);
			assertThat(this.store.refunds()).hasSize(2);
			assertThat(calls.runs()).hasValue(0);
		});
	}

	@Test
	void canceledBeforeItGoesOnNeverRunsAndIsRefunded() {
		List<Runnable> unanswered = new ArrayList<>();
		List<Runnable> continuations = new ArrayList<>();
		this.store.answerOn(unanswered::add);
		LimitedContext.with(this.store, Calls.class)
			.withBean("rateLimitExecutor", Executor.class, () -> continuations::add)
			.run((context) -> {
				Calls calls = context.getBean(Calls.class);
				Disposable subscription = calls.mono("x").subscribe();
				unanswered.forEach(Runnable::run);
				subscription.dispose();
				continuations.forEach(Runnable::run);
				assertThat(this.store.refunds()).hasSize(1);
				assertThat(calls.runs()).hasValue(0);
			});
	}

	@Test
	void callIsRefundedWhenTheExecutorTakesNoMore() {
		List<Runnable> unanswered = new ArrayList<>();
		this.store.answerOn(unanswered::add);
		LimitedContext.with(this.store, Calls.class).withBean("rateLimitExecutor", Executor.class, () -> (task) -> {
			throw new RejectedExecutionException("full");
		}).run((context) -> {
			Calls calls = context.getBean(Calls.class);
			AtomicReference<Throwable> failure = new AtomicReference<>();
			calls.mono("x").subscribe((value) -> {
			}, failure::set);
			try {
				unanswered.forEach(Runnable::run);
			}
			catch (RejectedExecutionException ex) {
				// signalled as well, and dropped by Reactor
			}
			assertThat(failure.get()).isInstanceOf(RejectedExecutionException.class);
			assertThat(this.store.refunds()).hasSize(1);
			assertThat(calls.runs()).hasValue(0);
		});
	}

	@Test
	void publisherOfTheMethodCompletesAndIsNotCanceled() {
		run((calls) -> {
			calls.mono("x").block(PATIENCE);
			calls.flux("x").blockLast(PATIENCE);
			assertThat(calls.endings()).containsExactly(SignalType.ON_COMPLETE, SignalType.ON_COMPLETE);
		});
	}

	@Test
	void requestIsTakenFromTheSubscription() {
		FakeRequest request = new FakeRequest();
		run((calls) -> {
			calls.mono("x").contextWrite((context) -> context.put(CallContext.class, request)).block(PATIENCE);
			assertThat(request.decisions).hasSize(1);
		});
	}

	@Test
	void failureOfTheMethodIsAnErrorSignal() {
		run((calls) -> assertThat(CallOutcome.of(() -> calls.failing()).failure())
			.isExactlyInstanceOf(IllegalStateException.class)
			.hasMessage("own"));
	}

	private void run(Consumer<Calls> test) {
		LimitedContext.with(this.store, Calls.class).run((context) -> test.accept(context.getBean(Calls.class)));
	}

	static class Base<R> {

		private final R result;

		Base(R result) {
			this.result = result;
		}

		@RateLimited(max = 5, period = 60)
		public R call() {
			return this.result;
		}

	}

	static class Inheriting extends Base<Mono<String>> {

		Inheriting() {
			super(Mono.just("done"));
		}

	}

	static class Calls {

		private final AtomicInteger runs = new AtomicInteger();

		private final List<SignalType> endings = new ArrayList<>();

		AtomicInteger runs() {
			return this.runs;
		}

		List<SignalType> endings() {
			return this.endings;
		}

		@RateLimited(key = "#value", max = 5, period = 60)
		public Mono<String> mono(String value) {
			this.runs.incrementAndGet();
			return Mono.fromCallable(() -> value).doFinally(this.endings::add);
		}

		@RateLimited(key = "#value", max = 5, period = 60)
		public Flux<String> flux(String value) {
			this.runs.incrementAndGet();
			return Flux.just(value, value).hide().doFinally(this.endings::add);
		}

		@RateLimited(max = 5, period = 60, maxWait = "30s")
		public Mono<String> blocking() {
			Mono.delay(Duration.ofMillis(1)).block();
			return Mono.just(Thread.currentThread().getName());
		}

		@RateLimited(max = 5, period = 60)
		public Mono<String> outer(Calls self) {
			return Mono.just(Objects.requireNonNull(self.mono("x").block(PATIENCE)));
		}

		@RateLimited(max = 5, period = 60)
		public Mono<String> failing() {
			throw new IllegalStateException("own");
		}

	}

}
