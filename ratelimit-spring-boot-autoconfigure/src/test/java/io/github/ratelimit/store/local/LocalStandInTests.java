package io.github.ratelimit.store.local;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.Decision;
import io.github.ratelimit.Limit;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.Retained;
import io.github.ratelimit.algorithm.AlgorithmUnderTest;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.RateLimitStore;
import io.github.ratelimit.store.Refund;
import io.github.ratelimit.store.StoreException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.argThat;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;

/**
 * What counts while another store cannot, and what it hands over.
 */
class LocalStandInTests {

	private static final Duration DAY = Duration.ofDays(1);

	private final LocalRateLimitStore back = new LocalRateLimitStore(1_000);

	private final LocalStandIn standIn = new LocalStandIn(1_000, 1);

	@Test
	void answersAreOfAFallback() {
		assertThat(this.standIn.origin()).isEqualTo(Decision.Origin.FALLBACK);
	}

	@ParameterizedTest
	@EnumSource
	void whatStillCountsIsHandedOver(AlgorithmUnderTest algorithm) {
		RateLimitRule rule = rule(algorithm.limit(10, DAY));
		take(this.standIn, rule, "key", 10);
		this.standIn.handOver(this.back).toCompletableFuture().join();
		assertThat(this.back.acquire(List.of(new Demand(rule, "key", 1))).outcomes().get(0).admitted()).isFalse();
		assertThat(peek(this.standIn, rule, "key")).isEqualTo(10);
	}

	/**
	 * A key that was hashed here is the same elsewhere, where it would be hashed as well.
	 */
	@Test
	void longKeyIsHandedOverAsTheSameKey() {
		RateLimitRule rule = rule(log(10, DAY));
		List<String> keys = List.of("x".repeat(65_536), "sha256:", "\uD800");
		keys.forEach((key) -> take(this.standIn, rule, key, 3));
		this.standIn.handOver(this.back).toCompletableFuture().join();
		assertThat(keys).allSatisfy((key) -> assertThat(peek(this.back, rule, key)).isEqualTo(7));
	}

	@Test
	void longKeysAreNotKept() {
		RateLimitRule rule = rule(log(10, DAY));
		assertThat(Retained.longKeys((key) -> take(this.standIn, rule, key, 1))).isZero();
	}

	@Test
	void ruleWithFewKeysLosesNoneHoweverManyAnotherIsCalledWith() {
		RateLimitRule logIn = RateLimitRule.named("log-in").limit(log(10, DAY)).build();
		List<String> attempts = IntStream.range(0, 499).mapToObj((i) -> "user-" + i).toList();
		attempts.forEach((key) -> take(this.standIn, logIn, key, 4));
		IntStream.range(0, 1_000_000).parallel().forEach((i) -> take(this.standIn, rule(log(10, DAY)), "key-" + i, 1));
		assertThat(attempts).allSatisfy((key) -> assertThat(peek(this.standIn, logIn, key)).isEqualTo(6));
	}

	@Test
	void whatWasTakenThereBeforeCountsBesideIt() {
		RateLimitRule rule = rule(log(10, DAY));
		take(this.back, rule, "key", 4);
		take(this.standIn, rule, "key", 3);
		this.standIn.handOver(this.back).toCompletableFuture().join();
		assertThat(peek(this.back, rule, "key")).isEqualTo(3);
	}

	@Test
	void nothingIsHandedOverTwice() {
		RateLimitRule rule = rule(log(10, DAY));
		take(this.standIn, rule, "key", 3);
		this.standIn.handOver(this.back).toCompletableFuture().join();
		this.standIn.handOver(this.back).toCompletableFuture().join();
		assertThat(peek(this.back, rule, "key")).isEqualTo(7);
	}

	@Test
	void deniedAndForgottenCallsAreNotHandedOver() {
		RateLimitRule rule = rule(log(10, DAY));
		take(this.standIn, rule, "denied", 11);
		take(this.standIn, rule, "forgotten", 3);
		this.standIn.reset(rule, "forgotten");
		take(this.standIn, rule, "given back", 3);
		this.standIn.giveBack(List.of(new Refund(new Demand(rule, "given back", 3), Refund.NEWEST)));
		this.standIn.handOver(this.back).toCompletableFuture().join();
		assertThat(List.of("denied", "forgotten", "given back"))
			.allSatisfy((key) -> assertThat(peek(this.back, rule, key)).isEqualTo(10));
	}

	@Test
	void allOfManyKeysAreHandedOver() {
		RateLimitRule rule = rule(log(10, DAY));
		List<String> keys = IntStream.range(0, 1_000).mapToObj((i) -> "key-" + i).toList();
		LocalStandIn many = new LocalStandIn(10_000, 1);
		LocalRateLimitStore store = new LocalRateLimitStore(10_000);
		keys.forEach((key) -> take(many, rule, key, 1));
		many.handOver(store).toCompletableFuture().join();
		assertThat(keys).allSatisfy((key) -> assertThat(peek(store, rule, key)).isEqualTo(9));
	}

	@Test
	void storeThatFailsAgainLeavesTheRestHere() {
		RateLimitRule rule = rule(log(10, DAY));
		take(this.standIn, rule, "key", 3);
		assertThatThrownBy(() -> this.standIn.handOver(failing()).toCompletableFuture().join())
			.hasRootCauseMessage("gone");
		assertThat(peek(this.standIn, rule, "key")).isEqualTo(7);
		this.standIn.handOver(this.back).toCompletableFuture().join();
		assertThat(peek(this.back, rule, "key")).isEqualTo(7);
	}

	@ParameterizedTest
	@CsvSource({ "100, 1, 100", "100, 0.25, 25", "10, 0.25, 2", "3, 0.25, 1", "1, 0.01, 1" })
	void instanceAdmitsItsShareAndAtLeastOneUnit(long max, double share, long admitted) {
		LocalStandIn shared = new LocalStandIn(100, share);
		RateLimitRule rule = rule(log(max, DAY));
		assertThat(peek(shared, rule, "key")).isEqualTo(admitted);
	}

	@Test
	void shareOfABucketIsAShareOfItsBurst() {
		LocalStandIn shared = new LocalStandIn(100, 0.5);
		assertThat(peek(shared, rule(bucket(Algorithm.TOKEN_BUCKET).withBurst(40)), "a")).isEqualTo(20);
		assertThat(peek(shared, rule(bucket(Algorithm.TOKEN_BUCKET)), "b")).isEqualTo(50);
		assertThat(peek(shared, rule(bucket(Algorithm.LEAKY_BUCKET)), "c")).isEqualTo(1);
		assertThat(peek(shared, rule(bucket(Algorithm.LEAKY_BUCKET).withBurst(10)), "d")).isEqualTo(5);
	}

	@Test
	void partOfTheStoreThatFailsKeepsNothingFromTheOthers() {
		RateLimitRule rule = rule(log(10, DAY));
		take(this.standIn, rule, "left", 3);
		take(this.standIn, rule, "right", 3);
		RateLimitStore half = failing();
		given(half.charge(argThat((charges) -> charges != null && charges.get(0).key().text().equals("right"))))
			.willAnswer((call) -> this.back.charge(call.getArgument(0)));
		assertThatThrownBy(() -> this.standIn.handOver(half).toCompletableFuture().join()).hasRootCauseMessage("gone");
		assertThat(peek(this.back, rule, "right")).isEqualTo(7);
		assertThat(peek(this.standIn, rule, "right")).isEqualTo(10);
		assertThat(peek(this.standIn, rule, "left")).isEqualTo(7);
	}

	@Test
	void shareIsHandedOverToTheWholeLimit() {
		LocalStandIn shared = new LocalStandIn(100, 0.25);
		RateLimitRule rule = rule(bucket(Algorithm.TOKEN_BUCKET));
		take(this.back, rule, "key", 60);
		take(shared, rule, "key", 20);
		shared.handOver(this.back).toCompletableFuture().join();
		assertThat(peek(this.back, rule, "key")).isEqualTo(20);
		assertThat(peek(shared, rule, "key")).isEqualTo(25);
	}

	private static RateLimitStore failing() {
		RateLimitStore failing = mock(RateLimitStore.class);
		given(failing.partOf(any())).willAnswer((call) -> call.<Demand>getArgument(0).key());
		given(failing.charge(any())).willReturn(CompletableFuture.failedStage(new StoreException("gone", null)));
		return failing;
	}

	private static Limit log(long max, Duration period) {
		return Limit.of(max, period).withAlgorithm(Algorithm.SLIDING_LOG);
	}

	private static Limit bucket(Algorithm algorithm) {
		return Limit.of(100, DAY).withAlgorithm(algorithm);
	}

	private static void take(RateLimitStore store, RateLimitRule rule, String key, long cost) {
		store.acquire(List.of(new Demand(rule, key, cost)));
	}

	private static long peek(RateLimitStore store, RateLimitRule rule, String key) {
		return store.acquire(List.of(new Demand(rule, key, 0))).outcomes().get(0).remaining();
	}

	private static RateLimitRule rule(Limit limit) {
		return RateLimitRule.named("rule").limit(limit).build();
	}

}
