package io.github.ratelimit.engine;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;

import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.concurrent.StageFailure;
import io.github.ratelimit.store.Debt;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.Demands;
import io.github.ratelimit.store.FallbackStore;
import io.github.ratelimit.store.Refund;
import io.github.ratelimit.store.StoreException;
import io.github.ratelimit.store.local.LocalFallbackStore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;

/**
 * A failing store is called a few times, then no more until a probe is answered.
 */
class GuardedStoreTests {

	private static final StoreException SILENT = new StoreException("Redis did not answer within 100 ms", null,
			"timeout", true, null);

	private static final StoreException WRONGTYPE = new StoreException("Redis failed: WRONGTYPE", null, "wrongtype",
			false, "Remove the key.");

	private static final StoreException NOAUTH = new StoreException("Redis failed: NOAUTH", null, "noauth", true,
			"Set the password.");

	private static final String OPENED = "WARNING The store of rate limits cannot answer (Redis did not answer within "
			+ "100 ms). Until it can, rules follow their on-store-failure policy, by default local.";

	private static final String CLOSED = "INFO The store of rate limits answers again.";

	private final FailingStore store = new FailingStore();

	private final RecordedLog log = new RecordedLog(StoreFailureLog.class);

	private final AtomicLong clock = new AtomicLong();

	private final Queue<Runnable> probes = new ArrayDeque<>();

	private final Listeners listeners = new Listeners(() -> 1);

	private final LocalFallbackStore fallback = new LocalFallbackStore(1_000, 1);

	private final StoreReport report = new StoreReport(new StoreFailureLog(this.clock::get, "local"), this.listeners);

	private final StoreRecovery recovery = recovery(this.fallback);

	private final GuardedStore guarded = guard(this.recovery);

	@AfterEach
	void close() {
		this.log.close();
	}

	@Test
	void fewFailuresInARowOpenTheCircuitAndEndTheCalls() {
		this.store.failure = SILENT;
		for (int i = 0; i < Circuit.FAILURES; i++) {
			assertThat(failure()).isSameAs(SILENT);
		}
		assertThat(this.store.calls).isEqualTo(Circuit.FAILURES);
		assertThat(failure().reason()).isEqualTo("open");
		assertThat(asynchronousFailure().reason()).isEqualTo("open");
		assertThat(this.store.calls).isEqualTo(Circuit.FAILURES);
		assertThat(this.probes).hasSize(1);
		assertThat(lines()).containsExactly(OPENED);
	}

	@Test
	void correctionsThatAnOpenCircuitRefusesAreFailures() {
		RecordingListener listener = new RecordingListener();
		this.store.failure = SILENT;
		for (int i = 0; i < Circuit.FAILURES; i++) {
			call();
		}
		this.listeners.replaceBy(List.of(listener));
		call();
		assertThat(listener.events).isEmpty();
		Demand demand = new Demand(
				RateLimitRule.named("reply").limit(5, Duration.ofSeconds(60)).algorithm(Algorithm.FIXED_WINDOW).build(),
				"key", 1);
		List<Refund> refunds = List.of(new Refund(demand, Refund.NEWEST));
		assertThatExceptionOfType(StoreException.class).isThrownBy(() -> this.guarded.refund(refunds));
		this.guarded.refundAsync(refunds);
		assertThatExceptionOfType(StoreException.class)
			.isThrownBy(() -> this.guarded.owe(List.of(new Debt(demand, 0, false))));
		this.guarded.oweAsync(List.of(new Debt(demand, 0, false)));
		assertThat(listener.events).containsExactly("failed open, null", "failed open, null", "failed open, null",
				"failed open, null");
	}

	@Test
	void asynchronousFailuresCountToo() {
		this.store.failure = SILENT;
		for (int i = 0; i < Circuit.FAILURES; i++) {
			assertThat(asynchronousFailure()).isSameAs(SILENT);
		}
		assertThat(failure().reason()).isEqualTo("open");
	}

	@Test
	void failuresBetweenAnswersOpenNothing() {
		for (int i = 0; i < 10 * Circuit.FAILURES; i++) {
			this.store.failure = (i % Circuit.FAILURES == 0) ? null : SILENT;
			call();
		}
		assertThat(lines()).isEmpty();
		assertThat(this.probes).isEmpty();
	}

	@Test
	void failureOfOneKeyOpensNoCircuitForOthersAndIsLoggedOnceAMinute() {
		this.store.failure = WRONGTYPE;
		for (int i = 0; i < 10 * Circuit.FAILURES; i++) {
			assertThat(failure()).isSameAs(WRONGTYPE);
		}
		String refused = "SEVERE The store of rate limits refuses (Redis failed: WRONGTYPE). Remove the key. "
				+ "Meanwhile rules follow their on-store-failure policy, by default local.";
		assertThat(lines()).containsExactly(refused);
		this.clock.addAndGet(TimeUnit.SECONDS.toNanos(60));
		call();
		call();
		assertThat(lines()).containsExactly(refused, refused);
	}

	@Test
	void mistakeThatHoldsForEveryCallOpensTheCircuitAsAnError() {
		this.store.failure = NOAUTH;
		for (int i = 0; i < 2 * Circuit.FAILURES; i++) {
			call();
		}
		assertThat(failure().reason()).isEqualTo("open");
		assertThat(lines()).singleElement().asString().startsWith("SEVERE").contains("Set the password.");
	}

	@Test
	void probeThatIsAnsweredClosesTheCircuit() {
		open();
		this.store.failure = null;
		this.probes.remove().run();
		assertThat(this.probes).isEmpty();
		assertThat(this.guarded.acquire(demand()).get(0).outcomes()).hasSize(1);
		assertThat(lines()).containsExactly(OPENED, CLOSED);
	}

	@Test
	void probeThatFailsIsFollowedByTheNextOneAndNothingIsLogged() {
		open();
		for (int i = 0; i < 10; i++) {
			this.probes.remove().run();
		}
		assertThat(this.probes).hasSize(1);
		assertThat(failure().reason()).isEqualTo("open");
		assertThat(lines()).containsExactly(OPENED);
	}

	@Test
	void storeThatIsUnavailableAtStartupIsNotCalledUntilAProbeSucceeds() {
		this.store.failure = SILENT;
		this.recovery.connect(demand());
		assertThat(failure().reason()).isEqualTo("open");
		assertThat(lines()).containsExactly(OPENED);
		this.store.failure = null;
		this.probes.remove().run();
		assertThat(this.guarded.acquire(demand()).get(0).outcomes()).hasSize(1);
	}

	@Test
	void storeIsCalledAgainWhenFallbackCountsAreCharged() {
		CompletableFuture<Void> charging = new CompletableFuture<>();
		this.store.charging = charging;
		open();
		this.fallback.acquire(demand());
		this.store.failure = null;
		this.probes.remove().run();
		assertThat(failure().reason()).isEqualTo("open");
		charging.complete(null);
		assertThat(this.guarded.acquire(demand()).get(0).outcomes().get(0).remaining()).isEqualTo(98);
	}

	@Test
	void chargeThatFailsDoesNotKeepTheCircuitOpen() {
		this.store.charging = CompletableFuture.failedStage(WRONGTYPE);
		open();
		this.fallback.acquire(demand());
		this.store.failure = null;
		this.probes.remove().run();
		assertThat(this.guarded.acquire(demand()).get(0).outcomes()).hasSize(1);
	}

	@Test
	void recoveryThatThrowsIsFollowedByTheNextProbe() {
		FallbackStore broken = mock(FallbackStore.class);
		given(broken.uncharged()).willThrow(new IllegalStateException("broken")).willReturn(List.of());
		StoreRecovery failing = recovery(broken);
		GuardedStore other = guard(failing);
		this.store.failure = SILENT;
		failing.connect(demand());
		this.store.failure = null;
		this.probes.remove().run();
		assertThatExceptionOfType(StoreException.class).isThrownBy(() -> other.acquire(demand()));
		this.probes.remove().run();
		assertThat(other.acquire(demand()).get(0).outcomes()).hasSize(1);
	}

	@Test
	void callThatFoundTheCircuitOpenAndCountsAfterItClosedIsCharged() {
		open();
		assertThat(failure().reason()).isEqualTo("open");
		this.store.failure = null;
		this.probes.remove().run();
		this.recovery.fallback().acquire(demand());
		assertThat(this.store.charged).hasSize(1);
	}

	@Test
	void failureDomainIsProbedWithItsLatestDemand() {
		this.store.hasDomains = true;
		this.store.domains.putAll(Map.of("key", "left", "other", "left"));
		this.store.silentDomains.add("left");
		for (int i = 0; i < Circuit.FAILURES; i++) {
			call();
		}
		this.store.domains.put("key", "right");
		this.store.silentDomains.clear();
		this.store.silentDomains.add("right");
		assertThatExceptionOfType(StoreException.class).isThrownBy(() -> this.guarded.acquire(demand("other")));
		this.probes.remove().run();
		assertThat(this.guarded.acquire(demand("other")).get(0).outcomes()).hasSize(1);
	}

	@Test
	void callIsOneFailureHoweverManyRulesItHas() {
		this.store.failure = SILENT;
		Demands many = Demands
			.of(IntStream.range(0, 2 * Circuit.FAILURES).mapToObj((i) -> demand("key-" + i)).toList());
		for (int i = 1; i < Circuit.FAILURES; i++) {
			assertThatExceptionOfType(StoreException.class).isThrownBy(() -> this.guarded.acquire(many));
		}
		assertThat(this.probes).isEmpty();
		assertThatExceptionOfType(StoreException.class).isThrownBy(() -> this.guarded.acquire(many));
		assertThat(this.probes).hasSize(1);
	}

	@Test
	void closedGuardProbesNoMore() {
		open();
		this.recovery.close();
		this.probes.remove().run();
		assertThat(this.probes).isEmpty();
	}

	@Test
	void failingDomainDoesNotAffectTheOthers() {
		this.store.hasDomains = true;
		this.guarded.acquire(demand("right"));
		open();
		this.store.failure = null;
		assertThat(failure().reason()).isEqualTo("open");
		assertThat(this.guarded.acquire(demand("right")).get(0).outcomes()).hasSize(1);
		assertThat(this.store.givenUp).containsExactly("key");
	}

	@Test
	void callsThatWaitForAStoreThatIsGivenUpFailAtOnce() {
		open();
		assertThat(this.store.givenUp).containsExactly("store");
	}

	@Test
	void openCircuitRefusesPeeksRefundsAndResets() {
		open();
		List<Refund> refunds = List.of(new Refund(demand(), Refund.NEWEST));
		assertOpen(() -> this.guarded.peek(demand()));
		assertOpen(() -> this.guarded.refund(refunds));
		assertOpen(() -> this.guarded.reset(demand().counts(), demand().key()));
		assertThat(this.guarded.refundAsync(refunds)).isCompletedExceptionally();
		assertThat(this.store.calls).isEqualTo(Circuit.FAILURES);
		assertThat(this.store.corrected).isZero();
	}

	@Test
	void refundsThatFailOpenTheCircuit() {
		this.store.failure = SILENT;
		List<Refund> refunds = List.of(new Refund(demand(), Refund.NEWEST));
		for (int i = 0; i < Circuit.FAILURES; i++) {
			assertThat(this.guarded.refundAsync(refunds)).isCompletedExceptionally();
		}
		assertThat(failure().reason()).isEqualTo("open");
		assertThat(this.store.corrected).isEqualTo(Circuit.FAILURES);
	}

	@Test
	void listenersHearOfFailedCallsAndOfLostAndRecoveredDomains() {
		RecordingListener listener = new RecordingListener();
		this.listeners.replaceBy(List.of(listener));
		call();
		this.store.failure = WRONGTYPE;
		asynchronousFailure();
		assertThat(listener.events).containsExactly("called PT0S", "called PT0S", "failed wrongtype, Remove the key.");
		open();
		listener.events.clear();
		call();
		assertThat(listener.events).isEmpty();
		this.probes.remove().run();
		this.store.failure = null;
		this.probes.remove().run();
		assertThat(listener.events).containsExactly("failed timeout, null", "found");
	}

	@Test
	void listenersHearOfTheFailureThatLostTheStore() {
		RecordingListener listener = new RecordingListener();
		this.listeners.replaceBy(List.of(listener));
		open();
		assertThat(listener.events.stream().filter((event) -> event.startsWith("lost")))
			.containsExactly("lost timeout");
	}

	@Test
	void listenersHearOfAStoreThatIsUnavailableAtStartup() {
		RecordingListener listener = new RecordingListener();
		this.listeners.replaceBy(List.of(listener));
		this.store.failure = SILENT;
		this.recovery.connect(demand());
		assertThat(listener.events).containsExactly("failed timeout, null", "lost timeout");
	}

	private StoreRecovery recovery(FallbackStore counting) {
		return new StoreRecovery(this.store, counting, this.report, Runnable::run, this.probes::add);
	}

	private GuardedStore guard(StoreRecovery closing) {
		return new GuardedStore(this.store, closing, this.report);
	}

	private void open() {
		this.store.failure = SILENT;
		for (int i = 0; i < Circuit.FAILURES; i++) {
			call();
		}
	}

	private void call() {
		try {
			this.guarded.acquire(demand());
		}
		catch (StoreException ex) {
			assertThat(ex.getMessage()).isNotEmpty();
		}
	}

	private StoreException failure() {
		return catchThrowableOfType(StoreException.class, () -> this.guarded.acquire(demand()));
	}

	private StoreException asynchronousFailure() {
		return this.guarded.acquireAsync(demand())
			.handle((answer, failure) -> (StoreException) StageFailure.cause(failure))
			.toCompletableFuture()
			.join();
	}

	private static void assertOpen(ThrowingCallable call) {
		assertThatExceptionOfType(StoreException.class).isThrownBy(call)
			.satisfies((failure) -> assertThat(failure.reason()).isEqualTo("open"));
	}

	private List<String> lines() {
		return this.log.lines().stream().filter((line) -> !line.startsWith("FINE")).toList();
	}

	private static Demand demand() {
		return demand("key");
	}

	private static Demand demand(String key) {
		RateLimitRule rule = RateLimitRule.named("rule")
			.limit(100, Duration.ofHours(1))
			.algorithm(Algorithm.SLIDING_LOG)
			.build();
		return new Demand(rule, key, 1);
	}

}
