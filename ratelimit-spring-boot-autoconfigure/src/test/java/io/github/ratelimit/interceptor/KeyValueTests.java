package io.github.ratelimit.interceptor;

import java.util.AbstractMap.SimpleEntry;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;

import io.github.ratelimit.RateLimitKeyException;
import io.github.ratelimit.annotation.RateLimited;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Values of keys: what an {@link Optional} holds counts, and only a text that is the same
 * for equal values.
 */
class KeyValueTests {

	private final CountingStore store = new CountingStore();

	@ParameterizedTest
	@MethodSource
	void optionalCountsAsItsValue(Object user, String key) {
		run((keys) -> {
			keys.optional(user);
			keys.optionalPart(user);
			keys.substituted(user);
		});
		assertThat(this.store.keys()).containsExactly(key, key + ":reply", key);
	}

	static Stream<Arguments> optionalCountsAsItsValue() {
		return Stream.of(Arguments.of(Optional.of("laoqian"), "laoqian"), Arguments.of(Optional.of(42L), "42"),
				Arguments.of(OptionalInt.of(7), "7"), Arguments.of(OptionalLong.of(8), "8"),
				Arguments.of(OptionalDouble.of(0.5), "0.5"), Arguments.of(Optional.of(Optional.of("x")), "x"));
	}

	@Test
	void choiceOfAKeyHasTheSubstituteOfItsValue() {
		run((keys) -> {
			keys.chosen(false, Optional.empty());
			keys.chosen(false, Optional.of("laoqian"));
			keys.chosen(true, null);
			keys.choosesAddress(false);
		});
		assertThat(this.store.keys()).containsExactly("nobody", "laoqian", "vip", "nobody");
	}

	@Test
	void emptyOptionalHasASubstitute() {
		run((keys) -> {
			keys.substituted(Optional.empty());
			keys.substituted(OptionalInt.empty());
			keys.substituted(null);
			keys.lower(Optional.empty());
			keys.lower(Optional.of("Ann"));
		});
		assertThat(this.store.keys()).containsExactly("nobody", "nobody", "nobody", "nobody", "ann");
	}

	@ParameterizedTest
	@MethodSource
	void valueWhoseTextIsItsIdentityIsRefused(Object user) {
		run((keys) -> {
			for (Consumer<Keys> call : List.<Consumer<Keys>>of((called) -> called.optional(user),
					(called) -> called.optionalPart(user), (called) -> called.substituted(user))) {
				assertThat(CallOutcome.of(() -> {
					call.accept(keys);
					return null;
				}).thrown()).isExactlyInstanceOf(RateLimitKeyException.class)
					.hasMessageContaining("has no text of its own");
			}
		});
		assertThat(this.store.demands()).isEmpty();
	}

	static Stream<Object> valueWhoseTextIsItsIdentityIsRefused() {
		Runnable lambda = () -> {
		};
		return Stream.of(new Nameless(), new Object(), lambda, Optional.of(new Nameless()), List.of(new Nameless()),
				List.of("x", new int[] { 1 }), Map.of("x", new Nameless()),
				Arguments.of((Object) new Object[] { "x", new Nameless() }), new int[][] { { 1 }, { 2 } },
				new Parts("x", new Nameless()), new Parts("x", new int[] { 1 }),
				new Parts("x", List.of(new Nameless())), new Parts("x", new Parts("y", new Nameless())),
				new Parts("x", Optional.of(new Nameless())), List.of(new Parts("x", new Nameless())),
				new SimpleEntry<>("k", new Nameless()), new SimpleEntry<>(new Nameless(), "v"),
				Map.entry("k", new int[] { 1 }));
	}

	@Test
	void valueWithATextOfItsOwnIsAKey() {
		run((keys) -> List
			.of(new Named(), TimeUnit.SECONDS, List.of("x", 1), new int[] { 1, 2 }, new StringBuilder("sb"),
					UUID.fromString("6b1c2d3e-0000-4000-8000-000000000001"), new Box(3), new Parts("x", List.of(1)),
					new Parts("x", null), new Tenant("t", new Nameless()), new SimpleEntry<>("k", 1))
			.forEach(keys::optional));
		assertThat(this.store.keys()).containsExactly("named", "SECONDS", "[x, 1]", "{1, 2}", "sb",
				"6b1c2d3e-0000-4000-8000-000000000001", "Box[content=3]", "Parts[id=x, other=[1]]",
				"Parts[id=x, other=null]", "tenant t", "k=1");
	}

	private void run(Consumer<Keys> test) {
		LimitedContext.with(this.store, Keys.class).run((context) -> test.accept(context.getBean(Keys.class)));
	}

	static class Nameless {

	}

	static class Named extends Nameless {

		@Override
		public String toString() {
			return "named";
		}

	}

	record Box(int content) {

	}

	record Parts(String id, Object other) {

	}

	/**
	 * Record whose key text leaves out components without a text of their own.
	 */
	record Tenant(String id, Nameless connection) {

		@Override
		public String toString() {
			return "tenant " + this.id;
		}

	}

	static class Keys {

		@RateLimited(key = "#user", max = 5, period = 60)
		public void optional(Object user) {
		}

		@RateLimited(key = "#user + ':reply'", max = 5, period = 60)
		public void optionalPart(Object user) {
		}

		@RateLimited(key = "#vip ? 'vip' : (#user ?: 'nobody')", max = 5, period = 60)
		public void chosen(boolean vip, Object user) {
		}

		@RateLimited(key = "#vip ? 'vip' : (ip ?: 'nobody')", max = 5, period = 60)
		public void choosesAddress(boolean vip) {
		}

		@RateLimited(key = "(#user ?: 'Nobody').toLowerCase()", max = 5, period = 60)
		public void lower(Object user) {
		}

		@RateLimited(key = "#user ?: 'nobody'", max = 5, period = 60)
		public void substituted(Object user) {
		}

	}

}
