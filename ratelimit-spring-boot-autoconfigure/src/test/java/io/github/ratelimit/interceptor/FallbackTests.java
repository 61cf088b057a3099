package io.github.ratelimit.interceptor;

import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

import io.github.ratelimit.RateLimitExceededException;
import io.github.ratelimit.annotation.RateLimited;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Fallback methods, called instead of denied methods.
 */
class FallbackTests {

	private final CountingStore store = new CountingStore().deny("calls");

	@Test
	void fallbackGetsTheArguments() {
		run((calls) -> assertThat(calls.same("x")).isEqualTo("instead of x"));
	}

	@Test
	void fallbackMayTakeTheDenial() {
		run((calls) -> assertThat(calls.withDenial("x")).isEqualTo("x exceeded calls"));
	}

	@Test
	void fallbackMayBePrivateAndOfTheSuperclass() {
		run((calls) -> assertThat(calls.inherited("x")).isEqualTo("inherited x"));
	}

	@Test
	void fallbackMayHaveTypeVariablesOfTheSuperclassAndOverrideOne() {
		LimitedContext.with(this.store, Texts.class).run((context) -> {
			assertThat(context).hasNotFailed();
			Texts texts = context.getBean(Texts.class);
			assertThat(texts.generic("x")).isEqualTo("x");
			assertThat(texts.overridden("x")).isEqualTo("overridden x");
		});
	}

	@Test
	void fallbackOfALaterResultIsLater() {
		run((calls) -> {
			assertThat(CallOutcome.of(() -> calls.stage("x")).value()).isEqualTo("later x");
			assertThat(CallOutcome.of(() -> calls.mono("x")).value()).isEqualTo("later x");
			assertThat(CallOutcome.of(() -> calls.flux("x")).value()).isEqualTo("later x");
		});
	}

	@Test
	void exceptionOfTheFallbackComesOutAsItIs() {
		run((calls) -> assertThatExceptionOfType(IOException.class).isThrownBy(() -> calls.failing("x"))
			.withMessage("fallback of x")
			.withNoCause());
	}

	@Test
	void exceptionOfTheMethodDoesNotLeadToTheFallback() {
		this.store.admit("calls");
		run((calls) -> assertThatExceptionOfType(IOException.class).isThrownBy(() -> calls.failing("x"))
			.withMessage("method of x"));
	}

	@Test
	void denialThrownInsideAnAdmittedMethodDoesNotLeadToTheFallback() {
		this.store.admit("calls");
		run((calls) -> assertThatExceptionOfType(RateLimitExceededException.class)
			.isThrownBy(() -> calls.denied("x", new RateLimitExceededException(Denials.of("other"))))
			.satisfies((denial) -> assertThat(denial.rule()).isEqualTo("other")));
	}

	private void run(Consumer<Calls> test) {
		LimitedContext.with(this.store, Calls.class).run((context) -> test.accept(context.getBean(Calls.class)));
	}

	static class Base {

		private String inheritedFallback(String text) {
			return "inherited " + text;
		}

	}

	static class Values<T> {

		T unchanged(T value) {
			return value;
		}

		Object described(String text) {
			return "described";
		}

	}

	static class Texts extends Values<String> {

		@RateLimited(name = "calls", max = 5, period = 60, fallback = "unchanged")
		public String generic(String text) {
			return "admitted " + text;
		}

		@RateLimited(name = "calls", max = 5, period = 60, fallback = "described")
		public String overridden(String text) {
			return "admitted " + text;
		}

		@Override
		String described(String text) {
			return "overridden " + text;
		}

	}

	static class Calls extends Base {

		@RateLimited(name = "calls", max = 5, period = 60, fallback = "instead")
		public String same(String text) {
			return text;
		}

		private String instead(String text) {
			return "instead of " + text;
		}

		@RateLimited(name = "calls", max = 5, period = 60, fallback = "exceeded")
		public Object withDenial(String text) {
			return text;
		}

		String exceeded(String text, RateLimitExceededException denial) {
			return text + " exceeded " + denial.rule();
		}

		@RateLimited(name = "calls", max = 5, period = 60, fallback = "inheritedFallback")
		public String inherited(String text) {
			return text;
		}

		@RateLimited(name = "calls", max = 5, period = 60, fallback = "laterStage")
		public CompletableFuture<String> stage(String text) {
			return CompletableFuture.completedFuture(text);
		}

		CompletableFuture<String> laterStage(String text) {
			return CompletableFuture.completedFuture("later " + text);
		}

		@RateLimited(name = "calls", max = 5, period = 60, fallback = "laterMono")
		public Mono<String> mono(String text) {
			return Mono.just(text);
		}

		Mono<String> laterMono(String text) {
			return Mono.just("later " + text);
		}

		@RateLimited(name = "calls", max = 5, period = 60, fallback = "laterFlux")
		public Flux<String> flux(String text) {
			return Flux.just(text);
		}

		Flux<String> laterFlux(String text) {
			return Flux.just("later " + text);
		}

		@RateLimited(name = "calls", max = 5, period = 60, fallback = "failingFallback")
		public String failing(String text) throws IOException {
			throw new IOException("method of " + text);
		}

		String failingFallback(String text) throws IOException {
			throw new IOException("fallback of " + text);
		}

		@RateLimited(name = "calls", max = 5, period = 60, fallback = "deniedFallback")
		public String denied(String text, RateLimitExceededException denial) {
			throw denial;
		}

		String deniedFallback(String text, RateLimitExceededException denial) {
			return "fallback";
		}

	}

}
