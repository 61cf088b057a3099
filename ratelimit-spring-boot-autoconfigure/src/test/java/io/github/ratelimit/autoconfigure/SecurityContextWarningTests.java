package io.github.ratelimit.autoconfigure;

import java.util.concurrent.CompletableFuture;

import io.github.ratelimit.annotation.RateLimited;
import io.github.ratelimit.engine.RecordedLog;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A warning names methods that may run on a thread of the limiter if nothing propagates
 * the security context.
 */
class SecurityContextWarningTests {

	private final WebApplicationContextRunner runner = new WebApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(AopAutoConfiguration.class, RateLimitAutoConfiguration.class,
				ServletRateLimitAutoConfiguration.class));

	@AutoClose
	private final RecordedLog log = new RecordedLog(SecurityContextWarning.class);

	@Test
	void namesMethodsThatLeaveTheirThread() {
		this.runner.withBean(SecurityContextWarning.class)
			.withBean(Calls.class)
			.run((context) -> assertThat(context).hasNotFailed());
		assertThat(this.log.lines())
			.containsExactly("WARNING SecurityContextHolder may be empty in limited methods that "
					+ "run on a thread of the limiter: Calls.delayed(), Calls.mono(). Add the dependency "
					+ "io.micrometer:context-propagation, which keeps it.");
	}

	@Test
	void isAbsentWithoutSpringSecurity() {
		this.runner.withBean(Calls.class)
			.run((context) -> assertThat(context).doesNotHaveBean(SecurityContextWarning.class));
	}

	static class Calls {

		@RateLimited(max = 5, period = 60)
		public String plain() {
			return "";
		}

		@RateLimited(max = 5, period = 60)
		public CompletableFuture<String> stage() {
			return CompletableFuture.completedFuture("");
		}

		@RateLimited(max = 5, period = 60, maxWait = "1s")
		public CompletableFuture<String> delayed() {
			return CompletableFuture.completedFuture("");
		}

		@RateLimited(max = 5, period = 60)
		public Mono<String> mono() {
			return Mono.empty();
		}

	}

}
