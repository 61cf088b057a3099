package io.github.ratelimit.interceptor;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.stream.Stream;

import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.RateLimiterRegistry;
import io.github.ratelimit.annotation.RateLimited;
import io.github.ratelimit.store.RecordingStore;
import org.awaitility.core.ConditionFactory;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.reactivestreams.Publisher;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

import org.springframework.context.ApplicationContext;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.EnableAsync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

/**
 * Ends of calls by return type. A call ends once, however it ends, and its rule sees how.
 */
class CallEndTests {

	private final RecordingStore store = new RecordingStore().answerOn(Runnable::run);

	@ParameterizedTest
	@CsvSource({ "true, 10", "false, 9" })
	void callEndsOnceWithItsOutcome(boolean refunded, long left) {
		LimitedContext.with(this.store, Outcomes.class, Work.class, Asynchronous.class)
			.run((context) -> ends().forEach((way) -> {
				RateLimiter limiter = context.getBean(RateLimiterRegistry.class).limiter("work");
				limiter.reset("");
				Outcomes outcomes = context.getBean(Outcomes.class);
				outcomes.begin(refunded);
				int refunds = this.store.refunds().size();
				way.action.accept(context);
				awaitSoon().untilAsserted(() -> assertThat(outcomes.seen).as(way.name).hasSize(1));
				Outcome outcome = outcomes.seen.get(0);
				assertThat(outcome.result()).as(way.name).isEqualTo(way.result);
				assertThat((outcome.error() != null) ? outcome.error().getClass() : null).as(way.name)
					.isEqualTo(way.error);
				awaitSoon().untilAsserted(() -> assertThat(limiter.peek("").remaining()).as(way.name).isEqualTo(left));
				assertThat(this.store.refunds()).as(way.name).hasSize(refunds + (refunded ? 1 : 0));
			}));
	}

	/**
	 * Most calls have ended already, and the others end at once.
	 */
	private static ConditionFactory awaitSoon() {
		return await().pollDelay(Duration.ZERO).pollInterval(Duration.ofMillis(1));
	}

	static Stream<Way> ends() {
		return Stream.of(Way.of("value", (work) -> assertThat(work.value("ok")).isEqualTo("ok"), "ok", null),
				Way.of("value that is null", (work) -> assertThat(work.value(null)).isNull(), null, null),
				Way.of("exception", (work) -> failing(() -> work.failing()), null, Failure.class),
				Way.of("nothing", Work::nothing, null, null), Way.of("stage that is complete",
						(work) -> work.stage(CompletableFuture.completedFuture("ok")), "ok", null),
				Way.of("stage that completes", (work) -> {
					CompletableFuture<String> stage = new CompletableFuture<>();
					CompletionStage<String> result = work.stage(stage);
					stage.complete("ok");
					assertThat(result.toCompletableFuture().join()).isEqualTo("ok");
				}, "ok", null), Way.of("stage that has failed", (work) -> {
					CompletionStage<String> result = work.stage(CompletableFuture.failedFuture(new Failure()));
					failing(() -> result.toCompletableFuture().join());
				}, null, Failure.class), Way.of("stage that fails", (work) -> {
					CompletableFuture<String> stage = new CompletableFuture<>();
					CompletionStage<String> result = work.stage(stage.thenApply((value) -> value));
					stage.completeExceptionally(new Failure());
					failing(() -> result.toCompletableFuture().join());
				}, null, Failure.class), Way.of("stage that is canceled", (work) -> {
					CompletableFuture<String> stage = new CompletableFuture<>();
					work.stage(stage).toCompletableFuture().cancel(true);
					assertThat(stage).isCancelled();
				}, null, CancellationException.class),
				new Way("stage whose caller stops waiting", CallEndTests::stopWaiting, null, TimeoutException.class),
				Way.of("minimal stage that is complete", (work) -> {
					CompletionStage<String> result = work.stage(CompletableFuture.completedStage("ok"));
					assertThat(result.toCompletableFuture().join()).isEqualTo("ok");
				}, "ok", null), Way.of("minimal stage that completes", (work) -> {
					CompletableFuture<String> stage = new CompletableFuture<>();
					CompletionStage<String> result = work.stage(stage.minimalCompletionStage());
					stage.complete("ok");
					assertThat(result.toCompletableFuture().join()).isEqualTo("ok");
				}, "ok", null), Way.of("minimal stage whose caller cancels", (work) -> {
					CompletionStage<String> stage = new CompletableFuture<String>().minimalCompletionStage();
					work.stage(stage).toCompletableFuture().cancel(true);
				}, null, CancellationException.class),
				Way.of("stage that is null", (work) -> work.stage(null), null, null),
				Way.of("stage of a method that throws", (work) -> failing(() -> work.failingStage().join()), null,
						Failure.class),
				Way.of("Mono", (work) -> assertThat(work.mono(Mono.just("ok")).block()).isEqualTo("ok"), "ok", null),
				Way.of("Mono of nothing", (work) -> work.mono(Mono.empty()).block(), null, null),
				Way.of("Mono that fails", (work) -> failing(() -> work.mono(Mono.error(new Failure())).block()), null,
						Failure.class),
				Way.of("Mono that is canceled", (
						work) -> work.mono(Mono.never()).subscribe().dispose(), null, CancellationException.class),
				Way.of("Mono that times out",
						(work) -> failing(() -> work.mono(Mono.never())
							.timeout(Duration.ofMillis(1))
							.block()),
						null, CancellationException.class),
				Way.of("Mono of a method that throws", (work) -> failing(() -> work.failingMono().block()), null,
						Failure.class),
				Way.of("Flux", (work) -> work.flux(Flux.just("one", "two")).collectList().block(), null, null),
				Way.of("Flux that fails",
						(work) -> failing(
								() -> work.flux(Flux.just("one").concatWith(Flux.error(new Failure()))).blockLast()),
						null, Failure.class),
				Way.of("Flux that is canceled", (work) -> {
					Sinks.Many<String> sink = Sinks.many().unicast().onBackpressureBuffer();
					Disposable subscription = work.flux(sink.asFlux()).subscribe();
					sink.tryEmitNext("one").orThrow();
					subscription.dispose();
				}, null, CancellationException.class),
				Way.of("Flux of which enough was taken",
						(work) -> work.flux(Flux.just("one", "two", "three")).take(1, false).blockLast(), null,
						CancellationException.class),
				Way.of("Publisher", (work) -> Flux.from(work.publisher(Mono.just("ok"))).blockLast(), null, null),
				Way.ofAsync("@Async without result", Asynchronous::nothing, null, null),
				Way.ofAsync("@Async without result that fails", Asynchronous::failing, null, Failure.class),
				Way.ofAsync("@Async stage", (work) -> assertThat(work.stage("ok").join()).isEqualTo("ok"), "ok", null));
	}

	private static void stopWaiting(ApplicationContext context) {
		CompletableFuture<String> stage = new CompletableFuture<>();
		CompletableFuture<String> result = context.getBean(Work.class)
			.stage(stage)
			.toCompletableFuture()
			.orTimeout(1, TimeUnit.MILLISECONDS);
		failing(result::join);
		awaitSoon().until(() -> !context.getBean(Outcomes.class).seen.isEmpty());
		stage.complete("late");
	}

	private static void failing(Runnable call) {
		Throwable thrown = catchThrowable(call::run);
		assertThat(thrown).isNotNull().isNotInstanceOf(AssertionError.class);
		assertThat((thrown instanceof CompletionException) ? thrown.getCause() : thrown).isInstanceOfAny(Failure.class,
				RuntimeException.class, TimeoutException.class);
	}

	private record Way(String name, Consumer<ApplicationContext> action, @Nullable Object result,
			@Nullable Class<?> error) {

		static Way of(String name, Consumer<Work> action, @Nullable Object result, @Nullable Class<?> error) {
			return new Way(name, (context) -> action.accept(context.getBean(Work.class)), result, error);
		}

		static Way ofAsync(String name, Consumer<Asynchronous> action, @Nullable Object result,
				@Nullable Class<?> error) {
			return new Way(name, (context) -> action.accept(context.getBean(Asynchronous.class)), result, error);
		}

	}

	static class Outcomes {

		final List<Outcome> seen = new CopyOnWriteArrayList<>();

		private volatile boolean refunded;

		void begin(boolean newRefunded) {
			this.seen.clear();
			this.refunded = newRefunded;
		}

		public boolean add(@Nullable Object result, @Nullable Throwable error) {
			this.seen.add(new Outcome(result, error));
			return this.refunded;
		}

	}

	record Outcome(@Nullable Object result, @Nullable Throwable error) {

	}

	static class Failure extends RuntimeException {

		private static final long serialVersionUID = 1L;

	}

	@RateLimited(name = "work", max = 10, period = 3600, unless = "@'callEndTests.Outcomes'.add(#result, #error)")
	static class Work {

		public @Nullable String value(@Nullable String value) {
			return value;
		}

		public void nothing() {
		}

		public String failing() {
			throw new Failure();
		}

		public @Nullable CompletionStage<String> stage(@Nullable CompletionStage<String> stage) {
			return stage;
		}

		public CompletableFuture<String> failingStage() {
			throw new Failure();
		}

		public Mono<String> mono(Mono<String> mono) {
			return mono;
		}

		public Mono<String> failingMono() {
			throw new Failure();
		}

		public Flux<String> flux(Flux<String> flux) {
			return flux;
		}

		public Publisher<String> publisher(Publisher<String> publisher) {
			return publisher;
		}

	}

	@EnableAsync
	@RateLimited(name = "work", max = 10, period = 3600, unless = "@'callEndTests.Outcomes'.add(#result, #error)")
	static class Asynchronous {

		@Async
		public void nothing() {
		}

		@Async
		public void failing() {
			throw new Failure();
		}

		@Async
		public CompletableFuture<String> stage(String value) {
			return CompletableFuture.completedFuture(value);
		}

	}

}
