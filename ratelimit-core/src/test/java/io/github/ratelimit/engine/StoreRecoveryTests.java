package io.github.ratelimit.engine;

import java.util.Map;
import java.util.concurrent.CompletableFuture;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

import io.github.ratelimit.OnStoreFailure;
import io.github.ratelimit.store.FallbackStore;
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
import static org.mockito.BDDMockito.then;
import static org.mockito.BDDMockito.willThrow;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.never;

/**
 * A store whose circuit is open is called again when a probe has been answered and the
 * counts of the fallback are charged.
 */
class StoreRecoveryTests {

	private static final String CLOSED = "INFO The store of rate limits answers again.";

	@AutoClose
	private final GuardedFailingStore guarded = new GuardedFailingStore();

	@Test
	void probeThatIsAnsweredClosesTheCircuit() {
		this.guarded.open();
		this.guarded.failing.failure = null;
		this.guarded.probes.remove().run();
		assertThat(this.guarded.probes).isEmpty();
		assertThat(this.guarded.store.acquire(demand()).get(0).outcomes()).hasSize(1);
		assertThat(this.guarded.lines()).containsExactly(OPENED, CLOSED);
	}

	@Test
	void probeThatFailsIsFollowedByTheNextOneAndNothingIsLogged() {
		this.guarded.open();
		for (int i = 0; i < 10; i++) {
			this.guarded.probes.remove().run();
		}
		assertThat(this.guarded.probes).hasSize(1);
		assertThat(this.guarded.failure().reason()).isEqualTo("open");
		assertThat(this.guarded.lines()).containsExactly(OPENED);
	}

	@Test
	void probeThatMeetsAnErrorIsFollowedByTheNextOne() {
		RemoteStore store = unreachable();
		given(store.probe(any())).willThrow(new OutOfMemoryError("Java heap space"))
			.willReturn(CompletableFuture.failedStage(new StackOverflowError()))
			.willReturn(CompletableFuture.completedStage(null));
		StoreRecovery recovery = recovery(store);
		recovery.connect();
		for (int i = 0; i < 3; i++) {
			assertThat(recovery.circuits().isOpen("store")).isTrue();
			this.guarded.probes.remove().run();
		}
		assertThat(recovery.circuits().areFine()).isTrue();
		assertThat(this.guarded.probes).isEmpty();
	}

	@Test
	void storeThatCannotBeGivenUpIsProbedAllTheSame() {
		RemoteStore store = unreachable();
		willThrow(new OutOfMemoryError("Java heap space")).given(store).failPending(any(), any());
		StoreRecovery recovery = recovery(store);
		assertThatExceptionOfType(OutOfMemoryError.class).isThrownBy(recovery::connect);
		assertThat(this.guarded.probes).hasSize(1);
	}

	@Test
	void probeThatIsUnderWayIsNotFollowedByAnother() {
		RemoteStore store = unreachable();
		CompletableFuture<Void> answer = new CompletableFuture<>();
		given(store.probe(any())).willReturn(answer);
		StoreRecovery recovery = recovery(store);
		recovery.connect();
		this.guarded.probes.remove().run();
		this.guarded.probes.remove().run();
		then(store).should().probe(any());
		answer.complete(null);
		assertThat(recovery.circuits().areFine()).isTrue();
	}

	@Test
	void storeThatIsUnavailableAtStartupIsNotCalledUntilAProbeSucceeds() {
		this.guarded.failing.failure = SILENT;
		this.guarded.recovery.connect();
		assertThat(this.guarded.failure().reason()).isEqualTo("open");
		assertThat(this.guarded.lines()).containsExactly(OPENED);
		this.guarded.failing.failure = null;
		this.guarded.probes.remove().run();
		assertThat(this.guarded.store.acquire(demand()).get(0).outcomes()).hasSize(1);
	}

	@Test
	void storeIsCalledAgainAtOnceButForKeysThatAreNotCharged() {
		this.guarded.failing.charging = new CompletableFuture<>();
		this.guarded.open();
		this.guarded.fallback.acquire(demand());
		this.guarded.failing.failure = null;
		this.guarded.probes.remove().run();
		assertThat(this.guarded.store.acquire(demand()).get(0).outcomes()).hasSize(1);
		assertThat(this.guarded.fallback.hasUncharged(demand())).isTrue();
	}

	@Test
	void chargeThatFailsDoesNotKeepTheCircuitOpen() {
		this.guarded.failing.charging = CompletableFuture.failedStage(WRONGTYPE);
		this.guarded.open();
		this.guarded.fallback.acquire(demand());
		this.guarded.failing.failure = null;
		this.guarded.probes.remove().run();
		assertThat(this.guarded.store.acquire(demand()).get(0).outcomes()).hasSize(1);
	}

	@Test
	void callThatFoundTheCircuitOpenAndCountsAfterItClosedIsCharged() {
		this.guarded.open();
		assertThat(this.guarded.failure().reason()).isEqualTo("open");
		this.guarded.failing.failure = null;
		this.guarded.probes.remove().run();
		this.guarded.recovery.fallback(() -> OnStoreFailure.LOCAL).acquire(demand());
		assertThat(this.guarded.failing.charged).hasSize(1);
	}

	@Test
	void expiredCountsAreForgottenWhileTheStoreCallsItself() {
		FallbackStore counting = mock(FallbackStore.class);
		StoreRecovery recovery = this.guarded.recovery(counting);
		recovery.calledItself("store", SILENT);
		then(counting).should(never()).tidy();
		recovery.calledItself("store", null);
		then(counting).should().tidy();
	}

	@Test
	void failureDomainIsProbedWithItsLatestDemand() {
		this.guarded.failing.hasDomains = true;
		this.guarded.failing.domains.putAll(Map.of("key", "left", "other", "left"));
		this.guarded.failing.silentDomains.add("left");
		for (int i = 0; i < CircuitRegistry.FAILURES; i++) {
			this.guarded.call();
		}
		this.guarded.failing.domains.put("key", "right");
		this.guarded.failing.silentDomains.clear();
		this.guarded.failing.silentDomains.add("right");
		assertThatExceptionOfType(StoreException.class).isThrownBy(() -> this.guarded.store.acquire(demand("other")));
		this.guarded.probes.remove().run();
		assertThat(this.guarded.store.acquire(demand("other")).get(0).outcomes()).hasSize(1);
	}

	@Test
	void closedGuardProbesNoMore() {
		this.guarded.open();
		this.guarded.recovery.close();
		this.guarded.probes.remove().run();
		assertThat(this.guarded.probes).isEmpty();
	}

	private static RemoteStore unreachable() {
		RemoteStore store = mock(RemoteStore.class);
		given(store.failureDomain(any())).willReturn("store");
		willThrow(SILENT).given(store).connect();
		return store;
	}

	private StoreRecovery recovery(RemoteStore store) {
		return new StoreRecovery(store, this.guarded.fallback, this.guarded.report, Runnable::run,
				ManuallyRepeated.in(this.guarded.probes));
	}

}
