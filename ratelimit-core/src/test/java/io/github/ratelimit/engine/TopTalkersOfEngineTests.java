package io.github.ratelimit.engine;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.Ban;
import io.github.ratelimit.Limit;
import io.github.ratelimit.Mode;
import io.github.ratelimit.OnStoreFailure;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.RateLimiterUnavailableException;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.Demands;
import io.github.ratelimit.store.RateLimitStore;
import io.github.ratelimit.store.StoreException;
import io.github.ratelimit.store.local.LocalRateLimitStore;
import io.github.ratelimit.top.TalkerList.Talker;
import io.github.ratelimit.top.TopReport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Every kind of denial is recorded with its key, once, and an admitted call only if calls
 * are.
 */
class TopTalkersOfEngineTests {

	private static final Duration HOUR = Duration.ofHours(1);

	private static final Map<String, RateLimitRule> RULES = new ConcurrentHashMap<>();

	private final FailingStore remote = new FailingStore();

	@AutoClose
	private RateLimitEngine engine = recording(this.remote, new DenyCache(10, HOUR), false);

	private static RateLimitEngine recording(RateLimitStore store, @Nullable DenyCache denyCache, boolean calls) {
		RateLimitEngine engine = Engines.over(store, OnStoreFailure.LOCAL, denyCache);
		engine.recordTopTalkers(10, calls);
		return engine;
	}

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void denialsOfTheStoreAndRememberedOnesAreRecorded(boolean later) {
		for (int i = 0; i < 5; i++) {
			acquire(later, rule("reply"));
		}
		assertThat(this.remote.calls).isEqualTo(2);
		assertThat(denials("reply")).containsExactly(new Talker("key", 4, 0));
		assertThat(report("reply").calls()).isNull();
	}

	@Test
	void onlyTheRulesThatDenyRecordACall() {
		acquire(false, rule("narrow"));
		acquire(false, rule("wide"), rule("narrow"));
		assertThat(denials("narrow")).containsExactly(new Talker("key", 1, 0));
		assertThat(denials("wide")).isEmpty();
	}

	@Test
	void bansBlocksAndDeniedKeysAreRecorded() {
		RateLimitRule guard = RateLimitRule.named("guard")
			.limit(1, HOUR)
			.algorithm(Algorithm.SLIDING_LOG)
			.ban(new Ban(1, HOUR, HOUR))
			.build();
		for (int i = 0; i < 4; i++) {
			acquire(false, guard);
		}
		assertThat(denials("guard")).containsExactly(new Talker("key", 3, 0));
		acquire(false,
				RateLimitRule.named("listed")
					.limit(1, HOUR)
					.algorithm(Algorithm.SLIDING_LOG)
					.deny("key")
					.mode(Mode.ENFORCE)
					.build());
		assertThat(denials("listed")).containsExactly(new Talker("key", 1, 0));
		this.engine.keys().verdicts().block("blocked", "key", HOUR);
		acquire(false, rule("blocked"));
		assertThat(denials("blocked")).containsExactly(new Talker("key", 1, 0));
	}

	@Test
	void ruleInShadowModeRecordsTheDenialsItWouldHaveMade() {
		RateLimitRule shadow = RateLimitRule.named("shadow")
			.limit(1, HOUR)
			.algorithm(Algorithm.SLIDING_LOG)
			.mode(Mode.SHADOW)
			.build();
		acquire(false, shadow);
		acquire(false, shadow);
		assertThat(denials("shadow")).containsExactly(new Talker("key", 1, 0));
	}

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void denialsOfTheFallbackAreRecorded(boolean later) {
		this.remote.failure = new StoreException("gone", null);
		acquire(later, rule("reply"));
		acquire(later, rule("reply"));
		assertThat(denials("reply")).containsExactly(new Talker("key", 1, 0));
	}

	@Test
	void refusalsByThePolicyAreRecorded() {
		this.remote.failure = new StoreException("gone", null);
		RateLimitRule strict = RateLimitRule.named("strict")
			.limit(1, HOUR)
			.algorithm(Algorithm.SLIDING_LOG)
			.onStoreFailure(OnStoreFailure.DENY)
			.build();
		assertThatExceptionOfType(RateLimiterUnavailableException.class).isThrownBy(() -> acquire(false, strict));
		assertThat(denials("strict")).containsExactly(new Talker("key", 1, 0));
	}

	@Test
	void peeksAreNotRecorded() {
		acquire(false, rule("reply"));
		this.engine.acquire(new Demand(rule("reply"), "key", 0));
		assertThat(denials("reply")).isEmpty();
	}

	@ParameterizedTest
	@EnumSource(names = { "TOKEN_BUCKET", "SLIDING_LOG", "FIXED_WINDOW" })
	void plainRulesOfThisProcessAreRecorded(Algorithm algorithm) {
		this.engine = recording(new LocalRateLimitStore(100), null, false);
		RuleLimiter limiter = plain(algorithm);
		for (int i = 0; i < 5; i++) {
			limiter.tryAcquire("ann");
		}
		limiter.tryAcquireAsync("bob", 9);
		assertThat(denials("rule")).containsExactly(new Talker("ann", 3, 0), new Talker("bob", 1, 0));
	}

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void callsAreRecordedIfThatIsAskedFor(boolean heard) {
		this.engine = recording(new LocalRateLimitStore(100), null, true);
		if (heard) {
			this.engine.listen(List.of(new RecordingListener()));
		}
		RuleLimiter limiter = plain(Algorithm.TOKEN_BUCKET);
		for (int i = 0; i < 5; i++) {
			limiter.tryAcquire("ann");
		}
		acquire(false, rule("reply"));
		acquire(true, rule("reply"));
		assertThat(denials("rule")).containsExactly(new Talker("ann", 3, 0));
		assertThat(report("rule").calls().talkers()).containsExactly(new Talker("ann", 5, 0));
		assertThat(denials("reply")).containsExactly(new Talker("key", 1, 0));
		assertThat(report("reply").calls().talkers()).containsExactly(new Talker("key", 2, 0));
	}

	private RuleLimiter plain(Algorithm algorithm) {
		RuleRegistry registry = new RuleRegistry(this.engine, algorithm, List.of());
		registry.register(RateLimitRule.named("rule").limit(Limit.of(2, HOUR).withAlgorithm(algorithm)).build());
		RuleLimiter limiter = registry.limiter("rule");
		assertThat(limiter.plain()).isNotNull();
		return limiter;
	}

	@Test
	void nothingIsRecordedIfItIsSwitchedOff() {
		this.engine.recordTopTalkers(0, false);
		acquire(false, rule("reply"));
		acquire(false, rule("reply"));
		assertThat(this.engine.keys().topTalkers()).isNull();
	}

	private void acquire(boolean later, RateLimitRule... rules) {
		Demands demands = Demands.of(Stream.of(rules).map((rule) -> new Demand(rule, "key", 1)).toList());
		if (later) {
			this.engine.acquireAsync(demands).toCompletableFuture().join();
		}
		else {
			this.engine.acquire(demands);
		}
	}

	private List<Talker> denials(String rule) {
		return report(rule).denials().talkers();
	}

	private TopReport report(String rule) {
		return this.engine.keys().topTalkers().report(rule);
	}

	private static RateLimitRule rule(String name) {
		return RULES.computeIfAbsent(name,
				(each) -> RateLimitRule.named(each)
					.limit(name.equals("wide") ? 5 : 1, HOUR)
					.algorithm(Algorithm.SLIDING_LOG)
					.build());
	}

}
