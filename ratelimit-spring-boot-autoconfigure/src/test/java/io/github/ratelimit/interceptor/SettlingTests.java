package io.github.ratelimit.interceptor;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BiConsumer;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.RateLimitExceededException;
import io.github.ratelimit.RateLimiterRegistry;
import io.github.ratelimit.annotation.RateLimited;
import io.github.ratelimit.engine.RecordedLog;
import io.github.ratelimit.store.Debt;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.RecordingStore;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.reactivestreams.Subscription;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Mono;

import org.springframework.context.ApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.awaitility.Awaitility.await;

/**
 * Units that a call gives back or owes when it ends, as its rules say.
 */
class SettlingTests {

	private final RecordingStore store = new RecordingStore().answerOn(Runnable::run);

	private final RecordedLog log = new RecordedLog("io.github.ratelimit.engine.UnsettledCalls");

	@AfterEach
	void close() {
		this.log.close();
	}

	@Test
	void unusedUnitsAreGivenBack() {
		run(Model.class, (context, model) -> {
			model.ask("acme", 4, 3L);
			assertThat(remaining(context, "model", "acme")).isEqualTo(7);
			model.ask("acme", 4, 0L);
			model.ask("acme", 4, 4L);
			assertThat(remaining(context, "model", "acme")).isEqualTo(3);
			assertThat(this.store.refunds()).hasSize(2);
		});
	}

	@Test
	void unitsUsedBeyondTheEstimateAreOwed() {
		run(Model.class, (context, model) -> {
			model.ask("acme", 4, 13L);
			model.ask("acme", 0, 5L);
			assertThat(this.store.debts()).extracting(Debt::demand).extracting(Demand::cost).containsExactly(9L, 5L);
		});
	}

	@ParameterizedTest
	@CsvSource({ ", a whole number, null", "-1, 0 or more, -1", "2.5, a whole number, 2.5" })
	void estimateStaysIfTheUsedUnitsAreNone(@Nullable BigDecimal used, String expected, String shown) {
		run(Model.class, (context, model) -> {
			model.ask("acme", 4, used);
			model.ask("acme", 4, used);
			assertThat(remaining(context, "model", "acme")).isEqualTo(2);
			String problem = " The settle of rule \"model\" on Model.ask(String, long, Number), \"#result\", has to be "
					+ expected + ", but is " + shown + ". The units that the call took stay counted.";
			assertThat(this.log.lines()).containsExactly("SEVERE" + problem, "FINE" + problem);
		});
	}

	@Test
	void failedCallWithoutUsedUnitsKeepsItsEstimateSilently() {
		run(Model.class, (context, model) -> {
			assertThatIllegalStateException().isThrownBy(() -> model.failing("acme"));
			assertThat(remaining(context, "model", "acme")).isEqualTo(6);
			assertThat(this.log.lines()).isEmpty();
		});
	}

	@Test
	void failedCallMayBeFree() {
		run(Model.class, (context, model) -> {
			assertThatIllegalStateException().isThrownBy(() -> model.freeFailure("acme"));
			assertThat(remaining(context, "free", "acme")).isEqualTo(10);
		});
	}

	@ParameterizedTest
	@ValueSource(strings = { "#result", "#result.booleanValue()", "!#result?.booleanValue()" })
	void failedCallWithoutResultKeepsItsUnitsSilently(String unless) {
		run(Model.class, (context, model) -> {
			assertThatIllegalStateException().isThrownBy(() -> model.freeFailure("acme"));
			assertThat(remaining(context, "free", "acme")).isEqualTo(6);
			assertThat(this.log.lines()).isEmpty();
		}, "ratelimit.rules.free.unless=" + unless, "ratelimit.rules.free.settle=4");
	}

	@ParameterizedTest
	@ValueSource(strings = { "#error.cause.message == 'x'", "#error.message" })
	void otherMistakesOfFailedCallsAreErrors(String unless) {
		run(Model.class, (context, model) -> {
			assertThatIllegalStateException().isThrownBy(() -> model.freeFailure("acme"));
			assertThat(remaining(context, "free", "acme")).isEqualTo(6);
			assertThat(this.log.lines()).singleElement().asString().startsWith("SEVERE The unless of rule \"free\"");
		}, "ratelimit.rules.free.unless=" + unless, "ratelimit.rules.free.settle=4");
	}

	@Test
	void unlessWinsOverSettle() {
		run(Model.class, (context, model) -> {
			model.cached("acme", true);
			assertThat(remaining(context, "cached", "acme")).isEqualTo(10);
			model.cached("acme", false);
			assertThat(remaining(context, "cached", "acme")).isEqualTo(8);
		});
	}

	@Test
	void propertiesReplaceTheExpressionsOfTheAnnotation() {
		run(Model.class, (context, model) -> {
			model.ask("acme", 4, 3L);
			assertThat(remaining(context, "model", "acme")).isEqualTo(10);
			model.cached("acme", false);
			assertThat(remaining(context, "cached", "acme")).isEqualTo(9);
		}, "ratelimit.rules.model.unless=#result == 3", "ratelimit.rules.cached.settle=1",
				"ratelimit.rules.cached.unless=false");
	}

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
			assertThat(context.getBean(Ends.class).seen).hasSize(2);
			assertThat(context.getBean(Ends.class).seen.get(0)).isEqualTo("done null");
			assertThat(context.getBean(Ends.class).seen.get(1)).contains("CancellationException");
			assertThat(delaying.refunds()).hasSize(2);
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

	@Test
	void failureOfAnExpressionIsNoFailureOfTheCall() {
		run(Broken.class, (context, broken) -> {
			assertThat(broken.call()).isEqualTo("done");
			assertThat(broken.call()).isEqualTo("done");
			assertThat(remaining(context, "broken", "")).isEqualTo(3);
			assertThat(this.log.lines()).hasSize(2);
			assertThat(this.log.lines().get(0))
				.startsWith("SEVERE The unless of rule \"broken\" on Broken.call() cannot be evaluated: "
						+ "\"#error.message == 'x'\": ")
				.endsWith("Behind what may be null, write ?. instead of a dot, or first check how the call ended: "
						+ "\"#error == null and ...\". The units that the call took stay counted.");
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

	static class Model {

		@RateLimited(name = "model", key = "#tenant", max = 10, period = 3600, algorithm = Algorithm.FIXED_WINDOW,
				cost = "#estimate", settle = "#result")
		public @Nullable Number ask(String tenant, long estimate, @Nullable Number used) {
			return used;
		}

		@RateLimited(name = "model", key = "#tenant", cost = "4", settle = "#result.longValue()")
		public Number failing(String tenant) {
			throw new IllegalStateException("on purpose");
		}

		@RateLimited(name = "free", key = "#tenant", max = 10, period = 3600, algorithm = Algorithm.FIXED_WINDOW,
				cost = "4", settle = "#error != null ? 0 : #result")
		public Number freeFailure(String tenant) {
			throw new IllegalStateException("on purpose");
		}

		@RateLimited(name = "cached", key = "#tenant", max = 10, period = 3600, algorithm = Algorithm.FIXED_WINDOW,
				cost = "4", unless = "#result", settle = "2")
		public boolean cached(String tenant, boolean cached) {
			return cached;
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

		@RateLimited(name = "outer", max = 5, period = 3600, unless = "@'settlingTests.Ends'.add('outer')")
		public void call() {
			this.inner.call();
		}

	}

	static class Inner {

		@RateLimited(name = "inner", max = 5, period = 3600, unless = "@'settlingTests.Ends'.add('inner')")
		public void call() {
		}

	}

	static class Named {

		@RateLimited(name = "named", max = 5, period = 3600, unless = "@'settlingTests.Ends'.add(#a0, args, ip, "
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
				unless = "@'settlingTests.Ends'.add(#result, #error)")
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

	static class Broken {

		@RateLimited(name = "broken", max = 5, period = 3600, unless = "#error.message == 'x'")
		public String call() {
			return "done";
		}

	}

}
