package io.github.ratelimit.engine;

import java.time.Duration;
import java.util.List;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.store.Correction;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.StoreException;
import io.github.ratelimit.store.tck.AlgorithmOnStore;

import static io.github.ratelimit.engine.GuardedFailingStore.SILENT;
import static io.github.ratelimit.engine.GuardedFailingStore.WRONGTYPE;
import static io.github.ratelimit.engine.GuardedFailingStore.demand;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Listeners hear of failed calls, and of failure domains that are lost and found.
 */
class StoreReportTests {

	@AutoClose
	private final GuardedFailingStore guarded = new GuardedFailingStore();

	@Test
	void correctionsThatAnOpenCircuitRefusesAreFailures() {
		RecordingListener listener = new RecordingListener();
		this.guarded.failing.failure = SILENT;
		for (int i = 0; i < CircuitRegistry.FAILURES; i++) {
			this.guarded.call();
		}
		this.guarded.listeners.add(List.of(listener));
		this.guarded.call();
		assertThat(listener.events).isEmpty();
		Demand demand = new Demand(
				RateLimitRule.named("reply").limit(5, Duration.ofSeconds(60)).algorithm(Algorithm.FIXED_WINDOW).build(),
				"key", 1);
		List<Correction> refunds = List.of(Correction.refund(demand, Correction.NEWEST));
		assertThatExceptionOfType(StoreException.class).isThrownBy(() -> this.guarded.store.correctNow(refunds));
		this.guarded.store.correct(refunds);
		assertThatExceptionOfType(StoreException.class)
			.isThrownBy(() -> this.guarded.store.correctNow(List.of(AlgorithmOnStore.debt(demand, 0, false))));
		this.guarded.store.correct(List.of(AlgorithmOnStore.debt(demand, 0, false)));
		assertThat(listener.events).containsExactly("failed open, null", "failed open, null", "failed open, null",
				"failed open, null");
	}

	@Test
	void listenersHearOfFailedCallsAndOfLostAndRecoveredDomains() {
		RecordingListener listener = new RecordingListener();
		this.guarded.listeners.add(List.of(listener));
		this.guarded.call();
		this.guarded.failing.failure = WRONGTYPE;
		this.guarded.asynchronousFailure();
		assertThat(listener.events).containsExactly("called PT0S", "called PT0S", "failed wrongtype, Remove the key.");
		this.guarded.open();
		listener.events.clear();
		this.guarded.call();
		assertThat(listener.events).isEmpty();
		this.guarded.probes.remove().run();
		this.guarded.failing.failure = null;
		this.guarded.probes.remove().run();
		assertThat(listener.events).containsExactly("failed timeout, null", "found");
	}

	@Test
	void listenersHearOfTheFailureThatLostTheStore() {
		RecordingListener listener = new RecordingListener();
		this.guarded.listeners.add(List.of(listener));
		this.guarded.open();
		assertThat(listener.events.stream().filter((event) -> event.startsWith("lost")))
			.containsExactly("lost timeout");
	}

	@Test
	void listenersHearFirstOfOutagesThatHaveBegunBefore() {
		this.guarded.open();
		RecordingListener listener = new RecordingListener();
		this.guarded.report.listen(List.of(listener));
		assertThat(listener.events).containsExactly("lost timeout");
		this.guarded.failing.failure = null;
		this.guarded.probes.remove().run();
		assertThat(listener.events).containsExactly("lost timeout", "found");
		RecordingListener later = new RecordingListener();
		this.guarded.report.listen(List.of(later));
		assertThat(later.events).isEmpty();
	}

	@Test
	void listenersHearOfAStoreThatIsUnavailableAtStartup() {
		RecordingListener listener = new RecordingListener();
		this.guarded.listeners.add(List.of(listener));
		this.guarded.failing.failure = SILENT;
		this.guarded.recovery.connect();
		assertThat(listener.events).containsExactly("failed timeout, null", "lost timeout");
	}

}
