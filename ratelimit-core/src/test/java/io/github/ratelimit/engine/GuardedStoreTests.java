package io.github.ratelimit.engine;

import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

import io.github.ratelimit.store.Correction;
import io.github.ratelimit.store.Demands;
import io.github.ratelimit.store.RemoteStore;
import io.github.ratelimit.store.StoreException;

import static io.github.ratelimit.engine.GuardedFailingStore.OPENED;
import static io.github.ratelimit.engine.GuardedFailingStore.SILENT;
import static io.github.ratelimit.engine.GuardedFailingStore.WRONGTYPE;
import static io.github.ratelimit.engine.GuardedFailingStore.demand;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;

/**
 * A failing store is called a few times, then no more.
 */
class GuardedStoreTests {

	private static final StoreException NOAUTH = new StoreException("Redis failed: NOAUTH", null, "noauth", true,
			"Set the password.");

	@AutoClose
	private final GuardedFailingStore guarded = new GuardedFailingStore();

	@Test
	void fewFailuresInARowOpenTheCircuitAndEndTheCalls() {
		this.guarded.failing.failure = SILENT;
		for (int i = 0; i < CircuitRegistry.FAILURES; i++) {
			assertThat(this.guarded.failure()).isSameAs(SILENT);
		}
		assertThat(this.guarded.failing.calls).isEqualTo(CircuitRegistry.FAILURES);
		assertThat(this.guarded.failure().reason()).isEqualTo("open");
		assertThat(this.guarded.asynchronousFailure().reason()).isEqualTo("open");
		assertThat(this.guarded.failing.calls).isEqualTo(CircuitRegistry.FAILURES);
		assertThat(this.guarded.probes).hasSize(1);
		assertThat(this.guarded.lines()).containsExactly(OPENED);
	}

	@Test
	void asynchronousFailuresCountToo() {
		this.guarded.failing.failure = SILENT;
		for (int i = 0; i < CircuitRegistry.FAILURES; i++) {
			assertThat(this.guarded.asynchronousFailure()).isSameAs(SILENT);
		}
		assertThat(this.guarded.failure().reason()).isEqualTo("open");
	}

	@Test
	void asynchronousCallOfAStoreThatThrowsAtOnceFails() {
		RemoteStore throwing = mock(RemoteStore.class);
		given(throwing.acquireAsync(any())).willThrow(SILENT);
		given(throwing.failureDomain(any())).willReturn("store");
		GuardedStore store = new GuardedStore(throwing, this.guarded.listeners, this.guarded.recovery);
		for (int i = 0; i < CircuitRegistry.FAILURES; i++) {
			assertThat(store.acquireAsync(demand())).isCompletedExceptionally();
		}
		assertThat(this.guarded.failure().reason()).isEqualTo("open");
	}

	@Test
	void asynchronousPreviewThatFailsThrowsNothing() {
		this.guarded.failing.failure = SILENT;
		GuardedStore previews = this.guarded.store.previewing();
		for (int i = 0; i < CircuitRegistry.FAILURES; i++) {
			assertThat(previews.acquireAsync(demand())).isCompletedExceptionally();
		}
		assertThat(previews.acquireAsync(demand())).isCompletedExceptionally();
		assertThat(this.guarded.failing.calls).isEqualTo(CircuitRegistry.FAILURES);
	}

	@Test
	void failuresOfTheStoresOwnCallsCountWhileThereAreNoOthers() {
		for (int i = 0; i < CircuitRegistry.FAILURES; i++) {
			assertThat(this.guarded.probes).isEmpty();
			this.guarded.calledItself(SILENT);
		}
		assertThat(this.guarded.failure().reason()).isEqualTo("open");
		assertThat(this.guarded.lines()).containsExactly(OPENED);
		this.guarded.probes.remove().run();
		assertThat(this.guarded.failure()).isNull();
	}

	@Test
	void answersToTheStoresOwnCallsDoNotShowThatItCounts() {
		this.guarded.failing.failure = SILENT;
		for (int i = 0; i < CircuitRegistry.FAILURES; i++) {
			this.guarded.call();
			this.guarded.calledItself(null);
		}
		assertThat(this.guarded.failure().reason()).isEqualTo("open");
	}

	@Test
	void failuresOfTheStoresOwnCallsBetweenAnswersOpenNothing() {
		for (int i = 0; i < 2 * CircuitRegistry.FAILURES; i++) {
			this.guarded.calledItself(SILENT);
			this.guarded.calledItself(null);
		}
		for (int i = 0; i < 2 * CircuitRegistry.FAILURES; i++) {
			this.guarded.calledItself(SILENT);
			this.guarded.call();
		}
		for (int i = 0; i < 2 * CircuitRegistry.FAILURES; i++) {
			this.guarded.calledItself(WRONGTYPE);
		}
		assertThat(this.guarded.probes).isEmpty();
	}

	@Test
	void ownCallsOfTheStoreConcernTheirFailureDomain() {
		this.guarded.failing.hasDomains = true;
		this.guarded.failing.domains.put("7", "other");
		for (int i = 0; i < CircuitRegistry.FAILURES; i++) {
			this.guarded.recovery.calledItself("other", SILENT);
			this.guarded.recovery.calledItself("unknown", SILENT);
		}
		assertThat(this.guarded.recovery.circuits().isOpen("other")).isTrue();
		assertThat(this.guarded.recovery.circuits().isOpen("unknown")).isFalse();
		assertThat(this.guarded.failure()).isNull();
		this.guarded.failing.silentDomains.add("other");
		this.guarded.probes.remove().run();
		assertThat(this.guarded.recovery.circuits().isOpen("other")).isTrue();
		this.guarded.failing.silentDomains.clear();
		this.guarded.probes.remove().run();
		assertThat(this.guarded.recovery.circuits().isOpen("other")).isFalse();
	}

	@Test
	void failuresBetweenAnswersOpenNothing() {
		for (int i = 0; i < 10 * CircuitRegistry.FAILURES; i++) {
			this.guarded.failing.failure = (i % CircuitRegistry.FAILURES == 0) ? null : SILENT;
			this.guarded.call();
		}
		assertThat(this.guarded.lines()).isEmpty();
		assertThat(this.guarded.probes).isEmpty();
	}

	@Test
	void failureOfOneKeyOpensNoCircuitForOthersAndIsLoggedOnceAMinute() {
		this.guarded.failing.failure = WRONGTYPE;
		for (int i = 0; i < 10 * CircuitRegistry.FAILURES; i++) {
			assertThat(this.guarded.failure()).isSameAs(WRONGTYPE);
		}
		String refused = "SEVERE The store of rate limits refuses calls (Redis failed: WRONGTYPE). Remove the key. "
				+ "Meanwhile rules follow their on-store-failure policy, by default local.";
		assertThat(this.guarded.lines()).containsExactly(refused);
		this.guarded.clock.addAndGet(TimeUnit.SECONDS.toNanos(60));
		this.guarded.call();
		this.guarded.call();
		assertThat(this.guarded.lines()).containsExactly(refused, refused);
	}

	@Test
	void mistakeThatHoldsForEveryCallOpensTheCircuitAsAnError() {
		this.guarded.failing.failure = NOAUTH;
		for (int i = 0; i < 2 * CircuitRegistry.FAILURES; i++) {
			this.guarded.call();
		}
		assertThat(this.guarded.failure().reason()).isEqualTo("open");
		assertThat(this.guarded.lines()).singleElement().asString().startsWith("SEVERE").contains("Set the password.");
	}

	@Test
	void callIsOneFailureHoweverManyRulesItHas() {
		this.guarded.failing.failure = SILENT;
		Demands many = Demands
			.of(IntStream.range(0, 2 * CircuitRegistry.FAILURES).mapToObj((i) -> demand("key-" + i)).toList());
		for (int i = 1; i < CircuitRegistry.FAILURES; i++) {
			assertThatExceptionOfType(StoreException.class).isThrownBy(() -> this.guarded.store.acquire(many));
		}
		assertThat(this.guarded.probes).isEmpty();
		assertThatExceptionOfType(StoreException.class).isThrownBy(() -> this.guarded.store.acquire(many));
		assertThat(this.guarded.probes).hasSize(1);
	}

	@Test
	void failingDomainDoesNotAffectTheOthers() {
		this.guarded.failing.hasDomains = true;
		this.guarded.store.acquire(demand("right"));
		this.guarded.open();
		this.guarded.failing.failure = null;
		assertThat(this.guarded.failure().reason()).isEqualTo("open");
		assertThat(this.guarded.store.acquire(demand("right")).get(0).outcomes()).hasSize(1);
		assertThat(this.guarded.failing.givenUp).containsExactly("key");
	}

	@Test
	void fewFailuresOfADomainThatIsCalledNoMoreAreForgottenAfterAMinute() {
		this.guarded.failing.hasDomains = true;
		this.guarded.failing.silentDomains.add("former");
		this.guarded.failing.domains.put("key", "former");
		this.guarded.call();
		this.guarded.failing.domains.put("key", "new");
		this.guarded.clock.addAndGet(TimeUnit.SECONDS.toNanos(60) - 1);
		this.guarded.call();
		assertThat(this.guarded.recovery.circuits().areFine()).isFalse();
		this.guarded.clock.addAndGet(1);
		this.guarded.call();
		assertThat(this.guarded.recovery.circuits().areFine()).isTrue();
	}

	@Test
	void openCircuitIsNotForgotten() {
		this.guarded.failing.hasDomains = true;
		this.guarded.open();
		this.guarded.failing.failure = null;
		this.guarded.clock.addAndGet(TimeUnit.HOURS.toNanos(1));
		this.guarded.store.acquire(demand("other"));
		assertThat(this.guarded.failure().reason()).isEqualTo("open");
	}

	@Test
	void callsThatWaitForAStoreThatIsGivenUpFailAtOnce() {
		this.guarded.open();
		assertThat(this.guarded.failing.givenUp).containsExactly("store");
	}

	@Test
	void openCircuitRefusesPeeksRefundsAndResets() {
		this.guarded.open();
		List<Correction> refunds = List.of(Correction.refund(demand(), Correction.NEWEST));
		assertOpen(() -> this.guarded.store.peek(demand()));
		assertOpen(() -> this.guarded.store.correctNow(refunds));
		assertOpen(() -> this.guarded.store.reset(demand().counts(), demand().key()));
		assertThat(this.guarded.store.correct(refunds)).isCompletedExceptionally();
		assertThat(this.guarded.failing.calls).isEqualTo(CircuitRegistry.FAILURES);
		assertThat(this.guarded.failing.corrected).isZero();
	}

	@Test
	void refundsThatFailOpenTheCircuit() {
		this.guarded.failing.failure = SILENT;
		List<Correction> refunds = List.of(Correction.refund(demand(), Correction.NEWEST));
		for (int i = 0; i < CircuitRegistry.FAILURES; i++) {
			assertThat(this.guarded.store.correct(refunds)).isCompletedExceptionally();
		}
		assertThat(this.guarded.failure().reason()).isEqualTo("open");
		assertThat(this.guarded.failing.corrected).isEqualTo(CircuitRegistry.FAILURES);
	}

	private static void assertOpen(ThrowingCallable call) {
		assertThatExceptionOfType(StoreException.class).isThrownBy(call)
			.satisfies((failure) -> assertThat(failure.reason()).isEqualTo("open"));
	}

}
