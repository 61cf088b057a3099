package io.github.ratelimit.actuate.endpoint;

import java.time.Clock;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.util.Collection;
import java.util.List;
import java.util.Map;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.Ban;
import io.github.ratelimit.Headroom;
import io.github.ratelimit.Limit;
import io.github.ratelimit.OnStoreFailure;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.ScheduledPlan;
import io.github.ratelimit.engine.Engines;
import io.github.ratelimit.engine.RateLimitEngine;
import io.github.ratelimit.engine.RuleRegistry;
import io.github.ratelimit.override.KeyOverrideRegistry;
import io.github.ratelimit.override.LocalOverrideStore;
import io.github.ratelimit.override.OverrideChanges;
import io.github.ratelimit.override.OverrideStore;
import io.github.ratelimit.override.OverrideText;
import io.github.ratelimit.override.RecordedChange;
import io.github.ratelimit.override.RuleOverrideRegistry;
import io.github.ratelimit.store.BannedKey;
import io.github.ratelimit.store.DelegatingStore;
import io.github.ratelimit.store.RuleCounts;
import io.github.ratelimit.store.StoreException;
import io.github.ratelimit.store.local.LocalRateLimitStore;
import org.jspecify.annotations.Nullable;

/**
 * Endpoint over the rules {@code log}, {@code sms}, {@code guard} and others, whose calls
 * are counted in this process at a time that stands still.
 */
final class EndpointUnderTest {

	static final Instant NOW = Instant.parse("2026-11-23T19:00:00Z");

	private static final Duration MINUTE = Duration.ofMinutes(1);

	final Overrides overrides = new Overrides();

	private final RuleRegistry registry;

	private final KeyOverrideRegistry keys;

	final RateLimitsEndpoint http;

	EndpointUnderTest() {
		this(Duration.ZERO);
	}

	/**
	 * Create an endpoint of an instance whose clock is ahead of that of the store.
	 */
	EndpointUnderTest(Duration ahead) {
		Clock clock = Clock.fixed(NOW.plus(ahead), ZoneOffset.UTC);
		LocalRateLimitStore store = new LocalRateLimitStore(100, EndpointUnderTest::micros);
		RateLimitEngine engine = Engines.over(store);
		this.registry = new RuleRegistry(engine, Algorithm.SLIDING_LOG, List.of());
		this.registry.register(RateLimitRule.named("log").limit(5, MINUTE).build());
		this.registry.register(RateLimitRule.named("sms")
			.limit(Limit.of(1, MINUTE).withName("minute"))
			.limit(Limit.of(10, Duration.ofDays(1)).withName("day"))
			.build());
		this.registry.register(RateLimitRule.named("guard")
			.limit(1, MINUTE)
			.ban(new Ban(1, Duration.ofMinutes(10), Duration.ofHours(1)))
			.build());
		this.registry.register(RateLimitRule.named("tiers")
			.limit(60, Duration.ofHours(1))
			.plan("pro", Limit.of(600, Duration.ofHours(1)))
			.build());
		this.registry.register(RateLimitRule.named("shop")
			.limit(Limit.of(10, MINUTE).withAlgorithm(Algorithm.TOKEN_BUCKET).withBurst(20))
			.plan("pro", Limit.of(100, MINUTE).withBurst(200))
			.headroom("low", Headroom.ofPercent(30))
			.headroom("other", Headroom.ofUnits(5))
			.build());
		this.registry
			.register(RateLimitRule.named("merge").limit(10, MINUTE).headroom("low", Headroom.ofUnits(4)).build());
		this.registry.register(RateLimitRule.named("hours")
			.limit(10, MINUTE)
			.plan("office", Limit.of(4, MINUTE))
			.plan("night", Limit.of(20, MINUTE))
			.schedule(ScheduledPlan.on("night", ZoneOffset.UTC, DayOfWeek.SUNDAY),
					ScheduledPlan.daily("office", LocalTime.of(9, 0), LocalTime.of(19, 30), ZoneOffset.UTC))
			.build());
		this.registry.register(RateLimitRule.named("paced")
			.limit(Limit.of(7, MINUTE)
				.withAlgorithm(Algorithm.TOKEN_BUCKET)
				.withBurst(9)
				.withMinInterval(Duration.ofMillis(200)))
			.build());
		this.registry.register(
				RateLimitRule.named("contract").limit(1, Duration.ofHours(1)).plan("@contracts.of(#tenant)").build());
		this.keys = new KeyOverrideRegistry(this.registry, engine.keys(), this.overrides, EndpointUnderTest::micros);
		engine.keys().writeOverridesBy(() -> this.keys);
		this.http = new RateLimitsEndpoint(this.registry, engine, new DelegatingStore(store) {

			@Override
			public List<BannedKey> bans(RuleCounts counts) {
				EndpointUnderTest.this.overrides.answering();
				return store.bans(counts);
			}

		}, new RuleOverrideRegistry(this.registry, this.keys, clock), this.keys, () -> OnStoreFailure.LOCAL,
				(rule) -> rule.equals("log") ? Map.of("ReplyController.reply(String)", "#userId") : Map.of(), clock,
				() -> null);
	}

	private static long micros() {
		return NOW.toEpochMilli() * 1000;
	}

	void register(RateLimitRule rule) {
		this.registry.register(rule);
	}

	/**
	 * Block a key as the answer to an outgoing request does.
	 */
	void block(String rule, String key, Duration time) {
		this.keys.here().block(rule, key, time);
	}

	RateLimiter limiter(String rule) {
		return this.registry.limiter(rule);
	}

	/**
	 * Store of overrides that fails, or refuses each change because of another one.
	 */
	static final class Overrides implements OverrideStore {

		private final LocalOverrideStore kept = new LocalOverrideStore(EndpointUnderTest::micros);

		@Nullable StoreException failure;

		boolean isOvertaken;

		private LocalOverrideStore answering() {
			if (this.failure != null) {
				throw this.failure;
			}
			return this.kept;
		}

		@Override
		public OverrideChanges changes(String knownVersion) {
			return answering().changes(knownVersion);
		}

		@Override
		public Map<String, String> read(String group) {
			return answering().read(group);
		}

		@Override
		public Map<String, String> read(String group, Collection<String> names) {
			return answering().read(group, names);
		}

		@Override
		public Result replace(String group, String name, @Nullable String expected, @Nullable OverrideText change,
				String changedBy) {
			return this.isOvertaken ? Result.CONFLICT : answering().replace(group, name, expected, change, changedBy);
		}

		@Override
		public void removeEnded(String rule, Collection<String> keys) {
			answering().removeEnded(rule, keys);
		}

		@Override
		public List<RecordedChange> latestChanges() {
			return answering().latestChanges();
		}

		@Override
		public boolean isShared() {
			return this.kept.isShared();
		}

	}

}
