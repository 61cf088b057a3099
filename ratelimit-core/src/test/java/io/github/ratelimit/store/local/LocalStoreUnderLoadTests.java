package io.github.ratelimit.store.local;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.store.tck.AlgorithmUnderTest;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.Demands;
import io.github.ratelimit.store.StoreAnswer;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Two thousand times as many keys as local stores keep, called by several threads, leave
 * them within their bounds.
 */
@Tag("in-ci")
class LocalStoreUnderLoadTests {

	private static final int KEYS = 200_000;

	private static final Duration PERIOD = Duration.ofMinutes(1);

	private final LocalRateLimitStore store = new LocalRateLimitStore(100, () -> 1_000_000_000);

	@Test
	void keepsNoMoreKeysThanItMay() {
		RateLimitRule rule = rule("rule", PERIOD);
		IntStream.range(0, KEYS).parallel().forEach((key) -> this.store.acquire(new Demand(rule, "key-" + key, 1)));
		assertThat(this.store.counted()).hasSize(100);
		assertThat(IntStream.range(0, KEYS).filter((key) -> remaining(new Demand(rule, "key-" + key, 1)) == 0).count())
			.isEqualTo(100);
	}

	@Test
	void ruleWithFewKeysLosesNoneHoweverManyAnotherIsCalledWith() {
		RateLimitRule logIn = rule("log-in", PERIOD);
		RateLimitRule search = rule("search", PERIOD);
		List<Demand> attempts = IntStream.range(0, 49).mapToObj((key) -> new Demand(logIn, "key-" + key, 1)).toList();
		attempts.forEach((attempt) -> this.store.acquire(Demands.of(attempt)));
		IntStream.range(0, KEYS).parallel().forEach((key) -> this.store.acquire(new Demand(search, "key-" + key, 1)));
		assertThat(this.store.counted()).hasSize(100);
		assertThat(attempts).allSatisfy((attempt) -> assertThat(remaining(attempt)).isZero());
	}

	@Test
	void ruleWithFewKeysLosesNoneInTheFallbackStore() {
		LocalFallbackStore fallback = new LocalFallbackStore(100, 1);
		RateLimitRule logIn = rule("log-in", FallbackCalls.DAY);
		RateLimitRule search = rule("search", FallbackCalls.DAY);
		List<String> attempts = IntStream.range(0, 49).mapToObj((i) -> "user-" + i).toList();
		attempts.forEach((key) -> FallbackCalls.take(fallback, logIn, key, 1));
		IntStream.range(0, KEYS).parallel().forEach((i) -> FallbackCalls.take(fallback, search, "key-" + i, 1));
		assertThat(attempts).allSatisfy((key) -> assertThat(FallbackCalls.peek(fallback, logIn, key)).isZero());
	}

	/**
	 * Entries are dropped as soon as they are unused, while callers that have just found
	 * them make calls.
	 */
	@Test
	void nothingIsAdmittedTwiceWhereEntriesAreDropped() {
		AtomicLong time = new AtomicLong(1_000_000_000);
		LocalRateLimitStore busy = new LocalRateLimitStore(100, () -> time.addAndGet(300_000));
		RateLimitRule rule = rule("rule", Duration.ofSeconds(1));
		long[] admitted = IntStream.range(0, KEYS)
			.parallel()
			.peek((i) -> busy.acquire(new Demand(rule, "key-" + i, 1)))
			.mapToObj((i) -> busy.acquire(new Demand(rule, "key", 1)))
			.filter(StoreAnswer::isAdmitted)
			.mapToLong((answer) -> answer.get(0).time())
			.sorted()
			.toArray();
		assertThat(admitted).hasSizeGreaterThan(1_000);
		assertThat(IntStream.range(1, admitted.length).filter((i) -> admitted[i] - admitted[i - 1] < 1_000_000))
			.isEmpty();
	}

	private static RateLimitRule rule(String name, Duration period) {
		return RateLimitRule.named(name).limit(AlgorithmUnderTest.SLIDING_LOG.limit(1, period)).build();
	}

	private long remaining(Demand demand) {
		return this.store.peek(demand).outcomes().get(0).remaining();
	}

}
