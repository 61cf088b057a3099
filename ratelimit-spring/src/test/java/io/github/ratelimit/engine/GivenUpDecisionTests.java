package io.github.ratelimit.engine;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.stream.Stream;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.Decision;
import io.github.ratelimit.Mode;
import io.github.ratelimit.OnStoreFailure;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.adaptive.LoadAdaptation;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.Demands;
import io.github.ratelimit.store.StoreException;
import io.github.ratelimit.store.local.LocalFallbackStore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Calls that are given up before their decision, on a store that the test lets answer.
 */
class GivenUpDecisionTests {

	private final PendingStore store = new PendingStore();

	private final RecordingListener listener = new RecordingListener();

	private final LocalFallbackStore fallback = new LocalFallbackStore(100, 1);

	@AutoClose
	private final RateLimitEngine engine = new RateLimitEngine(this.store, () -> OnStoreFailure.LOCAL, this.fallback);

	private final RuleRegistry registry = new RuleRegistry(this.engine, Algorithm.SLIDING_LOG, List.of());

	static Stream<Consumer<CompletableFuture<?>>> waysToGiveUp() {
		return Stream.of((call) -> call.cancel(true), (call) -> call.completeExceptionally(new TimeoutException()),
				(call) -> call.complete(null), (call) -> {
					Disposable subscription = Mono.fromFuture(call).subscribe();
					subscription.dispose();
				});
	}

	@ParameterizedTest
	@MethodSource("waysToGiveUp")
	void lateDecisionIsRefundedAndNothingElseHappens(Consumer<CompletableFuture<?>> way) {
		this.engine.listen(List.of(this.listener));
		CompletableFuture<DecidedCall> call = acquire(rule("reply", Mode.ENFORCE), rule("trial", Mode.SHADOW));
		way.accept(call);
		this.store.answerAll();
		assertThat(this.store.remaining("reply")).isEqualTo(5);
		assertThat(this.store.calls).containsExactly(List.of("reply"));
		assertThat(this.listener.decisions).isEmpty();
	}

	@ParameterizedTest
	@MethodSource("waysToGiveUp")
	void programsThatGiveUpGetTheirUnitsBack(Consumer<CompletableFuture<?>> way) {
		this.engine.listen(List.of(this.listener));
		CompletableFuture<Decision> call = this.registry.register(rule("reply", Mode.ENFORCE))
			.tryAcquireAsync("key", 2)
			.toCompletableFuture();
		way.accept(call);
		this.store.answerAll();
		await().untilAsserted(() -> assertThat(this.store.remaining("reply")).isEqualTo(5));
		assertThat(this.listener.decisions).isEmpty();
	}

	@Test
	void programsThatWaitKeepTheirUnits() {
		CompletableFuture<Decision> call = this.registry.register(rule("reply", Mode.ENFORCE))
			.tryAcquireAsync("key", 2)
			.toCompletableFuture();
		this.store.answerAll();
		assertThat(call).succeedsWithin(Duration.ofSeconds(10)).matches(Decision::allowed);
		await().during(Duration.ofMillis(100)).until(() -> this.store.remaining("reply") == 3);
	}

	@Test
	void lateDecisionOfARuleInShadowModeIsRefundedToo() {
		CompletableFuture<DecidedCall> call = acquire(rule("reply", Mode.ENFORCE), rule("trial", Mode.SHADOW));
		this.store.answerNext();
		call.join().refundAsync();
		this.store.answerAll();
		assertThat(this.store.remaining("reply")).isEqualTo(5);
		assertThat(this.store.remaining("trial")).isEqualTo(5);
	}

	@Test
	void callOfRulesInShadowModeAloneIsRefunded() {
		CompletableFuture<DecidedCall> call = acquire(rule("trial", Mode.SHADOW));
		call.cancel(true);
		this.store.answerAll();
		assertThat(this.store.remaining("trial")).isEqualTo(5);
	}

	@Test
	void failureThatComesLateIsNotDecidedByThePolicy() {
		CompletableFuture<DecidedCall> call = acquire(rule("reply", Mode.ENFORCE));
		call.cancel(true);
		this.store.failNext(new StoreException("gone", null));
		assertThat(this.fallback.peek(demand(rule("reply", Mode.ENFORCE))).outcomes().get(0).remaining()).isEqualTo(5);
	}

	@Test
	void callThatIsCanceledIsNoFailureOfTheStore() {
		this.engine.listen(List.of(this.listener));
		CompletableFuture<DecidedCall> call = acquire(rule("reply", Mode.ENFORCE));
		call.cancel(true);
		this.store.failNext(new CancellationException());
		assertThat(this.listener.events).noneMatch((event) -> event.startsWith("failed"));
	}

	@Test
	void reservationIsRefundedOnlyOnce() {
		CompletableFuture<DecidedCall> call = acquire(rule("reply", Mode.ENFORCE));
		CompletableFuture<DecidedCall> other = acquire(rule("reply", Mode.ENFORCE));
		this.store.answerAll();
		call.join().refundAsync();
		call.join().refundAsync();
		call.join().refund();
		assertThat(other).isCompleted();
		assertThat(this.store.remaining("reply")).isEqualTo(4);
	}

	@Test
	void refundThatTheStoreCannotTakeIsAFailureOfTheStore() {
		FailingStore failing = new FailingStore();
		try (RateLimitEngine other = new RateLimitEngine(failing, () -> OnStoreFailure.LOCAL, this.fallback)) {
			Demands demands = demand(rule("reply", Mode.ENFORCE));
			DecidedCall first = other.acquire(demands);
			DecidedCall second = other.acquire(demands);
			other.listen(List.of(this.listener));
			failing.failure = new StoreException("gone", null);
			first.refund();
			second.refundAsync();
			assertThat(this.listener.events.stream().filter((event) -> event.startsWith("failed")))
				.containsExactly("failed unknown, null", "failed unknown, null");
		}
	}

	@Test
	void rememberedDenialIsForgottenAfterARefund() {
		try (RateLimitEngine remembering = new RateLimitEngine(this.store, () -> OnStoreFailure.LOCAL, this.fallback,
				new LoadAdaptation(Map.of(), Duration.ofSeconds(1)), new DenyCache(10, Duration.ofHours(1)))) {
			Demands all = new Demand(rule("reply", Mode.ENFORCE), "key", 5);
			CompletableFuture<DecidedCall> call = remembering.acquireAsync(all).toCompletableFuture();
			CompletableFuture<DecidedCall> denied = remembering.acquireAsync(all).toCompletableFuture();
			this.store.answerAll();
			assertThat(denied.join().isAllowed()).isFalse();
			call.join().refundAsync();
			CompletableFuture<DecidedCall> next = remembering.acquireAsync(all).toCompletableFuture();
			this.store.answerAll();
			assertThat(next.join().isAllowed()).isTrue();
		}
	}

	@Test
	void resultsCompleteWhereBlockingHoldsUpNoOtherCall() {
		RateLimiter limiter = this.registry.register(rule("reply", Mode.ENFORCE));
		List<CompletableFuture<String>> threads = new ArrayList<>();
		CompletableFuture<Void> never = new CompletableFuture<>();
		for (int i = 0; i < 100; i++) {
			CompletableFuture<String> thread = new CompletableFuture<>();
			threads.add(thread);
			limiter.tryAcquireAsync("key").thenAccept((decision) -> {
				thread.complete(Thread.currentThread().getName());
				never.join();
			});
		}
		this.store.answerAll();
		assertThat(CompletableFuture.allOf(threads.toArray(CompletableFuture[]::new)))
			.succeedsWithin(Duration.ofSeconds(20));
		assertThat(threads.stream().map(CompletableFuture::join))
			.allSatisfy((thread) -> assertThat(thread).startsWith("ratelimit-async-"))
			.doesNotHaveDuplicates();
		never.complete(null);
	}

	@Test
	void resultThatIsThereAtOnceStaysOnTheCallersThread() {
		this.store.answersAtOnce = true;
		CompletableFuture<Thread> thread = this.registry.register(rule("reply", Mode.ENFORCE))
			.tryAcquireAsync("key")
			.thenApply((decision) -> Thread.currentThread())
			.toCompletableFuture();
		assertThat(thread).isCompletedWithValue(Thread.currentThread());
	}

	private CompletableFuture<DecidedCall> acquire(RateLimitRule... rules) {
		return this.engine.acquireAsync(Demands.of(Stream.of(rules).map(GivenUpDecisionTests::demand).toList()))
			.toCompletableFuture();
	}

	private static Demand demand(RateLimitRule rule) {
		return new Demand(rule, "key", 1);
	}

	private static RateLimitRule rule(String name, Mode mode) {
		return RateLimitRule.named(name)
			.limit(5, Duration.ofHours(1))
			.algorithm(Algorithm.SLIDING_LOG)
			.mode(mode)
			.build();
	}

}
