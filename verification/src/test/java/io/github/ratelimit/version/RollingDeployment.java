package io.github.ratelimit.version;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import io.github.ratelimit.redis.process.RedisProcess;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * What instances of the present version, and of an earlier commit, admit together: what
 * one instance would. Neither needs the fallback or complains. The commit is
 * {@code ratelimit.test.older}; {@code ratelimit.test.rounds} is the number of keys of
 * each rule.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(600)
class RollingDeployment {

	private static final int MAX = 500;

	private static final int ROUNDS = Integer.getInteger("ratelimit.test.rounds", 20);

	private final Random random = new Random(4711);

	@AutoClose
	private RedisProcess redis;

	@AutoClose
	private VersionUnderTest older;

	@AutoClose
	private VersionUnderTest newer;

	@BeforeAll
	@Timeout(1800)
	void start() throws Exception {
		String commit = System.getProperty("ratelimit.test.older");
		assertThat(commit).as("Set -Dratelimit.test.older to an earlier commit").isNotNull();
		this.redis = RedisProcess.start();
		List<String> arguments = new ArrayList<>(
				List.of("--spring.data.redis.port=" + this.redis.port(), "--ratelimit.redis.timeout=20s"));
		Stream.of(Rule.values()).map(Rule::arguments).forEach(arguments::addAll);
		this.older = VersionUnderTest.of(commit, arguments);
		this.newer = VersionUnderTest.present(arguments);
	}

	@AfterEach
	void nobodyComplains() {
		assertThat(List.of(this.older, this.newer))
			.allSatisfy((instance) -> assertThat(instance.complaints()).as(instance.toString()).isEmpty());
	}

	@ParameterizedTest
	@EnumSource(names = { "SLOTS", "BANNING" }, mode = EnumSource.Mode.EXCLUDE)
	void instancesThatTakeTurnsAdmitWhatOneWould(Rule rule) {
		for (int round = 0; round < ROUNDS; round++) {
			String key = freshKey();
			long admitted = 0;
			for (int calls = 0; calls < 2 * MAX;) {
				int turn = 1 + this.random.nextInt(MAX / 4);
				admitted += anyInstance().ask("take", rule, key, turn, 1 + this.random.nextInt(4));
				calls += turn;
			}
			assertAdmitted(rule, key, admitted);
		}
	}

	@ParameterizedTest
	@EnumSource(names = { "SLOTS", "BANNING" }, mode = EnumSource.Mode.EXCLUDE)
	void instancesThatCallAtTheSameTimeAdmitWhatOneWould(Rule rule) {
		for (int round = 0; round < ROUNDS; round++) {
			String key = freshKey();
			CompletableFuture<Long> others = CompletableFuture
				.supplyAsync(() -> this.older.ask("take", rule, key, 2 * MAX, 4));
			long admitted = this.newer.ask("take", rule, key, 2 * MAX, 4);
			assertAdmitted(rule, key, admitted + others.join());
		}
	}

	/**
	 * Assert that exactly the limit was admitted, after units that instances hold came
	 * back.
	 */
	private void assertAdmitted(Rule rule, String key, long admitted) {
		AtomicLong all = new AtomicLong(admitted);
		await().untilAsserted(() -> {
			all.addAndGet(anyInstance().ask("take", rule, key, MAX, 1));
			assertThat(all.get()).as("%s of %s", rule, key).isEqualTo(rule.most);
		});
		assertThat(List.of(this.older, this.newer))
			.allSatisfy((instance) -> assertThat(instance.ask("take", rule, key, 10, 1)).isZero());
	}

	private VersionUnderTest instance(boolean isOlder) {
		return isOlder ? this.older : this.newer;
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void slotsAreThoseOfBoth(boolean olderFirst) {
		String key = freshKey();
		VersionUnderTest one = instance(olderFirst);
		VersionUnderTest other = instance(!olderFirst);
		assertThat(IntStream.range(0, 3).mapToLong((i) -> one.ask("hold", Rule.SLOTS, key))).containsOnly(1L);
		assertThat(IntStream.range(0, 3).mapToLong((i) -> other.ask("hold", Rule.SLOTS, key))).containsExactly(1L, 1L,
				0L);
		one.ask("free", Rule.SLOTS, key);
		assertThat(other.ask("remaining", Rule.SLOTS, key)).isEqualTo(3);
		other.ask("free", Rule.SLOTS, key);
		assertThat(one.ask("remaining", Rule.SLOTS, key)).isEqualTo(5);
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void callsAreSettledForBoth(boolean olderFirst) {
		for (Rule rule : List.of(Rule.TOKEN_BUCKET, Rule.SLIDING_WINDOW, Rule.WEIGHTED_WINDOW, Rule.FIXED_WINDOW)) {
			String key = freshKey();
			instance(olderFirst).ask("settle", rule, key, 100, 1);
			assertThat(instance(!olderFirst).ask("remaining", rule, key)).as("%s", rule).isEqualTo(MAX - 1);
			instance(!olderFirst).ask("settle", rule, key, 10, MAX + 10);
			assertThat(instance(olderFirst).ask("take", rule, key, 1, 1)).as("%s in debt", rule).isZero();
			assertThat(instance(!olderFirst).ask("remaining", rule, key)).isZero();
		}
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void overridesHoldInBoth(boolean olderFirst) {
		String key = freshKey();
		instance(olderFirst).ask("override", Rule.SLIDING_LOG, key, 3);
		await().until(() -> instance(!olderFirst).ask("limit", Rule.SLIDING_LOG, key) == 3);
		assertThat(instance(!olderFirst).ask("take", Rule.SLIDING_LOG, key, 10, 1)).isEqualTo(3);
		assertThat(instance(!olderFirst).ask("remove", Rule.SLIDING_LOG, key)).isOne();
		await().until(() -> instance(olderFirst).ask("limit", Rule.SLIDING_LOG, key) == MAX);
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void bansHoldInBothUntilAReset(boolean olderFirst) {
		String key = freshKey();
		assertThat(instance(olderFirst).ask("take", Rule.BANNING, key, 3, 1)).isOne();
		assertThat(instance(!olderFirst).ask("banned", Rule.BANNING, key)).isZero();
		assertThat(instance(!olderFirst).ask("take", Rule.BANNING, key, 2, 1)).isZero();
		assertThat(instance(olderFirst).ask("banned", Rule.BANNING, key)).isOne();
		assertThat(instance(olderFirst).ask("take", Rule.BANNING, key, 1, 1)).isZero();
		instance(!olderFirst).ask("reset", Rule.BANNING, key);
		await().until(() -> instance(olderFirst).ask("take", Rule.BANNING, key, 1, 1) == 1);
	}

	private VersionUnderTest anyInstance() {
		return instance(this.random.nextBoolean());
	}

	private static String freshKey() {
		return UUID.randomUUID().toString();
	}

	/**
	 * Rule of both instances, with the calls of a key that it admits in the time of a
	 * run.
	 */
	private enum Rule {

		TOKEN_BUCKET(MAX, "algorithm=token-bucket"), LEAKY_BUCKET(MAX, "algorithm=leaky-bucket", "burst=" + MAX),
		SLIDING_LOG(MAX, "algorithm=sliding-log"), SLIDING_WINDOW(MAX, "algorithm=sliding-window"),
		WEIGHTED_WINDOW(MAX, "algorithm=weighted-window"), FIXED_WINDOW(MAX, "algorithm=fixed-window"),
		FROM_FIRST_REQUEST(MAX, "algorithm=fixed-window", "align=first-request"),
		WARM_UP(1, "algorithm=warm-up", "warm-up-period=30d"),
		OTHER_CLASS(MAX * 7 / 10, "algorithm=token-bucket", "headroom.other=30%"),
		TRIED(MAX, "algorithm=sliding-log", "candidates.tight.max=5", "candidates.bucket.algorithm=token-bucket"),
		HELD_BUCKET(MAX, "algorithm=token-bucket", "prefetch=50ms"),
		HELD_LOG(MAX, "algorithm=sliding-log", "prefetch=50ms"),
		HELD_WINDOW(MAX, "algorithm=sliding-window", "prefetch=50ms"),
		HELD_FIXED_WINDOW(MAX, "algorithm=fixed-window", "prefetch=50ms"),
		BANNING(1, "algorithm=sliding-log", "ban.after=4", "ban.within=1h", "ban.lasting=1h"),
		SLOTS(5, "algorithm=concurrency");

		private final long most;

		private final String[] properties;

		Rule(long most, String... properties) {
			this.most = most;
			this.properties = properties;
		}

		List<String> arguments() {
			List<String> arguments = new ArrayList<>();
			String prefix = "--ratelimit.rules." + this + '.';
			arguments.add(prefix + "max=" + ((this == BANNING || this == SLOTS) ? this.most : MAX));
			if (this != SLOTS) {
				arguments.add(prefix + "period=366d");
			}
			Arrays.stream(this.properties).map(prefix::concat).forEach(arguments::add);
			return arguments;
		}

		@Override
		public String toString() {
			return name().toLowerCase(Locale.ROOT).replace('_', '-');
		}

	}

}
