package io.github.ratelimit.engine;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import io.github.ratelimit.Adaptive;
import io.github.ratelimit.Adaptive.Point;
import io.github.ratelimit.Algorithm;
import io.github.ratelimit.Decision;
import io.github.ratelimit.Limit;
import io.github.ratelimit.LimitAttribute;
import io.github.ratelimit.attribute.LimitAttributes;
import io.github.ratelimit.LimitStatus;
import io.github.ratelimit.Mode;
import io.github.ratelimit.OnStoreFailure;
import io.github.ratelimit.RateLimitConfigurationException;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.adaptive.LoadAdaptation;
import io.github.ratelimit.store.StoreException;
import io.github.ratelimit.store.local.LocalRateLimitStore;
import io.github.ratelimit.store.local.LocalFallbackStore;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.tuple;

/**
 * Calls under rules whose max follows the load.
 */
class AdaptiveEngineTests {

	private static final Duration DAY = Duration.ofDays(1);

	private volatile double load = 1024;

	private final CountDownLatch blocked = new CountDownLatch(1);

	private volatile boolean blocking;

	@AutoClose
	private final LoadAdaptation rules = new LoadAdaptation(Map.of("queue", () -> () -> {
		if (this.blocking) {
			await(this.blocked);
		}
		return this.load;
	}), DAY);

	private final FailingStore store = new FailingStore();

	private final RuleRegistry registry = new RuleRegistry(new RateLimitEngine(this.store, () -> OnStoreFailure.LOCAL,
			new LocalFallbackStore(100, 1), this.rules, null), Algorithm.SLIDING_LOG, List.of());

	@ParameterizedTest
	@CsvSource({ "100, 1000", "1024, 1000", "1536, 550", "2048, 100", "3072, 100" })
	void exactlyTheMaxOfTheLoadIsAdmitted(double given, long max) {
		this.load = given;
		RateLimiter limiter = this.registry.register(export(Algorithm.SLIDING_LOG));
		assertThat(limiter.tryAcquire("key", max + 1).allowed()).isFalse();
		Decision decision = limiter.tryAcquire("key", max);
		assertThat(decision.allowed()).isTrue();
		assertThat(decision.limit()).isEqualTo(max);
		assertThat(decision.limits()).extracting(LimitStatus::max, LimitStatus::capacity)
			.containsExactly(tuple(max, max));
		assertThat(limiter.tryAcquire("key").allowed()).isFalse();
	}

	@ParameterizedTest
	@EnumSource(names = { "SLIDING_LOG", "WEIGHTED_WINDOW", "TOKEN_BUCKET" })
	void changedLoadTakesEffectWithTheNextCallAndKeepsConsumedUnits(Algorithm algorithm) {
		RateLimiter limiter = this.registry.register(export(algorithm));
		assertThat(limiter.tryAcquire("key", 20).remaining()).isEqualTo(980);
		this.load = 1536;
		assertThat(limiter.peek("key").remaining()).isEqualTo(980);
		this.rules.sample();
		assertThat(limiter.peek("key").remaining()).isEqualTo(530);
		this.load = 2048;
		this.rules.sample();
		assertThat(limiter.tryAcquireAsync("key", 30).toCompletableFuture().join().remaining()).isEqualTo(50);
		this.load = 0;
		this.rules.sample();
		assertThat(limiter.peek("key").remaining()).isEqualTo(950);
	}

	@Test
	void moreMayHaveBeenConsumedThanMaxIsNow() {
		RateLimiter limiter = this.registry.register(export(Algorithm.SLIDING_LOG));
		limiter.tryAcquire("key", 150);
		this.load = 2048;
		this.rules.sample();
		Decision denied = limiter.tryAcquire("key");
		assertThat(denied.allowed()).isFalse();
		assertThat(denied.limit()).isEqualTo(100);
		assertThat(denied.remaining()).isZero();
		limiter.refund("key", 60);
		assertThat(limiter.peek("key").remaining()).isEqualTo(10);
		limiter.reset("key");
		assertThat(limiter.peek("key").remaining()).isEqualTo(100);
	}

	@Test
	void explicitBurstStaysAndItsUnitsComeBackAsBeforeUntilACallIsAdmitted() {
		RateLimitRule rule = RateLimitRule.named("export")
			.limit(export(Algorithm.TOKEN_BUCKET).limits().get(0).withBurst(40))
			.build();
		RateLimiter limiter = this.registry.register(rule);
		assertThat(limiter.tryAcquire("key", 40).resetAfter()).isEqualTo(DAY.multipliedBy(40).dividedBy(1000));
		this.load = 2048;
		this.rules.sample();
		Decision denied = limiter.tryAcquire("key");
		assertThat(denied.limit()).isEqualTo(40);
		assertThat(denied.limits().get(0).max()).isEqualTo(100);
		assertThat(denied.retryAfter()).isBetween(DAY.dividedBy(1000).minusSeconds(60), DAY.dividedBy(1000));
	}

	@Test
	void fallbackCountsByTheSameMax() {
		this.load = 2048;
		RateLimiter limiter = this.registry.register(export(Algorithm.SLIDING_LOG));
		this.store.failure = new StoreException("down", null);
		Decision decision = limiter.tryAcquire("key");
		assertThat(decision.origin()).isEqualTo(Decision.Origin.FALLBACK);
		assertThat(decision.limit()).isEqualTo(100);
	}

	@Test
	void registeredRuleStaysAsItIs() {
		this.load = 2048;
		RateLimitRule rule = export(Algorithm.SLIDING_LOG).withDefault(Mode.ENFORCE);
		assertThat(this.registry.register(rule).rule()).isSameAs(rule);
		assertThat(this.registry.rules()).containsExactly(rule);
	}

	@Test
	void ruleMayBeReplacedByOneThatIsNotAdaptive() {
		this.load = 2048;
		RateLimiter limiter = this.registry.register(export(Algorithm.SLIDING_LOG));
		limiter.tryAcquire("key", 20);
		this.registry.register(RateLimitRule.named("export").limit(500, DAY).build());
		assertThat(limiter.peek("key").remaining()).isEqualTo(480);
	}

	@Test
	void signalThatBlocksForeverDelaysNoCall() throws InterruptedException {
		RateLimiter limiter = this.registry.register(export(Algorithm.SLIDING_LOG));
		this.blocking = true;
		Thread sampling = new Thread(this.rules::sample);
		sampling.start();
		while (sampling.getState() != Thread.State.WAITING) {
			Thread.onSpinWait();
		}
		assertThat(limiter.tryAcquire("key", 20).remaining()).isEqualTo(980);
		assertThat(limiter.tryAcquireAsync("key").toCompletableFuture()).isCompleted();
		assertThat(sampling.isAlive()).isTrue();
		this.load = 2048;
		this.blocked.countDown();
		sampling.join(TimeUnit.SECONDS.toMillis(10));
		assertThat(limiter.peek("key").remaining()).isEqualTo(79);
	}

	@Test
	void unknownSignalIsReportedWithItsPlace() {
		LimitAttributes limit = Definitions.limit(null, 60).with(LimitAttribute.ADAPTIVE, adaptive("disk"));
		assertRefused(Definitions.properties("export", limit), "ratelimit.rules.export.adaptive.signal = \"disk\" is "
				+ "invalid: there is no such signal. Known: memory, cpu, queue.");
		assertRefused(Definitions.properties("export", Definitions.NOTHING, limit),
				"ratelimit.rules.export.limits[0].adaptive.signal = \"disk\" is invalid: ");
	}

	@Test
	void unknownSignalOfTheEnvironmentIsReportedWhenAnAnnotationCompletesTheRule() {
		RuleDefinition environment = Definitions.properties("export",
				LimitAttributes.NONE.with(LimitAttribute.ADAPTIVE, adaptive("disk")));
		RuleRegistry completed = registry(environment);
		assertThatExceptionOfType(RateLimitConfigurationException.class)
			.isThrownBy(() -> completed.define(Definitions.annotation("export", Definitions.limit(5L, 60))))
			.withMessageStartingWith("ratelimit.rules.export.adaptive.signal = \"disk\" is invalid: ");
	}

	@Test
	void unknownSignalOfARegisteredRuleIsRefused() {
		RateLimitRule rule = RateLimitRule.named("export").limit(5, DAY).adaptive(adaptive("disk")).build();
		assertThatExceptionOfType(RateLimitConfigurationException.class).isThrownBy(() -> this.registry.register(rule))
			.withMessageStartingWith("adaptive.signal of \"export\" = \"disk\" is invalid: ");
		assertThat(this.registry.rules()).isEmpty();
	}

	@Test
	void engineWithoutSignalsOfTheApplicationKnowsMemory() {
		LocalRateLimitStore local = new LocalRateLimitStore(100);
		RateLimitEngine engine = Engines.over(local);
		engine
			.validate(Limit.of(5, DAY).withAdaptive(new Adaptive("memory", new Point(0.6, 1000), new Point(0.9, 100))));
	}

	private void assertRefused(RuleDefinition definition, String beginning) {
		RuleRegistry refusing = registry(definition);
		assertThat(refusing.rules()).isEmpty();
		assertThatExceptionOfType(RateLimitConfigurationException.class).isThrownBy(() -> refusing.verify((mistake) -> {
			throw mistake;
		})).withMessageStartingWith(beginning);
	}

	private RuleRegistry registry(RuleDefinition definition) {
		return new RuleRegistry(new RateLimitEngine(this.store, () -> OnStoreFailure.LOCAL,
				new LocalFallbackStore(100, 1), this.rules, null), Algorithm.SLIDING_LOG, List.of(definition));
	}

	private static RateLimitRule export(Algorithm algorithm) {
		return RateLimitRule.named("export")
			.limit(Limit.of(1000, DAY).withAlgorithm(algorithm).withAdaptive(adaptive("queue")))
			.build();
	}

	private static Adaptive adaptive(String signal) {
		return new Adaptive(signal, new Point(1024, 1000), new Point(2048, 100));
	}

	private static void await(CountDownLatch latch) {
		try {
			latch.await();
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

}
