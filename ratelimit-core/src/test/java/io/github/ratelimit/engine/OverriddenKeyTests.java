package io.github.ratelimit.engine;

import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;

import io.github.ratelimit.Adaptive;
import io.github.ratelimit.Algorithm;
import io.github.ratelimit.Decision;
import io.github.ratelimit.KeyOverride;
import io.github.ratelimit.Limit;
import io.github.ratelimit.LimitStatus;
import io.github.ratelimit.Mode;
import io.github.ratelimit.OnStoreFailure;
import io.github.ratelimit.RateLimitConfigurationException;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.adaptive.LoadAdaptation;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.Demands;
import io.github.ratelimit.store.RuleCounts;
import io.github.ratelimit.store.StoreException;
import io.github.ratelimit.store.StoredKey;
import io.github.ratelimit.store.local.LocalFallbackStore;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.tuple;

/**
 * Effect of overrides of single keys on calls.
 */
class OverriddenKeyTests {

	private static final Duration HOUR = Duration.ofHours(1);

	private static final Instant NOW = Instant.parse("2026-11-22T08:30:00Z");

	private final FailingStore store = new FailingStore();

	private final AtomicLong clock = new AtomicLong(micros(NOW));

	@AutoClose
	private final RateLimitEngine engine = new RateLimitEngine(this.store, () -> OnStoreFailure.LOCAL,
			new LocalFallbackStore(100, 1), new LoadAdaptation(Map.of(), Duration.ofSeconds(1)),
			new DenyCache(100, HOUR));

	private final RuleRegistry registry = new RuleRegistry(this.engine, Algorithm.SLIDING_LOG, List.of());

	private final VerdictSource keys = this.engine.keys().verdicts();

	private final RecordingListener listener = new RecordingListener();

	private final RateLimiter search = register("search", 2, Mode.ENFORCE);

	@BeforeEach
	void setUp() {
		this.keys.endBy(this.clock::get);
		this.engine.listen(List.of(this.listener));
	}

	@Test
	void keyHasOtherNumbersAndOthersHaveThoseOfTheRule() {
		assertThat(admitted(this.search, "acme", 3)).isEqualTo(2);
		this.keys.put("search", "acme", KeyOverride.max(5));
		assertThat(admitted(this.search, "acme", 9)).isEqualTo(3);
		assertThat(admitted(this.search, "other", 9)).isEqualTo(2);
		assertThat(this.search.peek("acme").limit()).isEqualTo(5);
		this.keys.put("search", "acme", KeyOverride.max(7));
		assertThat(this.search.peek("acme").remaining()).isEqualTo(2);
		this.keys.put("search", "acme", null);
		assertThat(this.search.peek("acme")).extracting(Decision::limit, Decision::remaining).containsExactly(2L, 0L);
	}

	@Test
	void rememberedDenialEndsWithAnOverrideThatAdmitsMore() {
		admitted(this.search, "acme", 3);
		assertThat(this.search.tryAcquire("acme").origin()).isEqualTo(Decision.Origin.DENY_CACHE);
		this.keys.put("search", "acme", KeyOverride.max(3));
		assertThat(this.search.tryAcquire("acme").allowed()).isTrue();
	}

	@Test
	void blockedKeyIsDeniedWithoutTheStore() {
		this.keys.put("search", "acme", KeyOverride.blocked().until(NOW.plusSeconds(90)));
		this.clock.addAndGet(500_000);
		this.store.failure = new IllegalStateException("called");
		Duration left = Duration.ofMillis(89_500);
		Decision denied = new Decision(false, "search", 2, 0, left, left, Duration.ZERO, List.of(),
				Decision.Origin.NONE, List.of(new Decision.Denial("search", "search", Decision.Cause.BLOCK)));
		assertThat(this.search.tryAcquire("acme")).isEqualTo(denied);
		assertThat(this.search.tryAcquireAsync("acme").toCompletableFuture().join()).isEqualTo(denied);
		assertThat(this.search.peek("acme")).isEqualTo(denied);
		assertThat(this.listener.reports()).containsExactly("search DENIED NONE", "search DENIED NONE");
	}

	@Test
	void blockWithoutAnEndNeverPasses() throws InterruptedException {
		this.keys.put("search", "acme", KeyOverride.blocked());
		Decision denied = this.search.acquire("acme", 1, HOUR);
		assertThat(denied.allowed()).isFalse();
		assertThat(denied.retryAfter()).isEqualTo(Decision.NEVER);
		assertThat(denied.resetAfter()).isEqualTo(Decision.NEVER);
	}

	@ParameterizedTest
	@ValueSource(strings = { "max", "blocked", "unlimited" })
	void overrideEndsByTheClockOfItsStore(String what) {
		KeyOverride override = switch (what) {
			case "max" -> KeyOverride.max(1);
			case "blocked" -> KeyOverride.blocked();
			default -> KeyOverride.unlimited();
		};
		admitted(this.search, "acme", 1);
		this.keys.put("search", "acme", override.until(NOW.plusMillis(1)));
		this.clock.addAndGet(999);
		assertThat(this.keys.of("search")).containsOnlyKeys("acme");
		assertThat(this.search.peek("acme").remaining()).isEqualTo(what.equals("unlimited") ? 2 : 0);
		this.clock.addAndGet(1);
		assertThat(this.keys.of("search")).isEmpty();
		assertThat(this.search.peek("acme").remaining()).isOne();
	}

	@Test
	void unlimitedKeyIsAdmittedAndNotCounted() {
		admitted(this.search, "acme", 1);
		this.keys.put("search", "acme", KeyOverride.unlimited());
		this.store.failure = new IllegalStateException("called");
		for (int i = 0; i < 5; i++) {
			assertThat(this.search.tryAcquire("acme")).isEqualTo(new Decision(true, "search", 2, 2, Duration.ZERO,
					Duration.ZERO, Duration.ZERO, List.of(), List.of(), Decision.Origin.NONE));
			assertThat(this.search.tryAcquireAsync("acme", 9).toCompletableFuture().join().allowed()).isTrue();
		}
		this.search.refund("acme", 1);
		this.store.failure = null;
		this.keys.put("search", "acme", null);
		assertThat(this.search.peek("acme").remaining()).isOne();
		assertThat(this.listener.reports()).hasSize(1);
	}

	@Test
	void blockedKeyDeniesTheWholeCallAndNothingIsTaken() {
		RateLimiter other = register("other", 5, Mode.ENFORCE);
		RateLimiter third = register("third", 5, Mode.ENFORCE);
		this.keys.put("search", "acme", KeyOverride.blocked().until(NOW.plusSeconds(9)));
		this.keys.put("third", "acme", KeyOverride.blocked().until(NOW.plusSeconds(20)));
		Decision denied = acquire("other", "search", "third");
		assertThat(denied.rule()).isEqualTo("third");
		assertThat(denied.violated()).containsExactly("search", "third");
		assertThat(denied.retryAfter()).isEqualTo(Duration.ofSeconds(20));
		assertThat(this.listener.reports()).containsExactly("search DENIED NONE", "third DENIED NONE");
		assertThat(other.peek("acme").remaining()).isEqualTo(5);
		assertThat(third.peek("someone").remaining()).isEqualTo(5);
	}

	@Test
	void otherRulesOfACallCountAnUnlimitedKey() {
		RateLimiter other = register("other", 5, Mode.ENFORCE);
		this.keys.put("search", "acme", KeyOverride.unlimited());
		Decision decision = acquire("search", "other");
		assertThat(decision.limits()).extracting(LimitStatus::name).containsExactly("other");
		assertThat(other.peek("acme").remaining()).isEqualTo(4);
	}

	@Test
	void blockInShadowModeIsReportedAndDoesNotDeny() {
		register("shadow", 5, Mode.SHADOW);
		RateLimiter another = register("another", 5, Mode.SHADOW);
		this.keys.put("shadow", "acme", KeyOverride.blocked());
		assertThat(acquire("shadow", "search", "another").allowed()).isTrue();
		assertThat(acquire("shadow").allowed()).isTrue();
		assertThat(this.listener.reports()).containsExactly("shadow SHADOW_DENIED NONE", "search ALLOWED REDIS",
				"shadow SHADOW_DENIED NONE");
		assertThat(another.peek("acme").remaining()).isEqualTo(5);
	}

	@Test
	void overridesOfARuleThatIsOffDoNothing() {
		RateLimiter off = register("off", 5, Mode.OFF);
		this.keys.put("off", "acme", KeyOverride.blocked());
		assertThat(off.tryAcquire("acme").allowed()).isTrue();
		assertThat(this.listener.reports()).isEmpty();
	}

	@Test
	void overridesHoldWhileTheStoreCannotAnswer() {
		this.keys.put("search", "acme", KeyOverride.max(4));
		this.keys.put("search", "mallory", KeyOverride.blocked());
		this.store.failure = new StoreException("gone", null);
		assertThat(admitted(this.search, "acme", 9)).isEqualTo(4);
		assertThat(admitted(this.search, "mallory", 9)).isZero();
		assertThat(admitted(this.search, "other", 9)).isEqualTo(2);
	}

	@Test
	void callIsRefundedByTheNumbersOfItsKey() {
		this.keys.put("search", "acme", KeyOverride.max(5));
		DecidedCall decided = this.engine.acquire(((RuleLimiter) this.search).demand("acme", 3));
		this.keys.put("search", "acme", KeyOverride.max(4));
		this.search.tryAcquire("acme");
		decided.refund();
		assertThat(this.search.peek("acme").remaining()).isEqualTo(3);
	}

	@Test
	void limitsOfARuleWithSeveralAreNamed() {
		RateLimiter sms = this.registry.register(RateLimitRule.named("sms")
			.limit(Limit.of(1, Duration.ofMinutes(1)).withName("minute"))
			.limit(Limit.of(5, Duration.ofDays(1)).withName("day"))
			.build());
		this.keys.put("sms", "acme", KeyOverride.max("minute", 3));
		assertThat(sms.peek("acme").limits()).extracting(LimitStatus::max).containsExactly(3L, 5L);
		this.keys.put("sms", "acme", KeyOverride.max("minute", 3).and("day", 9));
		assertThat(sms.peek("acme").limits()).extracting(LimitStatus::max).containsExactly(3L, 9L);
		assertRefused(sms, KeyOverride.max(3), "limit is missing: rule \"sms\" has several: minute, day.");
		assertRefused(sms, KeyOverride.max("hour", 3), "limit = \"hour\" is invalid: rule \"sms\" has minute, day.");
		assertRefused(this.search, KeyOverride.max("day", 3), "rule \"search\" has one limit only. Leave limit out.");
	}

	@Test
	void numbersThatTheRuleCannotHaveAreRefused() {
		assertRefused(this.search, KeyOverride.max(20_000), "max of \"search\" = 20000 is invalid: the algorithm");
		assertRefused(this.search, KeyOverride.max(20_000), "Write algorithm: token-bucket in the properties, ");
		RateLimiter adaptive = this.registry.register(RateLimitRule.named("adaptive")
			.limit(Limit.of(9, HOUR)
				.withAdaptive(new Adaptive("cpu", new Adaptive.Point(0.5, 9), new Adaptive.Point(0.9, 1))))
			.build());
		assertRefused(adaptive, KeyOverride.max(3), "it follows the load of each instance");
		this.engine.keys().validate(adaptive.rule(), KeyOverride.blocked());
	}

	@Test
	void numbersThatDoNotFitAnyMoreAreIgnoredAndLoggedOnce() {
		try (RecordedLog log = new RecordedLog(KeyNumbers.class)) {
			this.keys.put("search", "acme", KeyOverride.max("day", 9));
			assertThat(admitted(this.search, "acme", 5)).isEqualTo(2);
			this.engine.keys().numbersOf(this.search.rule(), "acme");
			assertThat(log.lines()).singleElement()
				.asString()
				.startsWith("SEVERE An override of a key does not fit the rate limit rule \"search\" here");
		}
	}

	@Test
	void keyThatIsStoredAsItsHashIsFoundByItsText() {
		String key = "k".repeat(500);
		this.keys.put("search", key, KeyOverride.blocked());
		assertThat(this.search.tryAcquire(key).allowed()).isFalse();
		assertThat(this.search.tryAcquire("k".repeat(499)).allowed()).isTrue();
		assertThat(this.keys.of("search")).containsOnlyKeys(key);
	}

	@Test
	void keysWithTheSameNumbersShareOnePreparedVariant() {
		RuleCounts counts = ((RuleLimiter) this.search).demand("acme", 1).counts();
		for (int i = 0; i < 1000; i++) {
			this.keys.put("search", "key " + i, KeyOverride.max(10 + i % 10));
		}
		assertThat(IntStream.range(0, 1000)
			.mapToObj((i) -> this.keys.withNumbers(new Demand(counts, "key " + i, 1)).counts())
			.map(System::identityHashCode)
			.distinct()).hasSize(10);
		assertThat(this.keys.withNumbers(new Demand(counts, StoredKey.of("other"), 1)).counts()).isSameAs(counts);
	}

	@Test
	void changedRuleKeepsTheOverridesOfItsKeys() {
		this.keys.put("search", "acme", KeyOverride.max(5));
		admitted(this.search, "acme", 1);
		this.registry.register(RateLimitRule.named("search").limit(3, HOUR.multipliedBy(2)).mode(Mode.ENFORCE).build());
		assertThat(this.search.peek("acme").limits()).extracting(LimitStatus::max, LimitStatus::period)
			.containsExactly(tuple(5L, HOUR.multipliedBy(2)));
		assertThat(this.search.peek("acme").remaining()).isEqualTo(4);
	}

	private void assertRefused(RateLimiter limiter, KeyOverride override, String why) {
		assertThatExceptionOfType(RateLimitConfigurationException.class)
			.isThrownBy(() -> this.engine.keys().validate(limiter.rule(), override))
			.withMessageContaining(why);
	}

	private RateLimiter register(String name, long max, Mode mode) {
		return this.registry.register(RateLimitRule.named(name).limit(max, HOUR).mode(mode).build());
	}

	private Decision acquire(String... rules) {
		return this.engine
			.acquire(Demands
				.of(Arrays.stream(rules).map((rule) -> this.registry.limiter(rule).demand("acme", 1)).toList()))
			.decision();
	}

	private static int admitted(RateLimiter limiter, String key, int calls) {
		int admitted = 0;
		for (int i = 0; i < calls; i++) {
			admitted += limiter.tryAcquire(key).allowed() ? 1 : 0;
		}
		return admitted;
	}

	private static long micros(Instant time) {
		return time.toEpochMilli() * 1000;
	}

}
