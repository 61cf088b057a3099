package io.github.ratelimit.observation;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;

import io.github.ratelimit.RateLimitExceededException;
import io.github.ratelimit.RateLimiterRegistry;
import io.github.ratelimit.annotation.RateLimited;
import io.github.ratelimit.autoconfigure.ObservationRateLimitAutoConfiguration;
import io.github.ratelimit.autoconfigure.RateLimitAutoConfiguration;
import io.github.ratelimit.store.DelegatingStore;
import io.github.ratelimit.store.Demands;
import io.github.ratelimit.store.RateLimitStore;
import io.github.ratelimit.store.StoreAnswer;
import io.github.ratelimit.store.local.LocalRateLimitStore;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.observation.contextpropagation.ObservationThreadLocalAccessor;
import io.micrometer.observation.tck.TestObservationRegistry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import reactor.core.publisher.Mono;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.context.runner.ContextConsumer;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Events of the observation that is current for a caller, on whichever thread its call is
 * decided.
 */
class RateLimitEventsTests {

	private final TestObservationRegistry registry = TestObservationRegistry.create();

	private final RecordedEvents events = new RecordedEvents();

	private final ApplicationContextRunner bare = new ApplicationContextRunner()
		.withConfiguration(
				AutoConfigurations.of(ObservationRateLimitAutoConfiguration.class, RateLimitAutoConfiguration.class))
		.withPropertyValues("ratelimit.rules.reply.max=1", "ratelimit.rules.reply.period=1h",
				"ratelimit.rules.trial.max=1", "ratelimit.rules.trial.period=1h", "ratelimit.rules.trial.mode=shadow",
				"ratelimit.rules.export.algorithm=leaky-bucket", "ratelimit.rules.export.max=1",
				"ratelimit.rules.export.period=1h", "ratelimit.rules.export.max-wait=2h");

	RateLimitEventsTests() {
		this.registry.observationConfig().observationHandler(this.events);
	}

	@ParameterizedTest
	@CsvSource({ "reply, ratelimit.denied", "trial, ratelimit.shadow-denied", "export, ratelimit.wait" })
	void denialAndWaitAreEventsOfTheCurrentObservation(String rule, String event) {
		run((limiters) -> observe("request", () -> {
			limiters.limiter(rule).tryAcquire("secret");
			limiters.limiter(rule).tryAcquire("secret");
		}));
		assertThat(this.events.names).containsExactly("request: " + event + ", " + event + ' ' + rule);
	}

	@Test
	void nothingHappensWithoutAnObservation() {
		run((limiters) -> {
			limiters.limiter("reply").tryAcquire("secret");
			limiters.limiter("reply").tryAcquire("secret");
		});
		assertThat(this.events.names).isEmpty();
	}

	@Test
	void decisionOnAnotherThreadIsAnEventOfTheCallersObservation() {
		LateStore store = new LateStore();
		observed().withBean(RateLimitStore.class, () -> store).run((context) -> {
			RateLimiterRegistry limiters = context.getBean(RateLimiterRegistry.class);
			limiters.limiter("reply").tryAcquire("secret");
			limiters.limiter("trial").tryAcquire("secret");
			observe("caller", () -> limiters.limiter("reply").tryAcquireAsync("secret"));
			observe("in shadow mode", () -> limiters.limiter("trial").tryAcquireAsync("secret"));
			limiters.limiter("reply").tryAcquireAsync("secret");
			observe("of another call", store::answerAll);
		});
		assertThat(this.events.names).containsExactly("caller: ratelimit.denied, ratelimit.denied reply",
				"in shadow mode: ratelimit.shadow-denied, ratelimit.shadow-denied trial");
	}

	@Test
	void reactiveMethodUsesTheObservationOfItsSubscriber() {
		observed().withBean(Forum.class).run((context) -> {
			Mono<String> reply = context.getBean(Forum.class).reply();
			reply.block();
			Observation request = Observation.start("subscriber", this.registry);
			Mono<String> denied = reply
				.contextWrite((subscriber) -> subscriber.put(ObservationThreadLocalAccessor.KEY, request));
			assertThatExceptionOfType(RateLimitExceededException.class).isThrownBy(denied::block);
			assertThat(this.registry.getCurrentObservation()).isNull();
			request.stop();
		});
		assertThat(this.events.names).containsExactly("subscriber: ratelimit.denied, ratelimit.denied reply");
	}

	@Test
	void thereAreNoEventsWithoutARegistryAndOwnOnesReplaceThem() {
		this.bare.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(RateLimitEvents.class));
		RateLimitEvents own = new RateLimitEvents(ObservationRegistry.NOOP);
		observed().withBean("own", RateLimitEvents.class, () -> own)
			.run((context) -> assertThat(context).getBean(RateLimitEvents.class).isSameAs(own));
	}

	private void run(ContextConsumerOfLimiters test) {
		ContextConsumer<AssertableApplicationContext> consumer = (context) -> test
			.accept(context.getBean(RateLimiterRegistry.class));
		observed().run(consumer);
	}

	private ApplicationContextRunner observed() {
		return this.bare.withBean(ObservationRegistry.class, () -> this.registry);
	}

	private void observe(String name, Runnable work) {
		Observation.start(name, this.registry).scoped(work);
	}

	private interface ContextConsumerOfLimiters {

		void accept(RateLimiterRegistry limiters);

	}

	static class Forum {

		@RateLimited(name = "reply", key = "'secret'")
		public Mono<String> reply() {
			return Mono.just("replied");
		}

	}

	private static final class RecordedEvents implements ObservationHandler<Observation.Context> {

		private final List<String> names = new ArrayList<>();

		@Override
		public void onEvent(Observation.Event event, Observation.Context context) {
			this.names.add(context.getName() + ": " + event.getName() + ", " + event.getContextualName());
		}

		@Override
		public boolean supportsContext(Observation.Context context) {
			return true;
		}

	}

	/**
	 * Store whose asynchronous answers come at the time and on the thread of the test.
	 */
	private static final class LateStore extends DelegatingStore {

		private final List<Runnable> answers = new ArrayList<>();

		private final Executor later = this.answers::add;

		LateStore() {
			super(new LocalRateLimitStore(100));
		}

		@Override
		public CompletionStage<StoreAnswer> acquireAsync(Demands demands) {
			return CompletableFuture.supplyAsync(() -> acquire(demands), this.later);
		}

		void answerAll() {
			this.answers.forEach(Runnable::run);
		}

	}

}
