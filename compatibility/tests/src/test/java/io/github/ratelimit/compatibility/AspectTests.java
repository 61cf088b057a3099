package io.github.ratelimit.compatibility;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import java.util.stream.Stream;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.RateLimitConfigurationException;
import io.github.ratelimit.annotation.RateLimited;
import org.aspectj.lang.JoinPoint;
import org.aspectj.lang.ProceedingJoinPoint;
import org.aspectj.lang.annotation.Around;
import org.aspectj.lang.annotation.Aspect;
import org.aspectj.lang.annotation.Before;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Import;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Aspects behind the limit, also of methods that run after the call has returned. Runs
 * with the AspectJ weaver on the class path.
 */
@OnOuterLines
class AspectTests {

	private static final Duration PATIENCE = Duration.ofSeconds(30);

	@ParameterizedTest
	@MethodSource
	void aspectSeesEachCall(Function<Calls, Object> call) {
		try (Server application = Server.startLocal(Audited.class)) {
			for (int i = 0; i < 2; i++) {
				assertThat(call.apply(application.bean(Calls.class))).isEqualTo("done");
			}
			assertThat(application.bean(Audit.class).seen).containsExactly("around x", "before x", "around x",
					"before x");
		}
	}

	static Stream<Named<Function<Calls, Object>>> aspectSeesEachCall() {
		return Stream.of(Named.of("value", (calls) -> calls.value("x")),
				Named.of("Mono", (calls) -> calls.mono("x").block(PATIENCE)),
				Named.of("Flux", (calls) -> calls.flux("x").blockLast(PATIENCE)),
				Named.of("stage", (calls) -> calls.stage("x").join()));
	}

	@Test
	void limitOfAnAspectStopsStartup() {
		assertThatExceptionOfType(RateLimitConfigurationException.class)
			.isThrownBy(() -> Server.startLocal(LimitedAspect.class))
			.withMessageContaining("Spring creates no proxy for an aspect");
	}

	@Import({ Calls.class, Audit.class })
	static class Audited {

	}

	@SpringBootConfiguration
	@EnableAutoConfiguration
	@Aspect
	static class LimitedAspect {

		@RateLimited(max = 1, period = 60)
		public void log() {
		}

	}

	@Aspect
	static class Audit {

		private final List<String> seen = new CopyOnWriteArrayList<>();

		@Around("@annotation(limited)")
		public Object around(ProceedingJoinPoint call, RateLimited limited) throws Throwable {
			this.seen.add("around " + call.getArgs()[0]);
			return call.proceed();
		}

		@Before("@annotation(io.github.ratelimit.annotation.RateLimited)")
		public void before(JoinPoint call) {
			this.seen.add("before " + call.getArgs()[0]);
		}

	}

	/** The second call of each method waits for its turn. */
	static class Calls {

		@RateLimited(max = 100, period = 1, algorithm = Algorithm.LEAKY_BUCKET, maxWait = "30s")
		public String value(String key) {
			return "done";
		}

		@RateLimited(max = 100, period = 1, algorithm = Algorithm.LEAKY_BUCKET, maxWait = "30s")
		public Mono<String> mono(String key) {
			return Mono.just("done");
		}

		@RateLimited(max = 100, period = 1, algorithm = Algorithm.LEAKY_BUCKET, maxWait = "30s")
		public Flux<String> flux(String key) {
			return Flux.just("done");
		}

		@RateLimited(max = 100, period = 1, algorithm = Algorithm.LEAKY_BUCKET, maxWait = "30s")
		public CompletableFuture<String> stage(String key) {
			return CompletableFuture.completedFuture("done");
		}

	}

}
