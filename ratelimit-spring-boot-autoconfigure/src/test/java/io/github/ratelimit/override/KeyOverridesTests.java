package io.github.ratelimit.override;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.InvalidAttributeException;
import io.github.ratelimit.KeyOverride;
import io.github.ratelimit.Limit;
import io.github.ratelimit.OnStoreFailure;
import io.github.ratelimit.RateLimitConfigurationException;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.RateLimiterUnavailableException;
import io.github.ratelimit.TooManyOverridesException;
import io.github.ratelimit.engine.RateLimitEngine;
import io.github.ratelimit.engine.RecordedLog;
import io.github.ratelimit.engine.RuleRegistry;
import io.github.ratelimit.store.StoreException;
import io.github.ratelimit.store.local.LocalFallbackStore;
import io.github.ratelimit.store.local.LocalRateLimitStore;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

/**
 * Instances that share overrides of keys in one store, whose clock is given.
 */
class KeyOverridesTests {

	private static final Instant NOW = Instant.parse("2026-11-22T08:30:00.123Z");

	private final AtomicLong storeClock = new AtomicLong(NOW.toEpochMilli() * 1000);

	private final SharedStore store = new SharedStore(this.storeClock);

	private final Instance here = new Instance(this.store, 5_000);

	private final Instance there = new Instance(this.store, 1_000_000_000);

	@Test
	void overrideIsInForceHereAtOnceAndElsewhereWhenItIsRead() {
		this.here.limiter.override("acme", KeyOverride.max(9).lasting(Duration.ofDays(7)));
		KeyOverride stored = KeyOverride.max(9).until(NOW.plus(Duration.ofDays(7)));
		assertThat(this.here.limiter.overrides()).isEqualTo(Map.of("acme", stored));
		assertThat(this.here.limiter.peek("acme").limit()).isEqualTo(9);
		assertThat(this.there.limiter.overrides()).isEmpty();
		this.there.overrides.read();
		assertThat(this.there.limiter.overrides()).isEqualTo(Map.of("acme", stored));
		assertThat(this.there.limiter.peek("acme").limit()).isEqualTo(9);
	}

	@Test
	void overrideEndsEverywhereByTheClockOfTheStoreAndIsRemovedFromIt() {
		this.here.limiter.override("acme", KeyOverride.blocked().lasting(Duration.ofHours(1)));
		this.here.limiter.override("other", KeyOverride.blocked());
		this.there.overrides.read();
		for (Instance each : List.of(this.here, this.there)) {
			each.clock.addAndGet(Duration.ofHours(1).toMillis() * 1000 - 1);
			assertThat(each.limiter.peek("acme").allowed()).isFalse();
			each.clock.addAndGet(1);
			assertThat(each.limiter.peek("acme").allowed()).isTrue();
			assertThat(each.limiter.overrides()).containsOnlyKeys("other");
		}
		assertThat(this.store.read("search")).containsOnlyKeys("acme", "other");
		this.storeClock.addAndGet(Duration.ofHours(1).toMillis() * 1000);
		this.there.overrides.read();
		assertThat(this.store.read("search")).containsOnlyKeys("other");
	}

	@Test
	void clockThatDriftsApartIsFollowed() {
		this.here.limiter.override("acme", KeyOverride.blocked().lasting(Duration.ofHours(1)));
		this.storeClock.addAndGet(Duration.ofMinutes(59).toMillis() * 1000);
		this.here.overrides.read();
		assertThat(this.here.limiter.peek("acme").retryAfter()).isEqualTo(Duration.ofMinutes(1));
	}

	@Test
	void overrideThatReplacesOneWithAnEndOutlivesThat() {
		this.here.limiter.override("acme", KeyOverride.blocked().lasting(Duration.ofHours(1)));
		this.here.limiter.override("acme", KeyOverride.unlimited());
		this.storeClock.addAndGet(Duration.ofHours(2).toMillis() * 1000);
		this.here.overrides.read();
		assertThat(this.here.limiter.overrides()).isEqualTo(Map.of("acme", KeyOverride.unlimited()));
		assertThat(this.store.read("search")).containsOnlyKeys("acme");
	}

	@Test
	void overrideMayHaveAnEndInsteadOfATime() {
		KeyOverride override = KeyOverride.blocked().until(NOW.plusSeconds(3));
		this.here.limiter.override("acme", override);
		assertThat(this.here.limiter.overrides()).isEqualTo(Map.of("acme", override));
	}

	@Test
	void removedOverrideIsGone() {
		assertThat(this.here.limiter.removeOverride("acme")).isFalse();
		this.there.limiter.override("acme", KeyOverride.max(9));
		assertThat(this.here.limiter.removeOverride("acme")).isTrue();
		assertThat(this.here.limiter.removeOverride("acme")).isFalse();
		this.there.overrides.read();
		assertThat(this.there.limiter.overrides()).isEmpty();
		assertThat(this.there.limiter.peek("acme").limit()).isEqualTo(5);
	}

	@Test
	void onlyChangedKeysAreReadAgain() {
		this.there.overrides.read();
		for (int i = 0; i < 300; i++) {
			this.here.limiter.override("key " + i, KeyOverride.max(9));
		}
		this.there.overrides.read();
		int wholeReadings = this.store.wholeReadings;
		this.store.keysRead = 0;
		this.here.limiter.override("key 7", KeyOverride.max(8));
		this.here.limiter.removeOverride("key 8");
		this.store.keysRead = 0;
		this.there.overrides.read();
		assertThat(this.there.limiter.overrides()).hasSize(299)
			.containsEntry("key 7", KeyOverride.max(8))
			.doesNotContainKey("key 8");
		assertThat(this.store.keysRead).isEqualTo(2);
		assertThat(this.store.wholeReadings).isEqualTo(wholeReadings);
	}

	@Test
	void instanceThatHasMissedManyChangesReadsEverything() {
		this.here.limiter.override("first", KeyOverride.max(9));
		this.there.overrides.read();
		this.here.limiter.removeOverride("first");
		for (int i = 0; i < 1_500; i++) {
			this.here.limiter.override("key " + i, KeyOverride.max(9));
		}
		this.there.overrides.read();
		assertThat(this.there.limiter.overrides()).hasSize(1_500).doesNotContainKey("first");
	}

	@Test
	void overridesOfARuleThatIsNewHereAreRead() {
		this.here.registry.register(RateLimitRule.named("late").limit(1, Duration.ofHours(1)).build())
			.override("acme", KeyOverride.max(9));
		this.there.overrides.read();
		RateLimiter late = this.there.registry
			.register(RateLimitRule.named("late").limit(1, Duration.ofHours(1)).build());
		this.there.overrides.read();
		assertThat(late.peek("acme").limit()).isEqualTo(9);
	}

	@Test
	void storeThatCannotAnswerChangesNothingAndWhatIsKnownEndsOnTime() {
		this.here.limiter.override("acme", KeyOverride.blocked().lasting(Duration.ofHours(1)));
		this.store.failure = new StoreException("gone", null);
		assertThatExceptionOfType(RateLimiterUnavailableException.class)
			.isThrownBy(() -> this.here.limiter.override("acme", KeyOverride.unlimited()))
			.withMessage("The store did not confirm the change of rate limit \"search\"; it may still take effect");
		assertThatExceptionOfType(RateLimiterUnavailableException.class)
			.isThrownBy(() -> this.here.limiter.removeOverride("acme"))
			.withMessage("The store did not confirm the change of rate limit \"search\"; it may still take effect");
		assertThatExceptionOfType(StoreException.class).isThrownBy(() -> this.here.overrides.read());
		assertThat(this.here.limiter.peek("acme").allowed()).isFalse();
		this.here.clock.addAndGet(Duration.ofHours(1).toMillis() * 1000);
		assertThat(this.here.limiter.peek("acme").allowed()).isTrue();
	}

	@Test
	void noMoreThanTenThousandKeysOfARuleAreOverridden() {
		this.here.limiter.override("ends", KeyOverride.unlimited().lasting(Duration.ofSeconds(1)));
		for (int i = 1; i < KeyOverrideStore.MOST_PER_RULE; i++) {
			this.store.replace("search", "key " + i, null, KeyOverrideText.of(KeyOverride.max(9)));
		}
		assertThatExceptionOfType(TooManyOverridesException.class)
			.isThrownBy(() -> this.here.limiter.override("another", KeyOverride.max(9)))
			.withMessageContainingAll("Rule \"search\" has 10000 overrides of keys", "Nothing was changed. Remove");
		this.here.limiter.override("key 1", KeyOverride.max(8));
		this.here.registry.limiter("sms").override("another", KeyOverride.max("day", 8));
		this.storeClock.addAndGet(1_000_000);
		this.here.limiter.override("another", KeyOverride.max(9));
		assertThat(this.here.limiter.overrides()).hasSize(10_000).containsKey("another").doesNotContainKey("ends");
	}

	@Test
	void changeIsAddedToAnEarlierOverrideAndRepeatedAfterAConcurrentOne() {
		this.here.overrides.change("sms", "acme", (earlier) -> KeyOverride.max("day", 20));
		this.store.overtaking = () -> this.there.overrides.change("sms", "acme", (earlier) -> earlier.and("minute", 3));
		this.here.overrides.change("sms", "acme", (earlier) -> earlier.and("day", 30));
		assertThat(this.here.overrides.of("sms"))
			.isEqualTo(Map.of("acme", KeyOverride.max("day", 30).and("minute", 3)));
	}

	@Test
	void overrideThatTheRuleCannotFollowIsRefused() {
		assertThatExceptionOfType(RateLimitConfigurationException.class)
			.isThrownBy(() -> this.here.limiter.override("acme", KeyOverride.max(20_000)));
		assertThatExceptionOfType(RateLimitConfigurationException.class).isThrownBy(() -> KeyOverride.max(0));
		assertThatExceptionOfType(IllegalArgumentException.class)
			.isThrownBy(() -> this.here.overrides.override("serach", "acme", KeyOverride.unlimited()));
		for (String key : List.of("k".repeat(1_001), "\ud83d")) {
			assertThatExceptionOfType(InvalidAttributeException.class)
				.isThrownBy(() -> this.here.limiter.override(key, KeyOverride.unlimited()))
				.withMessageContaining("only well-formed keys of up to 1000 characters can be overridden.");
		}
		for (Duration time : List.of(Duration.ZERO, Duration.ofDays(367), Duration.ofNanos(1), Duration.ofDays(-1),
				Duration.ofSeconds(Long.MAX_VALUE), Duration.ofSeconds(Long.MIN_VALUE))) {
			assertThatExceptionOfType(InvalidAttributeException.class)
				.isThrownBy(() -> KeyOverride.blocked().lasting(time))
				.withMessageContaining("it has to be between 1 ms and 366 days.");
		}
		for (Instant end : List.of(Instant.MAX, Instant.MIN, Instant.parse("+10000-01-01T00:00:00Z"),
				Instant.EPOCH.minusMillis(1))) {
			assertThatExceptionOfType(InvalidAttributeException.class)
				.isThrownBy(() -> KeyOverride.blocked().until(end))
				.withMessageContaining("it has to be between the years 1970 and 9999.");
		}
		assertThat(this.store.read("search")).isEmpty();
	}

	@Test
	void overrideThatIsNullIsRefused() {
		assertThatNullPointerException().isThrownBy(() -> this.here.limiter.override("acme", null))
			.withMessage("The override must not be null; to remove the override of a key, use removeOverride");
		assertThatNullPointerException().isThrownBy(() -> this.here.limiter.withPlan("pro").override("acme", null))
			.withMessageStartingWith("The override must not be null");
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "max", "max=", "max=many", "blocked max=3", "until=1", "until=soon blocked",
			"until=9223372036854775807 blocked", "maxx=3" })
	void invalidTextIsReportedAndCanBeReplaced(String text) {
		try (RecordedLog log = new RecordedLog(AppliedKeyOverrides.class)) {
			this.store.replace("search", "acme", null, new KeyOverrideText(text, null, null));
			this.here.overrides.read();
			assertThat(log.lines()).singleElement()
				.asString()
				.startsWith("SEVERE The stored override \"" + text + "\" of a key of the rate limit rule \"search\"");
			assertThat(this.here.limiter.peek("acme").limit()).isEqualTo(5);
			this.here.limiter.override("acme", KeyOverride.max(9));
			assertThat(this.here.limiter.peek("acme").limit()).isEqualTo(9);
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "max=900", "day.max=900 minute.max=60", "blocked", "unlimited" })
	void textIsWrittenAsItIsRead(String words) {
		KeyOverride override = KeyOverrideText.read("until=1795248000123 " + words);
		assertThat(override.until()).isEqualTo(Instant.ofEpochMilli(1_795_248_000_123L));
		assertThat(KeyOverrideText.of(override).at(0)).isEqualTo("until=1795248000123 " + words);
		assertThat(KeyOverrideText.of(KeyOverrideText.read(words)).at(0)).isEqualTo(words);
	}

	/**
	 * Instance of the application with a clock of its own.
	 */
	private static final class Instance {

		private final AtomicLong clock;

		private final RuleRegistry registry;

		private final KeyOverrides overrides;

		private final RateLimiter limiter;

		private Instance(KeyOverrideStore store, long now) {
			this.clock = new AtomicLong(now);
			RateLimitEngine engine = new RateLimitEngine(new LocalRateLimitStore(100), () -> OnStoreFailure.LOCAL,
					new LocalFallbackStore(100, 1));
			this.registry = new RuleRegistry(engine, Algorithm.SLIDING_LOG, List.of());
			this.limiter = this.registry.register(RateLimitRule.named("search").limit(5, Duration.ofHours(1)).build());
			this.registry.register(RateLimitRule.named("sms")
				.limit(Limit.of(1, Duration.ofMinutes(1)).withName("minute"))
				.limit(Limit.of(5, Duration.ofDays(1)).withName("day"))
				.build());
			this.overrides = new KeyOverrides(this.registry, engine.keys(), store, this.clock::get);
			engine.keys().writeOverridesBy(() -> this.overrides);
		}

	}

	private static final class SharedStore implements KeyOverrideStore {

		private final LocalKeyOverrideStore kept;

		private @Nullable RuntimeException failure;

		private @Nullable Runnable overtaking;

		private int wholeReadings;

		private int keysRead;

		SharedStore(AtomicLong clock) {
			this.kept = new LocalKeyOverrideStore(clock::get);
		}

		private void check() {
			if (this.failure != null) {
				throw this.failure;
			}
		}

		@Override
		public KeyOverrideChanges changes(String knownVersion) {
			check();
			return this.kept.changes(knownVersion);
		}

		@Override
		public Map<String, String> read(String rule) {
			check();
			this.wholeReadings++;
			return this.kept.read(rule);
		}

		@Override
		public Map<String, String> read(String rule, Collection<String> keys) {
			check();
			this.keysRead += keys.size();
			return this.kept.read(rule, keys);
		}

		@Override
		public Result replace(String rule, String key, @Nullable String expected, @Nullable KeyOverrideText change) {
			check();
			Runnable first = this.overtaking;
			this.overtaking = null;
			if (first != null) {
				first.run();
			}
			return this.kept.replace(rule, key, expected, change);
		}

		@Override
		public void removeEnded(String rule, Collection<String> keys) {
			check();
			this.kept.removeEnded(rule, keys);
		}

		@Override
		public boolean isShared() {
			return true;
		}

	}

}
