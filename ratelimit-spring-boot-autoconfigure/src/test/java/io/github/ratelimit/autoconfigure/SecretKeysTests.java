package io.github.ratelimit.autoconfigure;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;

import io.github.ratelimit.Decision;
import io.github.ratelimit.KeyOverride;
import io.github.ratelimit.RateLimitException;
import io.github.ratelimit.RateLimitExceededException;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.RateLimiterRegistry;
import io.github.ratelimit.RateLimiterUnavailableException;
import io.github.ratelimit.Reservation;
import io.github.ratelimit.annotation.RateLimited;
import io.github.ratelimit.redis.process.RedisProcess;
import io.micrometer.core.instrument.MeterRegistry;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.actuate.autoconfigure.metrics.CompositeMeterRegistryAutoConfiguration;
import org.springframework.boot.actuate.autoconfigure.metrics.MetricsAutoConfiguration;
import org.springframework.boot.actuate.autoconfigure.metrics.export.simple.SimpleMetricsExportAutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.autoconfigure.data.redis.RedisAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

/**
 * A key may be a password or a token: it appears in no log at any level, no meter and no
 * exception, regardless of what happens to its calls.
 */
class SecretKeysTests {

	private static final String SECRET = "secret-token-4711";

	private RedisProcess redis;

	private final EveryLogLine log = new EveryLogLine();

	@BeforeEach
	void start() {
		this.redis = RedisProcess.start();
		this.log.open();
	}

	@AfterEach
	void stop() {
		this.log.close();
		this.redis.close();
	}

	@ParameterizedTest
	@ValueSource(strings = { "lettuce", "jedis" })
	void keysOfDecidedCallsStaySecret(String client) {
		run(client, (limiters) -> {
			limiters.rules().stream().map((rule) -> limiters.limiter(rule.name())).forEach((limiter) -> {
				limiter.reserve(SECRET).close();
				limiter.peek(SECRET);
				limiter.override(SECRET, KeyOverride.blocked());
				limiter.reserve(SECRET).close();
				limiter.removeOverride(SECRET);
				limiter.reset(SECRET);
			});
			RateLimiter settled = limiters.limiter("settled");
			Reservation owed = settled.reserve(SECRET);
			owed.settle(50);
			assertThat(settled.tryAcquire(SECRET).allowed()).isFalse();
			RateLimiter banned = limiters.limiter("banned");
			for (int i = 0; i < 5; i++) {
				banned.tryAcquire(SECRET);
			}
			assertThat(banned.peek(SECRET).allowed()).isFalse();
		});
	}

	@ParameterizedTest
	@ValueSource(strings = { "lettuce", "jedis" })
	void keysOfFailedCallsStaySecret(String client) {
		run(client, (limiters) -> {
			RateLimiter limiter = limiters.limiter("banned");
			limiter.tryAcquire(SECRET);
			this.redis.kill();
			for (int i = 0; i < 5; i++) {
				assertThat(limiter.tryAcquire(SECRET).origin()).isEqualTo(Decision.Origin.FALLBACK);
				limiters.limiter("slots").reserve(SECRET).close();
			}
			assertSecret(catchThrowableOfType(RateLimiterUnavailableException.class, () -> limiter.reset(SECRET)));
			this.redis.restart();
			Awaitility.await().until(() -> limiter.tryAcquire(SECRET).origin() == Decision.Origin.REDIS);
			this.redis.command("LPUSH", "ratelimit:{banned:" + SECRET + "-taken}:times", "not ours");
			assertThat(limiter.tryAcquire(SECRET + "-taken").origin()).isEqualTo(Decision.Origin.FALLBACK);
		});
	}

	@Test
	void exceptionsOfDeniedCallsNameTheRuleAndNoKey() {
		application("lettuce").withBean(Service.class)
			.withPropertyValues("ratelimit.rules.call.on-store-failure=deny")
			.run((context) -> {
				Service service = context.getBean(Service.class);
				service.call(SECRET);
				assertSecret(catchThrowableOfType(RateLimitExceededException.class, () -> service.call(SECRET)));
				this.redis.kill();
				assertSecret(
						catchThrowableOfType(RateLimiterUnavailableException.class, () -> service.call(SECRET + 2)));
			});
		assertThat(this.log.lines).isNotEmpty().noneMatch((line) -> line.contains(SECRET));
	}

	private static void assertSecret(RateLimitException denial) {
		for (Throwable each = denial; each != null; each = each.getCause()) {
			assertThat(each.toString()).doesNotContain(SECRET);
		}
		assertThat(denial).hasMessageContaining('"' + denial.rule() + '"');
	}

	private void run(String client, Consumer<RateLimiterRegistry> test) {
		application(client).run((context) -> {
			test.accept(context.getBean(RateLimiterRegistry.class));
			assertThat(context.getBean(MeterRegistry.class).getMeters()).isNotEmpty()
				.noneMatch((meter) -> meter.getId().toString().contains(SECRET));
		});
		assertThat(this.log.lines).isNotEmpty().noneMatch((line) -> line.contains(SECRET));
	}

	private ApplicationContextRunner application(String client) {
		return new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(AopAutoConfiguration.class, RedisAutoConfiguration.class,
					MetricsRateLimitAutoConfiguration.class, RateLimitAutoConfiguration.class,
					MetricsAutoConfiguration.class, SimpleMetricsExportAutoConfiguration.class,
					CompositeMeterRegistryAutoConfiguration.class))
			.withPropertyValues("spring.data.redis.port=" + this.redis.port(),
					"spring.data.redis.client-type=" + client, "ratelimit.redis.timeout=10s",
					"ratelimit.rules.settled.max=10", "ratelimit.rules.settled.period=1d",
					"ratelimit.rules.settled.algorithm=token-bucket", "ratelimit.rules.banned.max=1",
					"ratelimit.rules.banned.period=1d", "ratelimit.rules.banned.ban.after=2",
					"ratelimit.rules.banned.ban.within=1h", "ratelimit.rules.banned.ban.lasting=1h",
					"ratelimit.rules.held.max=100", "ratelimit.rules.held.period=1h",
					"ratelimit.rules.held.prefetch=20ms", "ratelimit.rules.slots.max=2",
					"ratelimit.rules.slots.algorithm=concurrency");
	}

	static class Service {

		@RateLimited(name = "call", key = "#token", max = 1, period = 3600)
		public void call(String token) {
		}

	}

	/**
	 * Log of the limiter at all levels, with the stack traces.
	 */
	private static final class EveryLogLine extends Handler {

		private final Logger logger = Logger.getLogger("io.github.ratelimit");

		private final List<String> lines = new CopyOnWriteArrayList<>();

		void open() {
			setLevel(Level.ALL);
			this.logger.addHandler(this);
			this.logger.setLevel(Level.ALL);
		}

		@Override
		public void publish(LogRecord line) {
			this.lines.add(new SimpleFormatter().format(line));
		}

		@Override
		public void flush() {
		}

		@Override
		public void close() {
			this.logger.removeHandler(this);
			this.logger.setLevel(null);
		}

	}

}
