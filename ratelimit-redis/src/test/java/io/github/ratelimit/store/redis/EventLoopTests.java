package io.github.ratelimit.store.redis;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;
import java.util.stream.Stream;

import io.netty.channel.DefaultEventLoop;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.data.redis.connection.RedisConnectionFactory;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.Decision;
import io.github.ratelimit.KeyOverride;
import io.github.ratelimit.OnStoreFailure;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.engine.Engines;
import io.github.ratelimit.engine.RateLimitEngine;
import io.github.ratelimit.engine.RuleRegistry;
import io.github.ratelimit.override.KeyOverrideRegistry;
import io.github.ratelimit.store.tck.AlgorithmOnStore;
import io.github.ratelimit.store.Demand;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Blocking calls on event loops, which other calls depend on.
 */
@Tag("every-redis")
class EventLoopTests {

	private static final Duration PATIENCE = Duration.ofSeconds(20);

	private static final RateLimitRule RULE = RateLimitRule.named("rule")
		.limit(1_000, Duration.ofDays(1))
		.algorithm(Algorithm.TOKEN_BUCKET)
		.build();

	private final String key = AlgorithmOnStore.freshKey();

	private RedisConnectionFactory connections;

	private RedisRateLimitStore store;

	private RateLimitEngine engine;

	private RateLimiter limiter;

	private void start(RunnerUnderTest client) {
		this.connections = client.connections(RedisUnderTest.process());
		this.store = new RedisRateLimitStore(this.connections, "loop", PATIENCE);
		this.engine = Engines.over(this.store, OnStoreFailure.DENY);
		this.engine.start();
		RuleRegistry registry = new RuleRegistry(this.engine, Algorithm.TOKEN_BUCKET, List.of());
		this.limiter = registry.register(RULE);
		KeyOverrideRegistry overrides = new KeyOverrideRegistry(registry, this.engine.keys(),
				this.store.overrides(this.connections), () -> 0);
		this.engine.keys().writeOverridesBy(() -> overrides);
	}

	@AfterEach
	void stop() {
		this.engine.close();
		this.store.close();
		RunnerUnderTest.destroy(this.connections);
	}

	@ParameterizedTest
	@EnumSource
	void callThatFollowsAnAsynchronousOneMayBlock(RunnerUnderTest client) {
		start(client);
		List<CompletableFuture<Decision>> calls = Stream
			.generate(() -> this.limiter.tryAcquireAsync(this.key)
				.thenApply((decision) -> this.limiter.tryAcquire(this.key))
				.toCompletableFuture())
			.limit(100)
			.toList();
		assertThat(CompletableFuture.allOf(calls.toArray(CompletableFuture[]::new))).succeedsWithin(PATIENCE);
		assertThat(calls).allSatisfy((call) -> assertThat(call.join().origin()).isEqualTo(Decision.Origin.REDIS));
		assertThat(this.limiter.peek(this.key).remaining()).isEqualTo(800);
	}

	static Stream<Consumer<RateLimiter>> blockingCalls() {
		return Stream.of((limiter) -> limiter.tryAcquire("key"), (limiter) -> limiter.peek("key"),
				(limiter) -> limiter.refund("key", 1), (limiter) -> limiter.reset("key"),
				(limiter) -> limiter.override("key", KeyOverride.blocked()),
				(limiter) -> limiter.removeOverride("key"));
	}

	@ParameterizedTest
	@MethodSource("blockingCalls")
	void blockingCallOnTheLoopThatReadsItsAnswerFailsAtOnce(Consumer<RateLimiter> blockingCall) {
		start(RunnerUnderTest.LETTUCE);
		CompletableFuture<Void> call;
		do {
			call = this.store.acquireAsync(new Demand(RULE, this.key, 1)).toCompletableFuture().thenAccept((answer) -> {
				assertThat(Thread.currentThread().getName()).startsWith("lettuce");
				blockingCall.accept(this.limiter);
			});
			assertThat(call.handle((done, failure) -> failure)).succeedsWithin(PATIENCE);
		}
		while (isAssertion(call));
		assertThat(call).failsWithin(PATIENCE)
			.withThrowableOfType(Exception.class)
			.withRootCauseInstanceOf(IllegalStateException.class)
			.withStackTraceContaining("Blocking call of rate limit \"rule\" on thread lettuce-")
			.withStackTraceContaining("Call tryAcquireAsync instead");
	}

	/**
	 * Return whether an assertion failed because the answer came first, and the test's
	 * own thread ran the continuation.
	 */
	private static boolean isAssertion(CompletableFuture<Void> call) {
		try {
			call.join();
			return false;
		}
		catch (CompletionException ex) {
			return ex.getCause() instanceof AssertionError;
		}
	}

	@Test
	void blockingCallOnAnotherLoopIsAnswered() {
		start(RunnerUnderTest.LETTUCE);
		DefaultEventLoop another = new DefaultEventLoop();
		try {
			assertThat(another.submit(() -> this.limiter.tryAcquire(this.key)).syncUninterruptibly().getNow().origin())
				.isEqualTo(Decision.Origin.REDIS);
		}
		finally {
			another.shutdownGracefully();
		}
	}

}
