package io.github.ratelimit.engine;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.Limit;
import io.github.ratelimit.RateLimitListener;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.RuleDecision;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.local.LocalRateLimitStore;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Several listeners, failing listeners, and none.
 */
class ListenersTests {

	private final AtomicLong clock = new AtomicLong(42);

	private final Listeners listeners = new Listeners(this.clock::get);

	@Test
	void listenerThatThrowsBreaksNeitherCallsNorOtherListenersAndIsLoggedOnce() {
		RateLimitEngine engine = Engines.over(new FailingStore());
		RecordingListener other = new RecordingListener();
		engine.listen(List.of(new Broken(), other));
		Demand demand = new Demand(
				RateLimitRule.named("reply").limit(1, Duration.ofHours(1)).algorithm(Algorithm.SLIDING_LOG).build(),
				"key", 1);
		try (RecordedLog log = new RecordedLog(SafeListener.class)) {
			assertThat(engine.acquire(demand).decision().allowed()).isTrue();
			assertThat(engine.acquire(demand).decision().allowed()).isFalse();
			assertThat(log.lines()).containsExactly("WARNING Listener " + Broken.class.getName()
					+ " of the rate limiter failed. Calls go on; further failures of it are not logged.");
		}
		assertThat(other.decisions).hasSize(2);
		assertThat(other.events).hasSize(2);
	}

	@Test
	void decisionThatComesLaterIsReportedToTheListenerOfItsCaller() {
		RecordingListener everyone = new RecordingListener();
		RecordingListener ofCaller = new RecordingListener();
		PendingStore store = new PendingStore();
		RateLimitEngine engine = Engines.over(store);
		engine.listen(List.of(everyone, new RateLimitListener() {

			@Override
			public RateLimitListener forCaller() {
				return ofCaller;
			}

		}));
		engine.acquireAsync(new Demand(
				RateLimitRule.named("reply").limit(1, Duration.ofHours(1)).algorithm(Algorithm.SLIDING_LOG).build(),
				"key", 1));
		store.answerAll();
		assertThat(everyone.decisions).hasSize(1);
		assertThat(ofCaller.decisions).isEqualTo(everyone.decisions);
	}

	@Test
	void errorOfAListenerLosesNoSlot() {
		RateLimitEngine engine = Engines.over(new LocalRateLimitStore(100));
		engine.listen(List.of(new RateLimitListener() {

			@Override
			public void decided(RuleDecision decision) {
				throw new AssertionError("broken");
			}

		}));
		RateLimitRule rule = RateLimitRule.named("export").limit(Limit.ofConcurrency(1)).build();
		engine.acquire(new Demand(rule, "key", 1)).end(UsedUnits.ALL);
		assertThat(engine.acquire(new Demand(rule, "key", 1)).isAllowed()).isTrue();
	}

	@Test
	void listenerThatIsNotBoundToItsCallerIsNotifiedItself() {
		List<RuleDecision> decisions = new ArrayList<>();
		RateLimitListener unbound = new RateLimitListener() {

			@Override
			public RateLimitListener forCaller() {
				return null;
			}

			@Override
			public void decided(RuleDecision decision) {
				decisions.add(decision);
			}

		};
		PendingStore store = new PendingStore();
		RateLimitEngine engine = Engines.over(store);
		engine.listen(List.of(unbound));
		engine.acquireAsync(new Demand(RateLimitRule.named("export").limit(Limit.ofConcurrency(1)).build(), "key", 1));
		store.answerAll();
		assertThat(decisions).hasSize(1);
	}

	@Test
	void classThatIsMissingBreaksNothingEither() {
		this.listeners.add(List.of(new RateLimitListener() {

			@Override
			public void storeRecovered() {
				throw new NoClassDefFoundError("gone");
			}

		}));
		try (RecordedLog log = new RecordedLog(SafeListener.class)) {
			this.listeners.storeRecovered();
			assertThat(log.lines()).hasSize(1);
		}
	}

	@Test
	void clockIsNotReadWithoutListeners() {
		Listeners none = new Listeners(() -> {
			throw new IllegalStateException("read");
		});
		none.storeCalled(none.start());
	}

	@Test
	void listenerAddedInBetweenReceivesNoWrongDuration() {
		RecordingListener late = new RecordingListener();
		long start = this.listeners.start();
		this.listeners.add(List.of(late));
		this.listeners.storeCalled(start);
		assertThat(late.events).isEmpty();
	}

	@Test
	void durationIsThatOfTheCall() {
		RecordingListener listener = new RecordingListener();
		this.listeners.add(List.of(listener));
		long start = this.listeners.start();
		this.clock.addAndGet(1_500_000);
		this.listeners.storeCalled(start);
		assertThat(listener.events).containsExactly("called " + Duration.ofNanos(1_500_000));
	}

	private static final class Broken implements RateLimitListener {

		@Override
		public void decided(RuleDecision decision) {
			throw new IllegalStateException("broken");
		}

		@Override
		public void storeCalled(Duration duration) {
			throw new IllegalStateException("broken");
		}

	}

}
