package io.github.ratelimit.interceptor;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import java.util.function.Function;
import java.util.stream.Stream;

import io.github.ratelimit.RateLimitExceededException;
import io.github.ratelimit.annotation.RateLimited;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Every return type once. An allowed call runs the method and returns its value. A denied
 * call does not run it, and the denial has the form of the type's failures.
 */
class ReturnTypeTests {

	private final CountingStore store = new CountingStore();

	@ParameterizedTest
	@MethodSource("types")
	void admittedCallTakesOnePermitAndReturnsItsValue(ReturnType type) {
		LimitedContext.with(this.store, Catalogue.class).run((context) -> {
			Catalogue catalogue = context.getBean(Catalogue.class);
			CallOutcome outcome = CallOutcome.of(() -> type.call.apply(catalogue));
			assertThat(outcome).isEqualTo(new CallOutcome(type.value, null, null));
			assertThat(this.store.rules()).containsExactly("catalogue");
			assertThat(catalogue.runs()).isEqualTo(1);
		});
	}

	@ParameterizedTest
	@MethodSource("types")
	void deniedCallFailsBeforeAnythingRuns(ReturnType type) {
		this.store.deny("catalogue");
		LimitedContext.with(this.store, Catalogue.class).run((context) -> {
			Catalogue catalogue = context.getBean(Catalogue.class);
			CallOutcome outcome = CallOutcome.of(() -> type.call.apply(catalogue));
			assertThat(type.later ? outcome.failure() : outcome.thrown())
				.isExactlyInstanceOf(RateLimitExceededException.class);
			assertThat(type.later ? outcome.thrown() : outcome.failure()).isNull();
			assertThat(this.store.rules()).containsExactly("catalogue");
			assertThat(catalogue.runs()).isZero();
		});
	}

	static Stream<ReturnType> types() {
		return Stream.of(new ReturnType("void", ReturnTypeTests::nothing, null, false),
				new ReturnType("int", Catalogue::number, 7, false),
				new ReturnType("String", Catalogue::text, "text", false),
				new ReturnType("Optional", Catalogue::optional, Optional.of("text"), false),
				new ReturnType("Object", Catalogue::object, "text", false),
				new ReturnType("Future", Catalogue::future, null, false),
				new ReturnType("CompletionStage", Catalogue::stage, "text", true),
				new ReturnType("CompletableFuture", Catalogue::completableFuture, "text", true),
				new ReturnType("CompletableFuture that is null", Catalogue::nullFuture, null, true),
				new ReturnType("Mono", Catalogue::mono, "text", true),
				new ReturnType("Mono of nothing", Catalogue::empty, null, true),
				new ReturnType("Flux", Catalogue::flux, List.of("one", "two"), true),
				new ReturnType("Publisher", Catalogue::publisher, List.of("one", "two"), true));
	}

	private static Object nothing(Catalogue catalogue) {
		catalogue.nothing();
		return null;
	}

	private record ReturnType(String name, Function<Catalogue, Object> call, Object value, boolean later) {

		@Override
		public String toString() {
			return this.name;
		}

	}

	@RateLimited(name = "catalogue", max = 5, period = 60)
	static class Catalogue {

		private int runs;

		int runs() {
			return this.runs;
		}

		public void nothing() {
			this.runs++;
		}

		public int number() {
			this.runs++;
			return 7;
		}

		public String text() {
			this.runs++;
			return "text";
		}

		public Optional<String> optional() {
			this.runs++;
			return Optional.of("text");
		}

		public Object object() {
			this.runs++;
			return "text";
		}

		public Future<String> future() {
			this.runs++;
			return null;
		}

		public CompletionStage<String> stage() {
			this.runs++;
			return CompletableFuture.completedStage("text");
		}

		public CompletableFuture<String> completableFuture() {
			this.runs++;
			return CompletableFuture.supplyAsync(() -> "text");
		}

		public CompletableFuture<String> nullFuture() {
			this.runs++;
			return null;
		}

		public Mono<String> mono() {
			this.runs++;
			return Mono.just("text");
		}

		public Mono<Void> empty() {
			this.runs++;
			return Mono.empty();
		}

		public Flux<String> flux() {
			this.runs++;
			return Flux.just("one", "two");
		}

		public Publisher<String> publisher() {
			this.runs++;
			return Flux.just("one", "two");
		}

	}

}
