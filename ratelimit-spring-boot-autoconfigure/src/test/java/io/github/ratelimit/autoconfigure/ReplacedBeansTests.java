package io.github.ratelimit.autoconfigure;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

import io.github.ratelimit.Decision;
import io.github.ratelimit.Mode;
import io.github.ratelimit.OnStoreFailure;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.RateLimiterRegistry;
import io.github.ratelimit.RateLimiterUnavailableException;
import io.github.ratelimit.attribute.LimitAttributes;
import io.github.ratelimit.engine.CallDelay;
import io.github.ratelimit.engine.DenyCache;
import io.github.ratelimit.engine.RuleOverride;
import io.github.ratelimit.engine.StoreFailurePolicy;
import io.github.ratelimit.override.RuleOverrideRegistry;
import io.github.ratelimit.store.DelegatingStore;
import io.github.ratelimit.store.FallbackStore;
import io.github.ratelimit.store.RateLimitStore;
import io.github.ratelimit.store.RemoteStore;
import io.github.ratelimit.store.StoreAnswer;
import io.github.ratelimit.store.StoreException;
import io.github.ratelimit.store.local.LocalClock;
import io.github.ratelimit.store.local.LocalFallbackStore;
import io.github.ratelimit.store.local.LocalRateLimitStore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.mockito.AdditionalAnswers.delegatesTo;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.BDDMockito.willReturn;
import static org.mockito.BDDMockito.willThrow;
import static org.mockito.Mockito.atLeastOnce;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.verify;

/**
 * Beans of the application replace the auto-configured ones.
 */
class ReplacedBeansTests {

	private final ApplicationContextRunner application = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(RateLimitAutoConfiguration.class))
		.withPropertyValues("ratelimit.rules.reply.max=2", "ratelimit.rules.reply.period=1h");

	@Test
	void failurePolicyDecidesWhenTheStoreCannot() {
		StoreFailurePolicy policy = new StoreFailurePolicy() {

			@Override
			public OnStoreFailure byDefault() {
				return OnStoreFailure.ALLOW;
			}

			@Override
			public OnStoreFailure of(RateLimitRule rule) {
				return rule.name().equals("reply") ? OnStoreFailure.DENY : byDefault();
			}

		};
		this.application.withBean(RateLimitStore.class, ReplacedBeansTests::failingStore)
			.withBean(StoreFailurePolicy.class, () -> policy)
			.run((context) -> assertThatExceptionOfType(RateLimiterUnavailableException.class)
				.isThrownBy(() -> reply(context).tryAcquire("key")));
	}

	@Test
	void fallbackStoreCountsWhenTheStoreCannot() {
		FallbackStore fallback = mock(FallbackStore.class, delegatesTo(new LocalFallbackStore(10, 1)));
		this.application.withBean(RateLimitStore.class, ReplacedBeansTests::failingStore)
			.withBean(FallbackStore.class, () -> fallback)
			.run((context) -> {
				assertThat(reply(context).tryAcquire("key").origin()).isEqualTo(Decision.Origin.FALLBACK);
				verify(fallback, atLeastOnce()).acquire(any());
			});
	}

	@Test
	void denyCacheRemembersDenials() {
		AtomicInteger reads = new AtomicInteger();
		DenyCache cache = new DenyCache(10, Duration.ofSeconds(1), reads::incrementAndGet);
		this.application.withBean(RateLimitStore.class, ReplacedBeansTests::remoteStore)
			.withBean(DenyCache.class, () -> cache)
			.run((context) -> {
				int before = reads.get();
				assertThat(reply(context).tryAcquire("key", 2).allowed()).isTrue();
				assertThat(reply(context).tryAcquire("key").origin()).isEqualTo(Decision.Origin.REDIS);
				assertThat(reply(context).tryAcquire("key").origin()).isEqualTo(Decision.Origin.DENY_CACHE);
				assertThat(reads.get()).isGreaterThan(before);
			});
	}

	@ParameterizedTest
	@CsvSource({ "false, REDIS", "off, REDIS", "no, REDIS", "0, REDIS", "true, DENY_CACHE", "on, DENY_CACHE",
			"yes, DENY_CACHE", "1, DENY_CACHE" })
	void denyCacheRemembersDenialsIfItIsEnabled(String value, Decision.Origin next) {
		this.application.withBean(RateLimitStore.class, ReplacedBeansTests::remoteStore)
			.withPropertyValues("ratelimit.redis.deny-cache.enabled=" + value)
			.run((context) -> {
				assertThat(reply(context).tryAcquire("key", 2).allowed()).isTrue();
				assertThat(reply(context).tryAcquire("key").origin()).isEqualTo(Decision.Origin.REDIS);
				assertThat(reply(context).tryAcquire("key").origin()).isEqualTo(next);
			});
	}

	@Test
	void clockMovesTheCountersInThisProcess() {
		AtomicLong micros = new AtomicLong(1_700_000_000_000_000L);
		this.application.withBean(LocalClock.class, () -> micros::get).run((context) -> {
			assertThat(reply(context).tryAcquire("key", 2).allowed()).isTrue();
			assertThat(reply(context).tryAcquire("key").retryAfter()).isEqualTo(Duration.ofHours(1));
			micros.addAndGet(Duration.ofHours(1).toNanos() / 1000);
			assertThat(reply(context).tryAcquire("key").allowed()).isTrue();
		});
	}

	@Test
	void clockMovesTheFallbackAsWell() {
		AtomicLong micros = new AtomicLong(1_700_000_000_000_000L);
		this.application.withBean(RateLimitStore.class, ReplacedBeansTests::failingStore)
			.withBean(LocalClock.class, () -> micros::get)
			.run((context) -> {
				assertThat(reply(context).tryAcquire("key", 2).allowed()).isTrue();
				assertThat(reply(context).tryAcquire("key").allowed()).isFalse();
				micros.addAndGet(Duration.ofHours(1).toNanos() / 1000);
				assertThat(reply(context).tryAcquire("key").allowed()).isTrue();
			});
	}

	@Test
	void callDelayWaitsForTurns() {
		List<Duration> waits = new ArrayList<>();
		this.application.withBean(CallDelay.class, () -> new RecordingDelay(waits))
			.withPropertyValues("ratelimit.rules.queue.algorithm=leaky-bucket", "ratelimit.rules.queue.max=1",
					"ratelimit.rules.queue.period=1h")
			.run((context) -> {
				RateLimiter queue = context.getBean(RateLimiterRegistry.class).limiter("queue");
				queue.acquire("key", 1, Duration.ofHours(2));
				queue.acquire("key", 1, Duration.ofHours(2));
				assertThat(waits).singleElement()
					.satisfies((wait) -> assertThat(wait).isBetween(Duration.ofMinutes(59), Duration.ofHours(1)));
			});
	}

	@Test
	void clockDatesChangesOfRules() {
		Instant then = Instant.parse("2030-01-01T00:00:00Z");
		LocalClock clock = new LocalClock() {

			@Override
			public long getAsLong() {
				return then.toEpochMilli() * 1000;
			}

			@Override
			public Clock timeOfDay() {
				return Clock.fixed(then, ZoneOffset.UTC);
			}

		};
		this.application.withBean(LocalClock.class, () -> clock).run((context) -> {
			RuleOverrideRegistry overrides = context.getBean(RuleOverrideRegistry.class);
			overrides.change("reply", Mode.SHADOW, null, LimitAttributes.NONE, "ann");
			assertThat(overrides.inForce()).extracting(RuleOverride::made).containsExactly(then);
		});
	}

	private static RateLimiter reply(ApplicationContext context) {
		return context.getBean(RateLimiterRegistry.class).limiter("reply");
	}

	private static RateLimitStore remoteStore() {
		RateLimitStore store = mock(RemoteStore.class, delegatesTo(new DelegatingStore(new LocalRateLimitStore(10)) {
		}));
		willReturn(Decision.Origin.REDIS).given(store).origin();
		return store;
	}

	private static RateLimitStore failingStore() {
		RateLimitStore store = remoteStore();
		willThrow(new StoreException("gone", null)).given(store).acquire(any());
		return store;
	}

	/**
	 * Delay that passes at once.
	 */
	private record RecordingDelay(List<Duration> waits) implements CallDelay {

		@Override
		public void await(StoreAnswer answer) {
			this.waits.add(Duration.of(answer.delay(), ChronoUnit.MICROS));
		}

		@Override
		public CompletableFuture<Void> awaitAsync(StoreAnswer answer) {
			await(answer);
			return CompletableFuture.completedFuture(null);
		}

		@Override
		public void await(Duration time) {
			this.waits.add(time);
		}

		@Override
		public CompletableFuture<Void> awaitAsync(Duration time) {
			await(time);
			return CompletableFuture.completedFuture(null);
		}

	}

}
