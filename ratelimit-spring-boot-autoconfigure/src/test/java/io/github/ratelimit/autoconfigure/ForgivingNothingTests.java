package io.github.ratelimit.autoconfigure;

import java.util.Locale;
import java.util.concurrent.atomic.AtomicReference;

import io.github.ratelimit.KeyOverride;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.RateLimiterRegistry;
import io.github.ratelimit.adaptive.LoadAdaptation;
import io.github.ratelimit.adaptive.LoadSignal;
import io.github.ratelimit.redis.process.RedisProcess;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.data.redis.RedisAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A lowered capacity judges calls and forgives nothing, whatever lowers it. A unit comes
 * back in hours, so that the clock stands for these tests.
 */
class ForgivingNothingTests {

	private static final String RULE = "ratelimit.rules.export.";

	private static final String ADAPTIVE = RULE + "adaptive.";

	@AutoClose
	private static final RedisProcess redis = RedisProcess.start();

	private enum Bucket {

		TOKEN_BUCKET, LEAKY_BUCKET, SLIDING_LOG, SLIDING_WINDOW, WEIGHTED_WINDOW, FIXED_WINDOW;

		String property() {
			return RULE + "algorithm=" + name().toLowerCase(Locale.ROOT).replace('_', '-');
		}

		/**
		 * Return the property of a limit with this capacity.
		 */
		String[] capacity(long units) {
			return (this == TOKEN_BUCKET || this == LEAKY_BUCKET)
					? new String[] { RULE + "max=10", RULE + "burst=" + units }
					: new String[] { RULE + "max=" + units };
		}

	}

	@ParameterizedTest
	@ValueSource(strings = { "local", "redis" })
	void loadThatRisesAndFallsOnOneNodeForgivesNothing(String store) {
		AtomicReference<Double> load = new AtomicReference<>(0.0);
		adaptive(load, 1_000, 100).withPropertyValues("ratelimit.store=" + store).run((context) -> {
			RateLimiter limiter = limiter(context);
			int admitted = 0;
			for (int i = 0; i < 5; i++) {
				load.set(0.0);
				context.getBean(LoadAdaptation.class).sample();
				admitted += drain(limiter, "one-node");
				load.set(1.0);
				context.getBean(LoadAdaptation.class).sample();
				admitted += drain(limiter, "one-node");
			}
			assertThat(admitted).isEqualTo(1_000);
		});
	}

	@ParameterizedTest
	@ValueSource(strings = { "lettuce", "jedis" })
	void twoNodesWithDifferentLoadsTogetherAdmitTheLargerLimit(String client) {
		AtomicReference<Double> calm = new AtomicReference<>(0.0);
		AtomicReference<Double> busy = new AtomicReference<>(1.0);
		ApplicationContextRunner first = adaptive(calm, 10, 1)
			.withPropertyValues("spring.data.redis.client-type=" + client);
		ApplicationContextRunner second = adaptive(busy, 10, 1)
			.withPropertyValues("spring.data.redis.client-type=" + client);
		first.run((one) -> second.run((other) -> {
			int admitted = 0;
			for (int i = 0; i < 5; i++) {
				admitted += drain(limiter(one), "two-nodes-" + client) + drain(limiter(other), "two-nodes-" + client);
			}
			assertThat(admitted).isEqualTo(10);
		}));
	}

	@ParameterizedTest
	@EnumSource
	void rollingDeploymentAdmitsTheLargerCapacity(Bucket bucket) {
		ApplicationContextRunner both = application().withPropertyValues(bucket.property(), RULE + "period=366d");
		both.withPropertyValues(bucket.capacity(10))
			.run((old) -> both.withPropertyValues(bucket.capacity(3)).run((current) -> {
				int admitted = 0;
				for (int i = 0; i < 20; i++) {
					admitted += drain(limiter(old), "rolling-" + bucket) + drain(limiter(current), "rolling-" + bucket);
				}
				assertThat(admitted).isEqualTo(10);
				assertThat(limiter(current).peek("rolling-" + bucket).remaining()).isZero();
			}));
	}

	/**
	 * An override does not change an explicit burst, which a leaky bucket needs.
	 */
	@ParameterizedTest
	@EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "LEAKY_BUCKET")
	void overrideThatIsRemovedHasForgivenNothing(Bucket bucket) {
		for (String store : new String[] { "local", "redis" }) {
			application()
				.withPropertyValues(bucket.property(), RULE + "period=366d", RULE + "max=100",
						"ratelimit.store=" + store)
				.run((context) -> {
					String key = "overridden-" + bucket;
					RateLimiter limiter = limiter(context);
					assertThat(limiter.tryAcquire(key, 2).remaining()).isEqualTo(98);
					limiter.override(key, KeyOverride.max(1));
					assertThat(limiter.tryAcquire(key).allowed()).isFalse();
					limiter.removeOverride(key);
					assertThat(limiter.peek(key).remaining()).isEqualTo(98);
					limiter.tryAcquire(key, 98);
					limiter.override(key, KeyOverride.max(3));
					assertThat(limiter.tryAcquire(key).allowed()).isFalse();
					limiter.removeOverride(key);
					assertThat(limiter.tryAcquire(key).allowed()).isFalse();
				});
		}
	}

	private ApplicationContextRunner adaptive(AtomicReference<Double> load, long calm, long busy) {
		return application().withBean("queue", LoadSignal.class, () -> load::get)
			.withPropertyValues(RULE + "algorithm=token-bucket", RULE + "period=366d", "ratelimit.adaptive.interval=1d",
					ADAPTIVE + "signal=queue", ADAPTIVE + "low.at=0.1", ADAPTIVE + "low.max=" + calm,
					ADAPTIVE + "high.at=0.9", ADAPTIVE + "high.max=" + busy);
	}

	private ApplicationContextRunner application() {
		return new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(RedisAutoConfiguration.class, RateLimitAutoConfiguration.class))
			.withPropertyValues("spring.data.redis.port=" + redis.port(), "ratelimit.redis.timeout=10s",
					"ratelimit.redis.deny-cache.enabled=false");
	}

	private static RateLimiter limiter(ApplicationContext context) {
		return context.getBean(RateLimiterRegistry.class).limiter("export");
	}

	/**
	 * Take single units until a few attempts in a row are denied.
	 */
	private static int drain(RateLimiter limiter, String key) {
		int admitted = 0;
		for (int denied = 0; denied < 3;) {
			if (limiter.tryAcquire(key).allowed()) {
				admitted++;
				denied = 0;
			}
			else {
				denied++;
			}
		}
		return admitted;
	}

}
