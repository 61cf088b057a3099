package io.github.ratelimit.interceptor;

import java.lang.reflect.Method;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BiConsumer;

import io.github.ratelimit.Decision;
import io.github.ratelimit.RateLimitExceededException;
import io.github.ratelimit.RateLimiterRegistry;
import io.github.ratelimit.annotation.RateLimited;
import io.github.ratelimit.store.RecordingStore;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.reactivestreams.Subscription;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.context.ApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * Calls whose rules settle them when they end: which of them end, when, and with which
 * arguments.
 */
class EndedCallTests {

	private final RecordingStore store = new RecordingStore().answerOn(Runnable::run);

	@Test
	void eachRuleOfACallHasItsOwnEnd() {
		run(Login.class, (context, login) -> {
			login.login("ann", true);
			login.login("ann", false);
			assertThat(remaining(context, "name", "ann")).isEqualTo(4);
			assertThat(remaining(context, "attempts", "")).isEqualTo(98);
		});
	}

	@Test
	void deniedCallsAndFallbacksEndNothing() {
		run(Login.class, (context, login) -> {
			for (int i = 0; i < 5; i++) {
				login.login("ann", false);
			}
			assertThatExceptionOfType(RateLimitExceededException.class).isThrownBy(() -> login.login("ann", true));
			assertThat(login.once()).isEqualTo("once");
			assertThat(login.once()).isEqualTo("denied");
			assertThat(this.store.refunds()).isEmpty();
		});
	}

	@ParameterizedTest
	@ValueSource(strings = { "ratelimit.rules.name.mode=off", "ratelimit.rules.name.allow=ann" })
	void callThatIsNotCountedEndsNothing(String property) {
		run(Login.class, (context, login) -> {
			login.login("ann", true);
			assertThat(this.store.refunds()).isEmpty();
		}, property);
	}

	@Test
	void ruleInShadowModeEndsWithTheCall() {
		run(Login.class, (context, login) -> {
			login.login("ann", true);
			assertThat(remaining(context, "name", "ann")).isEqualTo(5);
			login.login("ann", false);
			assertThat(remaining(context, "name", "ann")).isEqualTo(4);
		}, "ratelimit.rules.name.mode=shadow");
	}

	@Test
	void subscriberOfAHandlerThatCancelsAfterItsValueChangesNoOutcome() {
		Handled request = new Handled();
		LimitedContext.with(this.store, Handler.class)
			.withBean(CallContextSource.class, () -> () -> request)
			.run((context) -> {
				Flux.from(context.getBean(Handler.class).handle()).take(1, false).blockLast();
				assertThat(this.store.refunds()).isEmpty();
				request.end.endWithResponse(null);
				assertThat(this.store.refunds()).hasSize(1);
			});
	}

	@Test
	void callableOfAHandlerThatIsCanceledHasFailed() {
		Handled request = new Handled();
		LimitedContext.with(this.store, Handler.class)
			.withBean(CallContextSource.class, () -> () -> request)
			.run((context) -> {
				context.getBean(Handler.class).later();
				request.end.end(null, new CancellationException("gone"));
				request.end.endWithResponse(null);
				assertThat(this.store.refunds()).isEmpty();
			});
	}

	@Test
	void innerOfTwoNestedCallsEndsFirst() {
		run(Outer.class, (context, outer) -> {
			outer.call();
			assertThat(context.getBean(Ends.class).seen).containsExactly("inner", "outer");
			assertThat(this.store.refunded()).containsExactly("inner:", "outer:");
		});
	}

	@Test
	void argumentsAndRequestAreThoseOfTheCall() {
		CallContext[] request = { new FakeRequest() };
		LimitedContext.with(this.store, Named.class, Ends.class)
			.withBean(CallContextSource.class, () -> () -> request[0])
			.run((context) -> {
				context.getBean(Named.class).call("argument", () -> request[0] = null);
				assertThat(context.getBean(Ends.class).seen)
					.containsExactly("argument 1 192.0.2.1 laoqian /replies k1 outcome");
			});
	}

	@Test
	void delayedStageEndsToo() {
		CountingStore delaying = new CountingStore().delayBy(Duration.ofMillis(5));
		LimitedContext.with(delaying, Delayed.class, Ends.class).run((context) -> {
			Delayed delayed = context.getBean(Delayed.class);
			assertThat(delayed.call(CompletableFuture.completedFuture("done")).join()).isEqualTo("done");
			CompletableFuture<String> stage = new CompletableFuture<>();
			CompletableFuture<String> canceled = delayed.call(stage);
			await().until(() -> delayed.runs() == 2);
			canceled.cancel(true);
			await().untilAsserted(() -> assertThat(stage).isCancelled());
			await().untilAsserted(() -> assertThat(delaying.refunds()).hasSize(2));
			assertThat(context.getBean(Ends.class).seen).hasSize(2);
			assertThat(context.getBean(Ends.class).seen.get(0)).isEqualTo("done null");
			assertThat(context.getBean(Ends.class).seen.get(1)).contains("CancellationException");
		});
	}

	@Test
	void callThatIsCanceledBeforeItBeginsIsRefunded() {
		run(Later.class, (context, later) -> {
			later.call().subscribe(new BaseSubscriber<>() {

				@Override
				protected void hookOnSubscribe(Subscription subscription) {
					subscription.cancel();
				}

			});
			assertThat(remaining(context, "later", "")).isEqualTo(5);
			assertThat(later.runs()).isZero();
			assertThat(this.store.refunds()).hasSize(1);
		});
	}

	private <T> void run(Class<T> bean, BiConsumer<ApplicationContext, T> test, String... properties) {
		LimitedContext.with(this.store, bean, Ends.class, Inner.class)
			.withPropertyValues(properties)
			.run((context) -> test.accept(context, context.getBean(bean)));
	}

	private static long remaining(ApplicationContext context, String rule, String key) {
		return context.getBean(RateLimiterRegistry.class).limiter(rule).peek(key).remaining();
	}

	static class Ends {

		final List<String> seen = new CopyOnWriteArrayList<>();

		public boolean add(Object... values) {
			List<String> texts = new ArrayList<>();
			for (Object value : values) {
				texts.add((value instanceof Object[] array) ? String.valueOf(array.length - 1) : String.valueOf(value));
			}
			this.seen.add(String.join(" ", texts));
			return true;
		}

	}

	static class Handler {

		@RateLimited(max = 5, period = 60, unless = "#error == null")
		public Mono<String> handle() {
			return Mono.just("done");
		}

		@RateLimited(max = 5, period = 60, unless = "#error == null")
		public Callable<String> later() {
			return () -> "done";
		}

	}

	private static final class Handled implements HandledRequest {

		private CallEnd end;

		@Override
		public boolean isHandledBy(Method method) {
			return true;
		}

		@Override
		public boolean endWithResponse(CallEnd handled) {
			this.end = handled;
			return true;
		}

		@Override
		public @Nullable Object read(RequestPart part, String name) {
			return null;
		}

		@Override
		public void decided(Decision decision) {
		}

	}

	static class Login {

		@RateLimited(name = "name", key = "#name", max = 5, period = 3600, unless = "#result")
		@RateLimited(name = "attempts", max = 100, period = 3600)
		public boolean login(String name, boolean right) {
			return right;
		}

		@RateLimited(name = "once", max = 1, period = 3600, unless = "#result == 'denied'", fallback = "denied")
		public String once() {
			return "once";
		}

		String denied() {
			return "denied";
		}

	}

	static class Outer {

		private final Inner inner;

		Outer(Inner inner) {
			this.inner = inner;
		}

		@RateLimited(name = "outer", max = 5, period = 3600, unless = "@'endedCallTests.Ends'.add('outer')")
		public void call() {
			this.inner.call();
		}

	}

	static class Inner {

		@RateLimited(name = "inner", max = 5, period = 3600, unless = "@'endedCallTests.Ends'.add('inner')")
		public void call() {
		}

	}

	static class Named {

		@RateLimited(name = "named", max = 5, period = 3600, unless = "@'endedCallTests.Ends'.add(#a0, args, ip, "
				+ "principal, #root.path, header('X-Api-Key'), #result)")
		public String call(String result, Runnable end) {
			end.run();
			return "outcome";
		}

	}

	static class Delayed {

		private volatile int runs;

		int runs() {
			return this.runs;
		}

		@RateLimited(name = "delayed", max = 5, period = 3600, maxWait = "1s",
				unless = "@'endedCallTests.Ends'.add(#result, #error)")
		public CompletableFuture<String> call(CompletableFuture<String> stage) {
			this.runs = this.runs + 1;
			return stage;
		}

	}

	static class Later {

		private int runs;

		int runs() {
			return this.runs;
		}

		@RateLimited(name = "later", max = 5, period = 3600, unless = "#error != null")
		public Mono<String> call() {
			this.runs++;
			return Mono.just("done");
		}

	}

}
