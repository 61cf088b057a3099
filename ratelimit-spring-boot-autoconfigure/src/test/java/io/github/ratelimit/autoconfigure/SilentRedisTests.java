package io.github.ratelimit.autoconfigure;

import java.time.Duration;
import java.util.List;

import io.github.ratelimit.Decision;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.RateLimiterRegistry;
import io.github.ratelimit.FaultyProxy;
import io.github.ratelimit.redis.process.RedisCluster;
import io.github.ratelimit.redis.process.RedisProcess;
import io.github.ratelimit.redis.process.RedisSentinel;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import org.springframework.boot.autoconfigure.data.redis.RedisAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.data.redis.core.StringRedisTemplate;

import static io.github.ratelimit.BusyMachine.durationOf;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Application whose Redis accepts connections and does not answer them for a while. All
 * timeouts of the client are the defaults, a minute for most.
 */
@Timeout(60)
class SilentRedisTests {

	/**
	 * Time after which the limiter abandons an attempt to connect, and some slack.
	 */
	private static final Duration SOON = Duration.ofSeconds(15);

	private final RedisProcess redis = RedisProcess.start();

	private final FaultyProxy proxy = new FaultyProxy(this.redis.port());

	@AfterEach
	void stop() {
		this.proxy.close();
		this.redis.close();
	}

	@Test
	void applicationStartsAndFindsRedisSoonAfterItAnswers() {
		this.proxy.silence();
		application().run((context) -> {
			RateLimiter limiter = context.getBean(RateLimiterRegistry.class).limiter("rule");
			assertThat(limiter.tryAcquire("key").origin()).isEqualTo(Decision.Origin.FALLBACK);
			this.proxy.answer();
			awaitRedis(limiter);
		});
	}

	@Test
	void limiterFindsRedisSoonAfterASilence() {
		application().run((context) -> {
			RateLimiter limiter = context.getBean(RateLimiterRegistry.class).limiter("rule");
			awaitRedis(limiter);
			this.proxy.silence();
			awaitFallback(limiter);
			this.proxy.answer();
			awaitRedis(limiter);
		});
	}

	@Test
	void applicationEndsSoonThatNeverReachedRedis() {
		this.proxy.silence();
		assertThat(durationOf(() -> application().run((context) -> assertThat(context).hasNotFailed())))
			.isLessThan(SOON.multipliedBy(2));
	}

	@Test
	void applicationEndsSoonThatHasLostRedis() {
		application().run((context) -> {
			RateLimiter limiter = context.getBean(RateLimiterRegistry.class).limiter("rule");
			awaitRedis(limiter);
			this.proxy.silence();
			awaitFallback(limiter);
			assertThat(durationOf(context::close)).isLessThan(SOON);
		});
	}

	@Test
	void applicationThatUsesRedisItselfWaitsForNoConnectionOfTheLimiter() {
		this.proxy.silence();
		application().run((context) -> {
			RateLimiter limiter = context.getBean(RateLimiterRegistry.class).limiter("rule");
			assertThat(limiter.tryAcquire("key").origin()).isEqualTo(Decision.Origin.FALLBACK);
			this.proxy.answer();
			StringRedisTemplate template = context.getBean(StringRedisTemplate.class);
			assertThat(durationOf(() -> template.hasKey("key"))).isLessThan(SOON);
		});
	}

	@Test
	void announcementsAreHeardSoonAfterASilence() {
		this.proxy.silence();
		application().run((context) -> {
			this.proxy.answer();
			awaitSubscriptions(1);
			this.proxy.silence();
			awaitSubscriptions(0);
			this.proxy.answer();
			awaitSubscriptions(1);
		});
	}

	private void awaitSubscriptions(long subscriptions) {
		Awaitility.await()
			.atMost(SOON)
			.untilAsserted(() -> assertThat(this.redis.command("PUBSUB", "NUMSUB", "ratelimit:{rules}"))
				.isEqualTo(List.of("ratelimit:{rules}", subscriptions)));
	}

	@Test
	void clusterIsFoundSoonAfterASilence() {
		try (RedisCluster cluster = RedisCluster.start();
				FaultyProxy node = new FaultyProxy(cluster.nodes().get(0).port())) {
			node.silence();
			clusterApplication(node).run((context) -> {
				RateLimiter limiter = context.getBean(RateLimiterRegistry.class).limiter("rule");
				assertThat(limiter.tryAcquire("key").origin()).isEqualTo(Decision.Origin.FALLBACK);
				node.answer();
				awaitRedis(limiter);
			});
		}
	}

	@Test
	void applicationEndsSoonThatNeverReachedItsCluster() {
		this.proxy.silence();
		assertThat(
				durationOf(() -> clusterApplication(this.proxy).run((context) -> assertThat(context).hasNotFailed())))
			.isLessThan(SOON.multipliedBy(2));
	}

	@Test
	void silentSentinelDoesNotHideTheOthers() {
		try (RedisSentinel group = RedisSentinel.start()) {
			this.proxy.silence();
			application()
				.withPropertyValues("spring.data.redis.sentinel.master=" + group.masterName(),
						"spring.data.redis.sentinel.nodes=127.0.0.1:" + this.proxy.port() + ",127.0.0.1:"
								+ group.sentinels().get(0).port())
				.run((context) -> awaitRedis(context.getBean(RateLimiterRegistry.class).limiter("rule")));
		}
	}

	private ApplicationContextRunner clusterApplication(FaultyProxy node) {
		return application().withPropertyValues("spring.data.redis.cluster.nodes=127.0.0.1:" + node.port());
	}

	private ApplicationContextRunner application() {
		return LimitedApplication.runner(RedisAutoConfiguration.class)
			.withPropertyValues("spring.data.redis.port=" + this.proxy.port(), "ratelimit.rules.rule.max=1000000",
					"ratelimit.rules.rule.period=30d", "ratelimit.rules.rule.algorithm=token-bucket");
	}

	private static void awaitRedis(RateLimiter limiter) {
		await(limiter, Decision.Origin.REDIS);
	}

	private static void awaitFallback(RateLimiter limiter) {
		await(limiter, Decision.Origin.FALLBACK);
	}

	private static void await(RateLimiter limiter, Decision.Origin origin) {
		Awaitility.await().atMost(SOON).until(() -> limiter.tryAcquire("key").origin() == origin);
	}

}
