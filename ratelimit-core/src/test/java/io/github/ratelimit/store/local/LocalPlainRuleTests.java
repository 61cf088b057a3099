package io.github.ratelimit.store.local;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.Ban;
import io.github.ratelimit.Decision;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.algorithm.PackedBucket;
import io.github.ratelimit.store.Correction;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.RateLimitStore.PlainRule;
import io.github.ratelimit.store.RuleAnswer;
import io.github.ratelimit.store.RuleCounts;
import io.github.ratelimit.store.StoredKey;
import io.github.ratelimit.store.tck.AlgorithmOnStore;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Plain calls beside all others, by many threads.
 */
class LocalPlainRuleTests {

	private static final int CALLS = 200_000;

	private static final long NOW = 1_700_000_000_000_123L;

	private final AtomicLong clock = new AtomicLong(NOW);

	private final LocalRateLimitStore store = new LocalRateLimitStore(1_000, this.clock::get);

	@ParameterizedTest
	@EnumSource(names = { "TOKEN_BUCKET", "LEAKY_BUCKET", "SLIDING_LOG", "FIXED_WINDOW" })
	void exactlyMaxOfManySimultaneousCallsAreAdmitted(Algorithm algorithm) {
		PlainRule rule = plain(rule(algorithm, 1_000, Duration.ofDays(366)));
		assertThat(threads().filter((i) -> rule.decide("key", 1).allowed()).count()).isEqualTo(1_000);
		assertThat(rule.decide("key", 1).violated()).containsExactly("rule");
	}

	@ParameterizedTest
	@EnumSource(names = { "TOKEN_BUCKET", "FIXED_WINDOW" })
	void onlyDenialsAreReported(Algorithm algorithm) {
		RuleCounts counts = RuleCounts.of(rule(algorithm, 1, Duration.ofDays(1)));
		List<String> denied = new ArrayList<>();
		PlainRule rule = plain(counts).reportingDenials(counts, (of, key) -> denied.add(key));
		for (String key : List.of("ann", "bob", "bob")) {
			rule.decide(key, 1);
		}
		assertThat(denied).containsExactly("bob");
	}

	@Test
	void exactlyMaxAreAdmittedOfPlainCallsAndOthersThatChangeTheSameCount() {
		RuleCounts counts = RuleCounts.of(rule(Algorithm.TOKEN_BUCKET, 10_000, Duration.ofDays(366)));
		PlainRule rule = plain(counts);
		long units = threads().mapToLong((i) -> switch (i % 8) {
			case 0 -> units(this.store.acquire(new Demand(counts, "key", 2)).isAdmitted(), 2);
			case 1 -> units(this.store.acquire(new Demand(counts, "key", 0)).isAdmitted(), 0);
			case 2 -> units(this.store.peek(new Demand(counts, "key", 1)).isAdmitted(), 0);
			case 3 -> {
				this.store.tidy();
				yield 0;
			}
			default -> units(rule.decide("key", 1).allowed(), 1);
		}).sum();
		assertThat(units).isEqualTo(10_000);
	}

	@Test
	void refundsAndCallsThatAreRefundedLeaveWhatOthersHaveTaken() {
		RuleCounts counts = RuleCounts.of(rule(Algorithm.TOKEN_BUCKET, 1_000_000, Duration.ofDays(366)));
		PlainRule rule = plain(counts);
		long taken = threads().mapToLong((i) -> {
			if (i % 4 > 0) {
				return units(rule.decide("key", 1).allowed(), 1);
			}
			RuleAnswer answer = this.store.acquire(new Demand(counts, "key", 3)).get(0);
			AlgorithmOnStore.correct(this.store, (i % 8 > 0) ? List.of(answer.refund())
					: List.of(Correction.refund(new Demand(counts, "key", 3), Correction.NEWEST)));
			return 0;
		}).sum();
		assertThat(taken).isEqualTo(CALLS * 3 / 4);
		assertThat(remaining(counts)).isEqualTo(1_000_000 - taken);
	}

	/**
	 * Entries are dropped as soon as they are unused, and evicted, while callers that
	 * have just found them make calls.
	 */
	@Test
	void nothingIsAdmittedTwiceWhereEntriesAreDropped() {
		ThreadLocal<Long> latest = new ThreadLocal<>();
		LocalRateLimitStore busy = new LocalRateLimitStore(100, () -> {
			latest.set(this.clock.addAndGet(300_000));
			return latest.get();
		});
		PlainRule rule = busy.plain(RuleCounts.of(rule(Algorithm.TOKEN_BUCKET, 1, Duration.ofSeconds(1))));
		long[] admitted = threads().peek((i) -> rule.decide("key-" + i % 50, 1))
			.filter((i) -> rule.decide("key", 1).allowed())
			.mapToLong((i) -> latest.get())
			.sorted()
			.toArray();
		assertThat(admitted).hasSizeGreaterThan(CALLS / 20);
		for (int i = 1; i < admitted.length; i++) {
			assertThat(admitted[i] - admitted[i - 1]).isGreaterThanOrEqualTo(1_000_000);
		}
	}

	@Test
	void keepsNoMoreKeysThanItMay() {
		RuleCounts counts = RuleCounts.of(rule(Algorithm.TOKEN_BUCKET, 1, Duration.ofMinutes(1)));
		PlainRule rule = plain(counts);
		threads().forEach((i) -> rule.decide("key-" + i, 1));
		assertThat(this.store.counted()).hasSize(1_000);
		assertThat(IntStream.range(0, CALLS)
			.filter((i) -> this.store.peek(new Demand(counts, "key-" + i, 1)).first().remaining() == 0)
			.count()).isEqualTo(1_000);
	}

	@Test
	void calledEntryIsNotDroppedAlthoughItIsUnused() {
		RuleCounts counts = RuleCounts.of(rule(Algorithm.TOKEN_BUCKET, 10, Duration.ofSeconds(1)));
		PlainRule rule = plain(counts);
		rule.decide("key", 1);
		Entry entry = this.store.known(counts, StoredKey.of("key"));
		for (int i = 0; i < 10; i++) {
			this.clock.addAndGet(2_000_000);
			rule.decide("key", 1);
		}
		assertThat(this.store.known(counts, StoredKey.of("key"))).isSameAs(entry);
		this.clock.addAndGet(2_000_000);
		this.store.tidy();
		this.clock.addAndGet(20_000);
		this.store.tidy();
		assertThat(this.store.isEmpty()).isTrue();
	}

	@Test
	void bucketOfAChangedRuleIsNotPackedAgain() {
		RuleCounts counts = RuleCounts.of(rule(Algorithm.TOKEN_BUCKET, 10, Duration.ofSeconds(1)));
		plain(counts).decide("key", 10);
		RuleCounts changed = RuleCounts.of(rule(Algorithm.TOKEN_BUCKET, 20, Duration.ofSeconds(1)));
		PlainRule rule = plain(changed);
		assertThat(rule.decide("key", 1).remaining()).isEqualTo(9);
		this.clock.addAndGet(2_000_000);
		assertThat(rule.decide("key", 1).remaining()).isEqualTo(19);
		assertThat(isPacked(changed)).isFalse();
	}

	@Test
	void ruleThatIsPreparedAgainKeepsItsEntries() {
		for (int i = 0; i < 50; i++) {
			PlainRule rule = plain(rule(Algorithm.TOKEN_BUCKET, 1, Duration.ofSeconds(1)));
			for (int key = 0; key < 600; key++) {
				assertThat(rule.decide("key-" + key, 1).allowed()).isTrue();
			}
			for (int key = 0; key < 600; key++) {
				assertThat(rule.decide("key-" + key, 1).allowed()).isFalse();
			}
			this.clock.addAndGet(1_000_000);
		}
		assertThat(this.store.counted()).hasSize(600);
	}

	@Test
	void bucketIsPackedAgainAfterAPeekARefundAndAReset() {
		RuleCounts counts = RuleCounts.of(rule(Algorithm.TOKEN_BUCKET, 10, Duration.ofHours(1)));
		PlainRule rule = plain(counts);
		rule.decide("key", 4);
		assertThat(remaining(counts)).isEqualTo(6);
		assertThat(isPacked(counts)).isTrue();
		AlgorithmOnStore.correct(this.store,
				List.of(Correction.refund(new Demand(counts, "key", 2), Correction.NEWEST)));
		assertThat(isPacked(counts)).isFalse();
		assertThat(rule.decide("key", 1).remaining()).isEqualTo(7);
		assertThat(isPacked(counts)).isTrue();
		this.store.reset(counts, StoredKey.of("key"));
		assertThat(rule.decide("key", 1).remaining()).isEqualTo(9);
		assertThat(isPacked(counts)).isTrue();
	}

	@Test
	void bucketIsNotPackedWhileACallMayBeRefunded() {
		RuleCounts counts = RuleCounts.of(rule(Algorithm.TOKEN_BUCKET, 10, Duration.ofSeconds(1)));
		PlainRule rule = plain(counts);
		RuleAnswer answer = this.store.acquire(new Demand(counts, "key", 3)).get(0);
		rule.decide("key", 1);
		assertThat(isPacked(counts)).isFalse();
		AlgorithmOnStore.correct(this.store, List.of(answer.refund()));
		assertThat(rule.decide("key", 1).remaining()).isEqualTo(8);
		this.clock.addAndGet(1_000_000);
		rule.decide("key", 1);
		assertThat(isPacked(counts)).isTrue();
	}

	@Test
	void keyOfAPackedBucketIsBannedAsSoonAsItsRuleHasABanAgain() {
		RateLimitRule rule = rule(Algorithm.TOKEN_BUCKET, 1, Duration.ofHours(1));
		RuleCounts counts = RuleCounts.of(rule);
		RuleCounts banning = RuleCounts.of(RateLimitRule.named("rule")
			.limit(1, Duration.ofHours(1))
			.algorithm(Algorithm.TOKEN_BUCKET)
			.ban(new Ban(1, Duration.ofHours(1), Duration.ofHours(3)))
			.build());
		this.store.acquire(new Demand(banning, "key", 1));
		assertThat(this.store.acquire(new Demand(banning, "key", 1)).get(0).isBanned()).isTrue();
		this.clock.addAndGet(Duration.ofHours(1).toMillis() * 1_000);
		assertThat(plain(counts).decide("key", 1).allowed()).isTrue();
		assertThat(isPacked(counts)).isTrue();
		assertThat(this.store.peek(new Demand(banning, "key", 1)).isBanned()).isTrue();
		assertThat(isPacked(counts)).isTrue();
		assertThat(this.store.acquire(new Demand(banning, "key", 1)).get(0).isBanned()).isTrue();
	}

	/**
	 * Between reading the clock and the decision, a second passes in which a unit is
	 * refilled and another call takes one. So the call fits before and after that.
	 */
	@Test
	void callIsDecidedByTheStateAtItsTime() {
		List<Runnable> meanwhile = new ArrayList<>();
		LocalRateLimitStore slow = slow(meanwhile);
		PlainRule rule = slow.plain(RuleCounts.of(rule(Algorithm.TOKEN_BUCKET, 4, Duration.ofSeconds(4))));
		rule.decide("key", 2);
		meanwhile.add(() -> {
			this.clock.addAndGet(1_000_000);
			assertThat(rule.decide("key", 1).remaining()).isEqualTo(2);
		});
		Decision decision = rule.decide("key", 2);
		assertThat(decision.allowed()).isTrue();
		assertThat(decision.remaining()).isZero();
		assertThat(decision.resetAfter()).isEqualTo(Duration.ofSeconds(4));
	}

	/**
	 * After a call under the lock has read the clock, a second passes and another call
	 * arrives, which must not count before it.
	 */
	@Test
	void noUnitIsRefilledTwice() throws InterruptedException {
		List<Runnable> meanwhile = new ArrayList<>();
		LocalRateLimitStore slow = slow(meanwhile);
		RuleCounts counts = RuleCounts.of(rule(Algorithm.TOKEN_BUCKET, 4, Duration.ofSeconds(4)));
		PlainRule rule = slow.plain(counts);
		rule.decide("key", 2);
		Thread other = new Thread(() -> rule.decide("key", 1));
		meanwhile.add(() -> {
			this.clock.addAndGet(1_000_000);
			other.start();
			while (other.isAlive() && other.getState() != Thread.State.BLOCKED) {
				Thread.onSpinWait();
			}
		});
		assertThat(slow.acquire(new Demand(counts, "key", 1)).isAdmitted()).isTrue();
		other.join();
		assertThat(slow.peek(new Demand(counts, "key", 0)).first().remaining()).isEqualTo(1);
	}

	private LocalRateLimitStore slow(List<Runnable> meanwhile) {
		return new LocalRateLimitStore(100, () -> {
			long now = this.clock.get();
			List<Runnable> actions = List.copyOf(meanwhile);
			meanwhile.clear();
			actions.forEach(Runnable::run);
			return now;
		});
	}

	private boolean isPacked(RuleCounts counts) {
		return this.store.known(counts, StoredKey.of("key")).state() != PackedBucket.UNPACKED;
	}

	@Test
	void decisionHasTheValuesOfItsLimit() {
		PlainRule rule = plain(rule(Algorithm.TOKEN_BUCKET, 10, Duration.ofSeconds(3)));
		Decision admitted = rule.decide("key", 7);
		assertThat(admitted.remaining()).isEqualTo(3);
		assertThat(admitted.resetAfter()).isEqualTo(Duration.ofMillis(2_100));
		Decision denied = rule.decide("key", 4);
		assertThat(denied).isEqualTo(rule.decide("key", 4)).isNotEqualTo(admitted);
		assertThat(denied.retryAfter()).isEqualTo(Duration.ofMillis(300));
		assertThat(denied.limits()).singleElement()
			.isEqualTo(this.store
				.peek(new Demand(RuleCounts.of(rule(Algorithm.TOKEN_BUCKET, 10, Duration.ofSeconds(3))), "key", 4))
				.limits()
				.get(0));
		assertThat(rule.decide("key", 11).retryAfter()).isEqualTo(Decision.NEVER);
	}

	private static IntStream threads() {
		return IntStream.range(0, CALLS).parallel();
	}

	private static long units(boolean admitted, long cost) {
		return admitted ? cost : 0;
	}

	private long remaining(RuleCounts counts) {
		return this.store.peek(new Demand(counts, "key", 1)).first().remaining();
	}

	private PlainRule plain(RateLimitRule rule) {
		return plain(RuleCounts.of(rule));
	}

	private PlainRule plain(RuleCounts counts) {
		return this.store.plain(counts);
	}

	private static RateLimitRule rule(Algorithm algorithm, long max, Duration period) {
		RateLimitRule.Builder rule = RateLimitRule.named("rule").limit(max, period).algorithm(algorithm);
		return ((algorithm == Algorithm.LEAKY_BUCKET) ? rule.burst(max) : rule).build();
	}

}
