package io.github.ratelimit.interceptor;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.stream.Stream;

import io.github.ratelimit.RateLimitKeyException;
import io.github.ratelimit.annotation.RateLimited;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import reactor.core.publisher.Mono;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * The key of a call, and what happens when it has none: an error, never a counter that
 * strangers share.
 */
class KeyTests {

	private final CountingStore store = new CountingStore();

	private final FakeRequest request = new FakeRequest();

	@Test
	void ruleWithoutKeyHasOneCounter() {
		run((keys) -> keys.none());
		assertThat(this.store.keys()).containsExactly("");
	}

	@Test
	void keyIsComputedFromArgumentsBeansAndTheRequest() {
		LimitedContext.with(this.store, Keys.class)
			.withBean("names", Names.class)
			.withBean(CallContextSource.class, () -> () -> this.request)
			.run((context) -> {
				Keys keys = context.getBean(Keys.class);
				keys.user("laoqian");
				keys.bean("laoqian");
				keys.address();
				assertThat(this.store.keys()).containsExactly("laoqian:reply", "nick of laoqian", "192.0.2.1");
				assertThat(this.request.decisions).hasSize(3);
			});
	}

	@ParameterizedTest
	@MethodSource
	void callWithoutKeyFailsAndSaysWhere(Consumer<Keys> call, String message) {
		run((keys) -> {
			Throwable failure = CallOutcome.of(() -> {
				call.accept(keys);
				return null;
			}).thrown();
			assertThat(failure).isExactlyInstanceOf(RateLimitKeyException.class).hasMessage(message);
			assertThat(keys.runs()).isZero();
		});
		assertThat(this.store.asked()).isEmpty();
	}

	static Stream<Arguments> callWithoutKeyFailsAndSaysWhere() {
		return Stream.of(arguments((keys) -> keys.user(null), """
				The key of rule "keys-user" on Keys.user(String) has no value: #userId is null in \
				"#userId + ':reply'". Make sure that it has one, or write a substitute: (#userId ?: 'nobody')."""),
				arguments((keys) -> keys.header(Map.of()),
						"""
								The key of rule "keys-header" on Keys.header(Map) has no value: "#headers['X-Api-Key']" is \
								null. Make sure that it has one, or write a substitute: (#headers['X-Api-Key'] ?: 'nobody')."""),
				arguments(Keys::address, """
						The key of rule "keys-address" on Keys.address() has no value: "ip" cannot be evaluated: 'ip' \
						is known inside a web request only. Make sure that it has one, or write a substitute: \
						(ip ?: 'nobody')."""), arguments((keys) -> keys.part(null), """
						The key of rule "keys-part" on Keys.part(List) has no value: "#parts.get(0)" cannot be \
						evaluated: EL1011E: Method call: Attempted to call method get(java.lang.Integer) on null \
						context object. Make sure that it has one, or write a substitute: (#parts.get(0) ?: \
						'nobody')."""));
	}

	private static Arguments arguments(Consumer<Keys> call, String message) {
		return Arguments.of(call, message);
	}

	@Test
	void messageNeverContainsTheValueOfAKey() {
		run((keys) -> {
			Throwable failure = CallOutcome.of(() -> keys.partly("secret", null)).thrown();
			assertThat(failure).isExactlyInstanceOf(RateLimitKeyException.class);
			assertThat(failure.toString()).contains("#text").doesNotContain("secret");
		});
	}

	@Test
	void missingKeyIsAFailedStageOrAnErrorSignal() {
		run((keys) -> {
			CallOutcome stage = CallOutcome.of(() -> keys.stage(null));
			CallOutcome mono = CallOutcome.of(() -> keys.mono(null));
			assertThat(stage.failure()).isExactlyInstanceOf(RateLimitKeyException.class);
			assertThat(mono.failure()).isExactlyInstanceOf(RateLimitKeyException.class);
			assertThat(keys.runs()).isZero();
		});
	}

	@Test
	void ownExceptionOfABeanComesOutAsItIs() {
		LimitedContext.with(this.store, Keys.class).withBean("names", Names.class).run((context) -> {
			Keys keys = context.getBean(Keys.class);
			assertThatIllegalStateException().isThrownBy(() -> keys.bean("")).withMessage("no such user");
		});
	}

	private void run(Consumer<Keys> test) {
		LimitedContext.with(this.store, Keys.class)
			.withBean("names", Names.class)
			.run((context) -> test.accept(context.getBean(Keys.class)));
	}

	static class Names {

		public String nick(String name) {
			if (name.isEmpty()) {
				throw new IllegalStateException("no such user");
			}
			return "nick of " + name;
		}

	}

	static class Keys {

		private int runs;

		int runs() {
			return this.runs;
		}

		@RateLimited(max = 5, period = 60)
		public void none() {
		}

		@RateLimited(key = "#userId + ':reply'", max = 5, period = 60)
		public void user(String userId) {
			this.runs++;
		}

		@RateLimited(key = "#userId + ':' + #text", max = 5, period = 60)
		public String partly(String userId, String text) {
			return "";
		}

		@RateLimited(key = "@names.nick(#userId)", max = 5, period = 60)
		public void bean(String userId) {
			this.runs++;
		}

		@RateLimited(key = "#headers['X-Api-Key']", max = 5, period = 60)
		public void header(Map<String, String> headers) {
			this.runs++;
		}

		@RateLimited(key = "#parts.get(0)", max = 5, period = 60)
		public void part(List<String> parts) {
			this.runs++;
		}

		@RateLimited(key = "ip", max = 5, period = 60)
		public void address() {
			this.runs++;
		}

		@RateLimited(key = "#userId", max = 5, period = 60)
		public CompletableFuture<String> stage(String userId) {
			this.runs++;
			return CompletableFuture.completedFuture("");
		}

		@RateLimited(key = "#userId", max = 5, period = 60)
		public Mono<String> mono(String userId) {
			this.runs++;
			return Mono.just("");
		}

	}

}
