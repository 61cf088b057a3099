package io.github.ratelimit.interceptor;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.stream.Stream;

import io.github.ratelimit.MissingKeyPartException;
import io.github.ratelimit.RateLimitKeyException;
import io.github.ratelimit.annotation.RateLimited;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import reactor.core.publisher.Mono;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Keys of calls. A missing key is an error, never a counter shared by strangers.
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
	void claimWithoutElementsIsMissing(Object claim) {
		this.request.claims.put("tenants", claim);
		LimitedContext.with(this.store, Keys.class)
			.withBean("names", Names.class)
			.withBean(CallContextSource.class, () -> () -> this.request)
			.run((context) -> {
				Keys keys = context.getBean(Keys.class);
				assertThat(Stream.<Runnable>of(keys::claim, keys::claimPart))
					.allSatisfy((call) -> assertThatExceptionOfType(MissingKeyPartException.class).isThrownBy(call::run)
						.satisfies((failure) -> assertThat(failure.part()).isEqualTo("claim tenants")));
				assertThat(this.store.demands()).isEmpty();
			});
	}

	static Stream<Arguments> claimWithoutElementsIsMissing() {
		return Stream.<Object>of("", List.of(), Set.of(), Map.of(), new String[0], new int[0])
			.map((claim) -> Arguments.of(claim));
	}

	@ParameterizedTest
	@MethodSource
	void callWithoutKeyFailsAndNamesThePlace(Consumer<Keys> call, String message) {
		run((keys) -> {
			Throwable failure = CallOutcome.of(() -> {
				call.accept(keys);
				return null;
			}).thrown();
			assertThat(failure).isExactlyInstanceOf(RateLimitKeyException.class).hasMessage(message);
			assertThat(keys.runs()).isZero();
		});
		assertThat(this.store.demands()).isEmpty();
	}

	static Stream<Arguments> callWithoutKeyFailsAndNamesThePlace() {
		return Stream.of(arguments((keys) -> keys.user(null), """
				The key of rule "keys-user" on Keys.user(String) has no value: #userId is null in \
				"#userId + ':reply'". Make sure that it has a value, or write a substitute: (#userId ?: 'nobody')."""),
				arguments((keys) -> keys.header(Map.of()),
						"""
								The key of rule "keys-header" on Keys.header(Map) has no value: "#headers['X-Api-Key']" is \
								null. Make sure that it has a value, or write a substitute: (#headers['X-Api-Key'] ?: 'nobody')."""),
				arguments(Keys::address, """
						The key of rule "keys-address" on Keys.address() has no value: "ip" cannot be evaluated: 'ip' \
						is known inside a web request only. For calls outside of one, write a substitute: \
						(ip ?: 'nobody')."""),
				arguments((keys) -> keys.part(null),
						"""
								The key of rule "keys-part" on Keys.part(List) has no value: "#parts.get(0)" cannot be \
								evaluated: EL1011E: Method call: Attempted to call method get(java.lang.Integer) on null \
								context object. After a value that may be null, write ?. instead of a dot, and a default for the \
								whole expression: (#user?.name ?: 'nobody')."""),
				arguments((keys) -> keys.size("x"), """
						The key of rule "keys-size" on Keys.size(Object) has no value: "#user.size" cannot be \
						evaluated: EL1008E: Property or field 'size' cannot be found on object of type \
						'java.lang.String' - maybe not public or not valid? Names behind a dot and those of beans and \
						types are looked up when the expression is evaluated: correct what it could not find."""),
				arguments((keys) -> keys.size(null),
						"""
								The key of rule "keys-size" on Keys.size(Object) has no value: "#user.size" cannot be \
								evaluated: EL1007E: Property or field 'size' cannot be found on null. After a value that may be \
								null, write ?. instead of a dot, and a default for the whole expression: (#user?.name ?: 'nobody')."""),
				arguments((keys) -> keys.optional(Optional.empty()), """
						The key of rule "keys-optional" on Keys.optional(Object) has no value: "#user" is null. Make \
						sure that it has a value, or write a substitute: (#user ?: 'nobody')."""),
				arguments((keys) -> keys.optional(OptionalLong.empty()), """
						The key of rule "keys-optional" on Keys.optional(Object) has no value: "#user" is null. Make \
						sure that it has a value, or write a substitute: (#user ?: 'nobody')."""),
				arguments((keys) -> keys.optionalPart(Optional.empty()), """
						The key of rule "keys-optional-part" on Keys.optionalPart(Object) has no value: #user is null \
						in "#user + ':reply'". Make sure that it has a value, or write a substitute: (#user ?: \
						'nobody')."""),
				arguments((keys) -> keys.optional(Arrays.asList("acme", null)),
						"""
								The key of rule "keys-optional" on Keys.optional(Object) has no value: "#user" contains null. \
								Make sure that each element has a value, or write a substitute for it: (#userId ?: 'nobody')."""),
				arguments((keys) -> keys.optional(List.of(Optional.empty(), "doc")),
						"""
								The key of rule "keys-optional" on Keys.optional(Object) has no value: "#user" contains null. \
								Make sure that each element has a value, or write a substitute for it: (#userId ?: 'nobody')."""),
				arguments((keys) -> keys.optional(List.of(Arrays.asList((Object) null), "doc")),
						"""
								The key of rule "keys-optional" on Keys.optional(Object) has no value: "#user" contains null. \
								Make sure that each element has a value, or write a substitute for it: (#userId ?: 'nobody')."""),
				arguments((keys) -> keys.optionalPart(new String[] { null }), """
						The key of rule "keys-optional-part" on Keys.optionalPart(Object) has no value: #user in \
						"#user + ':reply'" contains null. Make sure that each element has a value, or write a \
						substitute for it: (#userId ?: 'nobody')."""),
				arguments((keys) -> keys.optional(new Nameless()),
						"""
								The key of rule "keys-optional" on Keys.optional(Object) has no text of its own: "#user" is \
								or contains a io.github.ratelimit.interceptor.KeyTests$Nameless, whose text differs for \
								every object, so no call would be limited. Write one of its properties, #user.id for example, or \
								give the class a toString()."""),
				arguments((keys) -> keys.optionalPart(new Nameless()),
						"""
								The key of rule "keys-optional-part" on Keys.optionalPart(Object) has no text of its own: #user \
								in "#user + ':reply'" is or contains a io.github.ratelimit.interceptor.KeyTests$Nameless, whose \
								text differs for every object, so no call would be limited. Write one of its properties, \
								#user.id for example, or give the class a toString()."""),
				arguments((keys) -> keys.optional(Mono.just("laoqian")), """
						The key of rule "keys-optional" on Keys.optional(Object) has no value yet: "#user" is a \
						reactor.core.publisher.MonoJust, which has its value later. Counters are chosen before a \
						call begins: write an expression that returns the value itself."""),
				arguments((keys) -> keys.optionalPart(CompletableFuture.completedFuture("laoqian")),
						"""
								The key of rule "keys-optional-part" on Keys.optionalPart(Object) has no value yet: #user in \
								"#user + ':reply'" is a java.util.concurrent.CompletableFuture, which has its value later. \
								Counters are chosen before a call begins: write an expression that returns the value itself."""));
	}

	private static Arguments arguments(Consumer<Keys> call, String message) {
		return Arguments.of(call, message);
	}

	/**
	 * The substitute is the one recommended by the message about a missing request.
	 */
	@Test
	void requestPartsHaveASubstituteOutsideOfARequest() {
		run((keys) -> {
			keys.addressOrNobody();
			keys.addressPartOrNobody();
			keys.lowerAddressOrNobody();
		});
		assertThat(this.store.keys()).containsExactly("nobody", "nobody", "nobody");
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

	static class Nameless {

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

		@RateLimited(key = "#user.size", max = 5, period = 60)
		public void size(Object user) {
			this.runs++;
		}

		@RateLimited(key = "ip", max = 5, period = 60)
		public void address() {
			this.runs++;
		}

		@RateLimited(key = "claim('tenants')", max = 5, period = 60)
		public void claim() {
			this.runs++;
		}

		@RateLimited(key = "claim('tenants') + ':reply'", max = 5, period = 60)
		public void claimPart() {
			this.runs++;
		}

		@RateLimited(key = "#user", max = 5, period = 60)
		public void optional(Object user) {
			this.runs++;
		}

		@RateLimited(key = "#user + ':reply'", max = 5, period = 60)
		public void optionalPart(Object user) {
			this.runs++;
		}

		@RateLimited(key = "(ip ?: 'nobody')", max = 5, period = 60)
		public void addressOrNobody() {
		}

		@RateLimited(key = "(ip ?: 'Nobody').toLowerCase()", max = 5, period = 60)
		public void lowerAddressOrNobody() {
		}

		@RateLimited(key = "ip + ':reply' ?: 'nobody'", max = 5, period = 60)
		public void addressPartOrNobody() {
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
