package io.github.ratelimit.engine;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.Ban;
import io.github.ratelimit.Decision;
import io.github.ratelimit.Mode;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.store.BannedKey;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.Demands;
import io.github.ratelimit.store.StoreException;
import io.github.ratelimit.store.local.LocalFallbackStore;
import io.github.ratelimit.store.local.LocalRateLimitStore;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Banned keys in the engine: modes, fallback, peeks and resets.
 */
class BannedCallTests {

	private static final StoreException SILENT = new StoreException("silent", null, "timeout", true, null);

	private static final Ban BAN = new Ban(3, Duration.ofMinutes(10), Duration.ofHours(1));

	private final FailingStore store = new FailingStore();

	@AutoClose
	private final RateLimitEngine engine = Engines.over(this.store);

	private final RuleRegistry registry = new RuleRegistry(this.engine, Algorithm.SLIDING_LOG, List.of());

	@AutoClose
	private final RecordedLog log = new RecordedLog(ShadowMode.class);

	@Test
	void ruleInShadowModeBansAsItWouldAndDeniesNothing() {
		RateLimiter limiter = limiter(Mode.SHADOW);
		for (int i = 0; i < 5; i++) {
			assertThat(limiter.tryAcquire("key").allowed()).isTrue();
		}
		assertThat(this.log.lines()).hasSize(4).last().asString().contains("[login-ban] would have denied a call.");
		limiter(Mode.ENFORCE);
		assertThat(limiter.tryAcquire("key").violated()).containsExactly("login-ban");
	}

	@Test
	void ruleThatIsOffNeitherCountsNorDenies() {
		RateLimiter limiter = limiter(Mode.ENFORCE);
		ban(limiter);
		limiter(Mode.OFF);
		assertThat(limiter.tryAcquire("key").allowed()).isTrue();
	}

	@Test
	void banIsShownByPeeksAndLiftedByReset() {
		RateLimiter limiter = limiter(Mode.ENFORCE);
		ban(limiter);
		Decision peeked = limiter.peek("key");
		assertThat(peeked.allowed()).isFalse();
		assertThat(peeked.violated()).containsExactly("login-ban");
		KeyMaintenance.KeyState state = this.engine.keys().state(new Demand(limiter.rule(), "key", 1));
		assertThat(state.answer().ban().endsAfter()).isBetween(TimeUnit.MINUTES.toMicros(59),
				TimeUnit.HOURS.toMicros(1));
		assertThat(state.decision().violated()).containsExactly("login-ban");
		limiter.reset("key");
		assertThat(this.engine.keys().state(new Demand(limiter.rule(), "key", 1)).answer().ban()).isNull();
		assertThat(limiter.tryAcquire("key").allowed()).isTrue();
	}

	@Test
	void denialByABanHasTheTimeOfItsRuleAlone() {
		RateLimiter limiter = limiter(Mode.ENFORCE);
		ban(limiter);
		RateLimiter export = this.registry.register(RateLimitRule.named("export").limit(1, Duration.ofDays(1)).build());
		export.tryAcquire("key");
		Decision denied = this.engine
			.acquire(Demands.of(new Demand(limiter.rule(), "key", 1), new Demand(export.rule(), "key", 1)))
			.decision();
		assertThat(denied.retryAfter()).isGreaterThan(Duration.ofHours(23));
		assertThat(denied.violated()).containsExactly("login-ban", "export");
		assertThat(denied.denials().get(0).retryAfter()).isBetween(Duration.ofMinutes(59), Duration.ofHours(1));
	}

	@Test
	void fallbackBansInThisInstanceUntilTheStoreIsBack() {
		RateLimiter limiter = limiter(Mode.ENFORCE);
		this.store.failure = SILENT;
		ban(limiter);
		Decision denied = limiter.tryAcquire("key");
		assertThat(denied.origin()).isEqualTo(Decision.Origin.FALLBACK);
		assertThat(denied.violated()).containsExactly("login-ban");
		this.store.failure = null;
		assertThat(this.store.acquire(new Demand(limiter.rule(), "key", 1)).get(0).isBanned()).isFalse();
	}

	@Test
	void shareOfAnInstanceBansAsWell() {
		LocalFallbackStore half = new LocalFallbackStore(100, 0.5);
		Demand demand = new Demand(limiter(Mode.ENFORCE).rule(), "key", 1);
		for (int i = 0; i < 4; i++) {
			half.acquire(demand);
		}
		assertThat(half.acquire(demand).violated()).containsExactly("login-ban");
	}

	@Test
	void localStoreListsItsBans() {
		LocalRateLimitStore local = new LocalRateLimitStore(100);
		RateLimitEngine localEngine = Engines.over(local);
		Demand banned = new Demand(limiter(Mode.ENFORCE).rule(), "mallory", 1);
		for (int i = 0; i < 4; i++) {
			localEngine.acquire(banned);
			localEngine.acquire(new Demand(banned.rule(), "bob" + i, 1));
		}
		assertThat(local.bans(banned.counts())).extracting(BannedKey::key).containsExactly("mallory");
		localEngine.keys().reset(banned.counts(), "mallory");
		assertThat(local.bans(banned.counts())).isEmpty();
	}

	private static void ban(RateLimiter limiter) {
		for (int i = 0; i < 3; i++) {
			limiter.tryAcquire("key");
		}
		Decision banning = limiter.tryAcquire("key");
		assertThat(banning.violated()).containsExactly("login", "login-ban");
		assertThat(banning.denials()).extracting(Decision.Denial::cause)
			.containsExactly(Decision.Cause.LIMIT, Decision.Cause.BAN);
	}

	private RateLimiter limiter(Mode mode) {
		return this.registry
			.register(RateLimitRule.named("login").limit(1, Duration.ofHours(1)).ban(BAN).mode(mode).build());
	}

}
