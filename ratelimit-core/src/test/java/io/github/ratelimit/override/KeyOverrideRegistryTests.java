package io.github.ratelimit.override;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;

import io.github.ratelimit.KeyOverride;
import io.github.ratelimit.RateLimitConfigurationException;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.RateLimiterUnavailableException;
import io.github.ratelimit.Retained;
import io.github.ratelimit.TooManyOverridesException;
import io.github.ratelimit.store.StoreException;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Instances that share overrides of keys in one store, whose clock is given.
 */
class KeyOverrideRegistryTests {

	private static final Instant NOW = Instant.parse("2026-11-22T08:30:00.123Z");

	private final AtomicLong storeClock = new AtomicLong(NOW.toEpochMilli() * 1000);

	private final SharedOverrideStore store = new SharedOverrideStore(this.storeClock::get);

	private final OverridingInstance here = new OverridingInstance(this.store, 5_000);

	private final OverridingInstance there = new OverridingInstance(this.store, 1_000_000_000);

	@Test
	void overrideIsInForceHereAtOnceAndElsewhereWhenItIsRead() {
		this.here.limiter.override("acme", KeyOverride.max(9).lasting(Duration.ofDays(7)));
		KeyOverride stored = KeyOverride.max(9).until(NOW.plus(Duration.ofDays(7)));
		assertThat(this.here.limiter.overrides()).isEqualTo(Map.of("acme", stored));
		assertThat(this.here.limiter.peek("acme").limit()).isEqualTo(9);
		assertThat(this.there.limiter.overrides()).isEmpty();
		this.there.overrides.applied().read();
		assertThat(this.there.limiter.overrides()).isEqualTo(Map.of("acme", stored));
		assertThat(this.there.limiter.peek("acme").limit()).isEqualTo(9);
	}

	@Test
	void overrideEndsEverywhereByTheClockOfTheStoreAndIsRemovedFromIt() {
		this.here.limiter.override("acme", KeyOverride.blocked().lasting(Duration.ofHours(1)));
		this.here.limiter.override("other", KeyOverride.blocked());
		this.there.overrides.applied().read();
		for (OverridingInstance each : List.of(this.here, this.there)) {
			each.clock.addAndGet(Duration.ofHours(1).toMillis() * 1000 - 1);
			assertThat(each.limiter.peek("acme").allowed()).isFalse();
			each.clock.addAndGet(1);
			assertThat(each.limiter.peek("acme").allowed()).isTrue();
			assertThat(each.limiter.overrides()).containsOnlyKeys("other");
		}
		assertThat(this.store.read("search")).containsOnlyKeys("acme", "other");
		this.storeClock.addAndGet(Duration.ofHours(1).plusSeconds(1).toMillis() * 1000);
		this.there.overrides.applied().read();
		assertThat(this.store.read("search")).containsOnlyKeys("other");
	}

	@Test
	void overrideThatCouldNotBeRemovedIsRemovedLater() {
		this.here.limiter.override("acme", KeyOverride.blocked().lasting(Duration.ofHours(1)));
		this.storeClock.addAndGet(Duration.ofHours(2).toMillis() * 1000);
		this.store.removalFailure = new StoreException("gone", null);
		assertThatExceptionOfType(StoreException.class).isThrownBy(() -> this.here.overrides.applied().read());
		this.store.removalFailure = null;
		this.here.overrides.applied().read();
		assertThat(this.store.read("search")).isEmpty();
	}

	@Test
	void overrideIsRemovedOnlyAfterItHasEndedInTheStoreToo() {
		this.here.limiter.override("acme", KeyOverride.blocked().lasting(Duration.ofHours(1)));
		this.storeClock.addAndGet(Duration.ofHours(1).toMillis() * 1000 - 1);
		this.store.overestimate = Duration.ofMillis(100);
		this.here.overrides.applied().read();
		this.store.overestimate = Duration.ZERO;
		this.storeClock.addAndGet(Duration.ofSeconds(2).toMillis() * 1000);
		this.here.overrides.applied().read();
		assertThat(this.store.read("search")).isEmpty();
	}

	@Test
	void overrideThatHasEndedIsNeitherRemovedByAnybodyNorPartOfAChange() {
		this.here.limiter.override("acme", KeyOverride.blocked().lasting(Duration.ofHours(1)));
		this.storeClock.addAndGet(Duration.ofHours(1).toMillis() * 1000);
		assertThat(this.store.read("search")).containsOnlyKeys("acme");
		this.here.overrides.change("search", "acme", (earlier) -> KeyOverride.max(9).lasting(Duration.ofHours(1)),
				"ann");
		assertThat(this.store.latestChanges()).extracting("from").containsExactly("", "");
		this.storeClock.addAndGet(Duration.ofHours(1).toMillis() * 1000 - 1_000);
		this.here.overrides.change("search", "acme", (earlier) -> earlier.and("", 8).lasting(Duration.ofHours(1)),
				"ann");
		this.storeClock.addAndGet(Duration.ofHours(1).toMillis() * 1000);
		assertThat(this.here.overrides.remove("search", "acme", "ann")).isFalse();
		assertThat(this.store.read("search")).isEmpty();
		assertThat(this.store.latestChanges()).hasSize(3).first().extracting("from").asString().endsWith(" max=9");
	}

	@Test
	void clockThatDriftsApartIsFollowed() {
		this.here.limiter.override("acme", KeyOverride.blocked().lasting(Duration.ofHours(1)));
		this.storeClock.addAndGet(Duration.ofMinutes(59).toMillis() * 1000);
		this.here.overrides.applied().read();
		assertThat(this.here.limiter.peek("acme").retryAfter()).isEqualTo(Duration.ofMinutes(1));
	}

	@Test
	void overrideThatReplacesOneWithAnEndOutlivesThat() {
		this.here.limiter.override("acme", KeyOverride.blocked().lasting(Duration.ofHours(1)));
		this.here.limiter.override("acme", KeyOverride.unlimited());
		this.storeClock.addAndGet(Duration.ofHours(2).toMillis() * 1000);
		this.here.overrides.applied().read();
		assertThat(this.here.limiter.overrides()).isEqualTo(Map.of("acme", KeyOverride.unlimited()));
		assertThat(this.store.read("search")).containsOnlyKeys("acme");
	}

	@Test
	void earlierEndsOfAKeyAreNotKept() {
		assertThat(Retained.objects((i) -> {
			String key = String.valueOf(new char[] { 'a', 'c', 'm', 'e' });
			this.store.names = (name) -> key;
			this.here.limiter.override("acme", KeyOverride.blocked().lasting(Duration.ofDays(1 + i)));
			this.store.names = UnaryOperator.identity();
			return key;
		})).isLessThanOrEqualTo(2);
	}

	@Test
	void removedRuleIsNotKept() {
		RateLimitRule.Builder other = RateLimitRule.named("other").limit(5, Duration.ofHours(1));
		this.here.limiter.override("acme", KeyOverride.blocked());
		assertThat(Retained.objects((i) -> {
			String name = "customer-" + i;
			this.here.registry.register(RateLimitRule.named(name).limit(5, Duration.ofHours(1)).build());
			this.here.overrides.applied().read();
			this.here.registry.remove(name);
			return name;
		}, () -> {
			this.here.registry.register(other.build());
			this.here.overrides.applied().read();
		})).isZero();
	}

	@Test
	void overridesAreReadAnewOfARuleThatIsRegisteredAgain() {
		RateLimitRule rule = this.here.limiter.rule();
		this.here.limiter.override("acme", KeyOverride.blocked());
		this.here.registry.remove("search");
		this.here.overrides.applied().read();
		this.there.limiter.removeOverride("acme");
		this.there.limiter.override("other", KeyOverride.blocked());
		RateLimiter again = this.here.registry.register(rule);
		this.here.overrides.applied().read();
		assertThat(again.overrides()).containsOnlyKeys("other");
	}

	@Test
	void overridesOfARemovedRuleAreForgotten() {
		this.here.limiter.override("acme", KeyOverride.blocked());
		this.here.registry.limiter("sms").override("acme", KeyOverride.blocked());
		this.here.registry.remove("search");
		this.here.overrides.applied().read();
		assertThat(this.here.overrides.of("search")).isEmpty();
		assertThat(this.here.overrides.of("sms")).containsOnlyKeys("acme");
	}

	@Test
	void overrideOfARemovedRuleIsRemovedFromTheStoreWhenItEnds() {
		this.here.limiter.override("acme", KeyOverride.blocked().lasting(Duration.ofHours(1)));
		this.here.limiter.override("other", KeyOverride.blocked());
		this.here.registry.remove("search");
		this.here.overrides.applied().read();
		this.storeClock.addAndGet(Duration.ofMinutes(61).toMillis() * 1000);
		this.here.overrides.applied().read();
		assertThat(this.store.read("search")).containsOnlyKeys("other");
	}

	@Test
	void overrideThatIsRemovedWhileItsRuleIsRemovedIsGone() {
		RateLimitRule rule = this.here.limiter.rule();
		this.here.limiter.override("acme", KeyOverride.blocked());
		this.here.registry.remove("search");
		this.here.overrides.applied().read();
		assertThat(this.here.limiter.removeOverride("acme")).isTrue();
		assertThat(this.here.registry.register(rule).tryAcquire("acme").allowed()).isTrue();
	}

	@Test
	void overrideThatEndsFirstIsRemovedFirst() {
		this.here.limiter.override("second", KeyOverride.blocked().lasting(Duration.ofHours(2)));
		this.here.limiter.override("first", KeyOverride.blocked().lasting(Duration.ofHours(1)));
		this.here.limiter.override("third", KeyOverride.blocked().lasting(Duration.ofHours(3)));
		for (List<String> left : List.of(List.of("second", "third"), List.of("third"), List.<String>of())) {
			this.storeClock.addAndGet(Duration.ofMinutes(61).toMillis() * 1000);
			this.here.overrides.applied().read();
			assertThat(this.store.read("search").keySet()).hasSameElementsAs(left);
		}
	}

	@Test
	void blockEndsNoEarlierThanOneThatIsInForceAndLeavesOtherOverrides() {
		assertThat(block("acme", Duration.ofHours(2))).isTrue();
		assertThat(block("acme", Duration.ofHours(1))).isTrue();
		assertThat(this.here.limiter.overrides()).containsEntry("acme",
				KeyOverride.blocked().until(NOW.plus(Duration.ofHours(2))));
		assertThat(block("acme", Duration.ofHours(3))).isTrue();
		assertThat(this.here.limiter.overrides()).containsEntry("acme",
				KeyOverride.blocked().until(NOW.plus(Duration.ofHours(3))));
		this.here.limiter.override("bob", KeyOverride.blocked());
		assertThat(block("bob", Duration.ofHours(1))).isTrue();
		assertThat(this.here.limiter.overrides()).containsEntry("bob", KeyOverride.blocked());
		this.here.limiter.override("cleo", KeyOverride.max(9));
		assertThat(block("cleo", Duration.ofHours(1))).isFalse();
		assertThat(this.here.limiter.overrides()).containsEntry("cleo", KeyOverride.max(9));
	}

	@Test
	void blocksOfCallsInFlightAreOne() {
		Duration minute = Duration.ofMinutes(1);
		block("acme", minute);
		for (int i = 0; i < 9; i++) {
			advance(Duration.ofMillis(100));
			assertThat(block("acme", minute)).isTrue();
		}
		assertThat(this.store.latestChanges()).hasSize(1);
		advance(Duration.ofMillis(200));
		block("acme", minute);
		assertThat(this.here.limiter.overrides().get("acme").until()).isEqualTo(NOW.plusMillis(61_100));
		block("bob", Duration.ofSeconds(1));
		advance(Duration.ofMillis(200));
		block("bob", Duration.ofSeconds(1));
		assertThat(this.here.limiter.overrides().get("bob").until()).isEqualTo(NOW.plusMillis(2_300));
	}

	@Test
	void blockThatOthersAlwaysOvertakeIsTheirs() {
		Duration minute = Duration.ofMinutes(1);
		List.of(this.here, this.there).forEach((each) -> each.overrides.applied().read());
		this.store.overtaking = new Runnable() {

			@Override
			public void run() {
				KeyOverrideRegistryTests.this.there.overrides.block("search", "acme", minute);
				advance(Duration.ofMillis(5));
				KeyOverrideRegistryTests.this.store.overtaking = this;
			}

		};
		assertThat(block("acme", minute)).isTrue();
		assertThat(this.here.limiter.overrides().get("acme").until()).isEqualTo(NOW.plus(minute));
	}

	private void advance(Duration time) {
		List.of(this.storeClock, this.here.clock, this.there.clock)
			.forEach((each) -> each.addAndGet(time.toNanos() / 1000));
	}

	private boolean block(String key, Duration time) {
		return this.here.overrides.block("search", key, time);
	}

	@Test
	void changeThatDoesNotFitTheRuleIsRefused() {
		assertThatExceptionOfType(RateLimitConfigurationException.class).isThrownBy(
				() -> this.here.overrides.change("search", "acme", (earlier) -> KeyOverride.max("unknown", 9), "ann"));
		assertThat(this.store.read("search")).isEmpty();
	}

	@Test
	void earlierOverrideThatNoLongerFitsIsReplacedAndLeftByBlocks() {
		this.store.replace("sms", "acme", null, new OverrideText("hour.max=100"), "ann");
		assertThat(this.here.overrides.block("sms", "acme", Duration.ofHours(1))).isFalse();
		this.here.overrides.change("sms", "acme",
				(earlier) -> (earlier != null) ? earlier.and("day", 30) : KeyOverride.max("day", 30), "ann");
		assertThat(this.here.overrides.of("sms")).isEqualTo(Map.of("acme", KeyOverride.max("day", 30)));
		this.store.replace("sms", "bob", null, new OverrideText("max=10"), "ann");
		assertThatExceptionOfType(RateLimitConfigurationException.class)
			.isThrownBy(() -> this.here.overrides.change("sms", "bob", (earlier) -> KeyOverride.max(10), "ann"))
			.withMessageContaining("rule \"sms\" has several");
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
		this.there.overrides.applied().read();
		assertThat(this.there.limiter.overrides()).isEmpty();
		assertThat(this.there.limiter.peek("acme").limit()).isEqualTo(5);
	}

	@Test
	void onlyChangedKeysAreReadAgain() {
		this.there.overrides.applied().read();
		for (int i = 0; i < 300; i++) {
			this.here.limiter.override("key " + i, KeyOverride.max(9));
		}
		this.there.overrides.applied().read();
		int wholeReadings = this.store.wholeReadings;
		this.store.namesRead = 0;
		this.here.limiter.override("key 7", KeyOverride.max(8));
		this.here.limiter.removeOverride("key 8");
		this.store.namesRead = 0;
		this.there.overrides.applied().read();
		assertThat(this.there.limiter.overrides()).hasSize(299)
			.containsEntry("key 7", KeyOverride.max(8))
			.doesNotContainKey("key 8");
		assertThat(this.store.namesRead).isEqualTo(2);
		assertThat(this.store.wholeReadings).isEqualTo(wholeReadings);
	}

	@Test
	void instanceThatHasMissedManyChangesReadsEverything() {
		this.here.limiter.override("first", KeyOverride.max(9));
		this.there.overrides.applied().read();
		this.here.limiter.removeOverride("first");
		for (int i = 0; i < 1_500; i++) {
			this.here.limiter.override("key " + i, KeyOverride.max(9));
		}
		this.there.overrides.applied().read();
		assertThat(this.there.limiter.overrides()).hasSize(1_500).doesNotContainKey("first");
	}

	@Test
	void overridesOfARuleThatIsNewHereAreRead() {
		this.here.registry.register(RateLimitRule.named("late").limit(1, Duration.ofHours(1)).build())
			.override("acme", KeyOverride.max(9));
		this.there.overrides.applied().read();
		RateLimiter late = this.there.registry
			.register(RateLimitRule.named("late").limit(1, Duration.ofHours(1)).build());
		this.there.overrides.applied().read();
		assertThat(late.peek("acme").limit()).isEqualTo(9);
	}

	@Test
	void changeThatTheStoreRefusesSaysWhatItRequires() {
		this.store.failure = new StoreException("Redis failed: NOPERM", null, "noperm", false, "Allow it.");
		assertThatExceptionOfType(RateLimiterUnavailableException.class)
			.isThrownBy(() -> this.here.limiter.override("acme", KeyOverride.unlimited()))
			.withMessage("The store refused the change of rate limit \"search\": Redis failed: NOPERM. Allow it.");
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
		assertThatExceptionOfType(StoreException.class).isThrownBy(() -> this.here.overrides.applied().read());
		assertThat(this.here.limiter.peek("acme").allowed()).isFalse();
		this.here.clock.addAndGet(Duration.ofHours(1).toMillis() * 1000);
		assertThat(this.here.limiter.peek("acme").allowed()).isTrue();
	}

	@Test
	void noMoreThanTenThousandKeysOfARuleAreOverridden() {
		this.here.limiter.override("ends", KeyOverride.unlimited().lasting(Duration.ofSeconds(1)));
		for (int i = 1; i < OverrideStore.MOST_PER_RULE; i++) {
			this.store.replace("search", "key " + i, null, OverrideText.of(KeyOverride.max(9)), "ann");
		}
		assertThatExceptionOfType(TooManyOverridesException.class)
			.isThrownBy(() -> this.here.limiter.override("another", KeyOverride.max(9)))
			.withMessageContainingAll("Rule \"search\" has 10000 overrides of keys", "Nothing was changed. Remove");
		this.here.limiter.override("key 1", KeyOverride.max(8));
		this.here.registry.limiter("sms").override("another", KeyOverride.max("day", 8));
		this.storeClock.addAndGet(2_000_000);
		this.here.limiter.override("another", KeyOverride.max(9));
		assertThat(this.here.limiter.overrides()).hasSize(10_000).containsKey("another").doesNotContainKey("ends");
	}

	@Test
	void changeIsAddedToAnEarlierOverrideAndRepeatedAfterAConcurrentOne() {
		this.here.overrides.change("sms", "acme", (earlier) -> KeyOverride.max("day", 20), "ann");
		this.store.overtaking = () -> this.there.overrides.change("sms", "acme", (earlier) -> earlier.and("minute", 3),
				"ann");
		this.here.overrides.change("sms", "acme", (earlier) -> earlier.and("day", 30), "ann");
		assertThat(this.here.overrides.of("sms"))
			.isEqualTo(Map.of("acme", KeyOverride.max("day", 30).and("minute", 3)));
	}

}
