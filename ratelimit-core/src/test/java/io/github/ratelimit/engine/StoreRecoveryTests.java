package io.github.ratelimit.engine;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import io.github.ratelimit.store.FallbackStore;
import io.github.ratelimit.store.StoreException;

import static io.github.ratelimit.engine.GuardedFailingStore.OPENED;
import static io.github.ratelimit.engine.GuardedFailingStore.SILENT;
import static io.github.ratelimit.engine.GuardedFailingStore.WRONGTYPE;
import static io.github.ratelimit.engine.GuardedFailingStore.demand;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.mockito.BDDMockito.given;
import static org.mockito.BDDMockito.then;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.times;

/**
 * A store whose circuit is open is called again when a probe has been answered and the
 * counts of the fallback are charged.
 */
class StoreRecoveryTests {

	private static final String CLOSED = "INFO The store of rate limits answers again.";

	private final GuardedFailingStore guarded = new GuardedFailingStore();

	@AfterEach
	void close() {
		this.guarded.close();
	}

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
	void storeThatIsUnavailableAtStartupIsNotCalledUntilAProbeSucceeds() {
		this.guarded.failing.failure = SILENT;
		this.guarded.recovery.connect(demand());
		assertThat(this.guarded.failure().reason()).isEqualTo("open");
		assertThat(this.guarded.lines()).containsExactly(OPENED);
		this.guarded.failing.failure = null;
		this.guarded.probes.remove().run();
		assertThat(this.guarded.store.acquire(demand()).get(0).outcomes()).hasSize(1);
	}

	@Test
	void storeIsCalledAgainWhenFallbackCountsAreCharged() {
		CompletableFuture<Void> charging = new CompletableFuture<>();
		this.guarded.failing.charging = charging;
		this.guarded.open();
		this.guarded.fallback.acquire(demand());
		this.guarded.failing.failure = null;
		this.guarded.probes.remove().run();
		assertThat(this.guarded.failure().reason()).isEqualTo("open");
		charging.complete(null);
		assertThat(this.guarded.store.acquire(demand()).get(0).outcomes().get(0).remaining()).isEqualTo(98);
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
	void recoveryThatThrowsIsFollowedByTheNextProbe() {
		FallbackStore broken = mock(FallbackStore.class);
		given(broken.uncharged()).willThrow(new IllegalStateException("broken")).willReturn(List.of());
		StoreRecovery failing = this.guarded.recovery(broken);
		GuardedStore other = this.guarded.guard(failing);
		this.guarded.failing.failure = SILENT;
		failing.connect(demand());
		this.guarded.failing.failure = null;
		this.guarded.probes.remove().run();
		assertThatExceptionOfType(StoreException.class).isThrownBy(() -> other.acquire(demand()));
		this.guarded.probes.remove().run();
		assertThat(other.acquire(demand()).get(0).outcomes()).hasSize(1);
	}

	@Test
	void callThatFoundTheCircuitOpenAndCountsAfterItClosedIsCharged() {
		this.guarded.open();
		assertThat(this.guarded.failure().reason()).isEqualTo("open");
		this.guarded.failing.failure = null;
		this.guarded.probes.remove().run();
		this.guarded.recovery.fallback().acquire(demand());
		assertThat(this.guarded.failing.charged).hasSize(1);
	}

	@Test
	void countsAreForgottenAfterAnOutageUntilNoneAreLeft() {
		FallbackStore counting = mock(FallbackStore.class);
		given(counting.forgetExpired()).willReturn(true, true, false);
		StoreRecovery recovery = this.guarded.recovery(counting);
		this.guarded.failing.failure = SILENT;
		recovery.connect(demand());
		this.guarded.failing.failure = null;
		for (int i = 0; i < 3; i++) {
			this.guarded.probes.remove().run();
		}
		assertThat(this.guarded.probes).isEmpty();
		then(counting).should(times(3)).forgetExpired();
	}

	@Test
	void failureDomainIsProbedWithItsLatestDemand() {
		this.guarded.failing.hasDomains = true;
		this.guarded.failing.domains.putAll(Map.of("key", "left", "other", "left"));
		this.guarded.failing.silentDomains.add("left");
		for (int i = 0; i < Circuit.FAILURES; i++) {
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

}
