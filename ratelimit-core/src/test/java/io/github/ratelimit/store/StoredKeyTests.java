package io.github.ratelimit.store;

import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.RateLimitRule;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Stored form of keys of any length. {@code RedisKeysTests} check their names in Redis.
 */
class StoredKeyTests {

	private static final RateLimitRule RULE = RateLimitRule.named("rule")
		.limit(1, Duration.ofSeconds(1))
		.algorithm(Algorithm.SLIDING_LOG)
		.build();

	@ParameterizedTest
	@MethodSource
	void keyOfUpTo128BytesIsKeptAsItIs(String key) {
		assertThat(StoredKey.of(key).text()).isSameAs(key);
		assertThat(StoredKey.of(key).textInUtf8()).isSameAs(key);
	}

	static Stream<String> keyOfUpTo128BytesIsKeptAsItIs() {
		return Stream.of("", "laoqian", "x".repeat(42), "x".repeat(128), "é".repeat(64), "中".repeat(42),
				"\uD83D\uDE00".repeat(32), "sha256", "sha256:12", "?");
	}

	@ParameterizedTest
	@MethodSource
	void otherKeysAreHashed(String key) {
		assertThat(StoredKey.of(key).text()).matches("sha256:[0-9a-f]{64}").isNotEqualTo(key);
		assertThat(StoredKey.of(key)).isEqualTo(StoredKey.of(key));
	}

	static Stream<String> otherKeysAreHashed() {
		return Stream.of("x".repeat(129), "é".repeat(65), "中".repeat(43), "x".repeat(65_536),
				"sha256:" + "0".repeat(64), StoredKey.of("x".repeat(129)).text());
	}

	@Test
	void keyThatWasStoredIsNotHashedAgain() {
		StoredKey hashed = StoredKey.of("x".repeat(129));
		assertThat(StoredKey.known(hashed.text())).isEqualTo(hashed).hasSameHashCodeAs(hashed);
		assertThat(new Demand(RuleCounts.of(RULE), hashed, 1).key()).isSameAs(hashed);
	}

	@Test
	void keysOfEqualStringHashCodesHaveOthers() {
		List<String> keys = IntStream.range(0, 1 << 10)
			.mapToObj((number) -> IntStream.range(0, 10)
				.mapToObj((bit) -> ((number >> bit & 1) == 0) ? "Aa" : "BB")
				.collect(Collectors.joining()))
			.toList();
		assertThat(keys.stream().map(String::hashCode).distinct()).hasSize(1);
		assertThat(keys.stream().map((key) -> StoredKey.of(key).hashCode()).distinct()).hasSizeGreaterThan(1_000);
	}

	@ParameterizedTest
	@ValueSource(ints = { 1, 20, 60, 128, 129, 65_536 })
	void keysWithUnpairedSurrogatesStayDifferent(int length) {
		String rest = "x".repeat(length - 1);
		List<String> keys = List.of(rest + '?', rest + '\uD800', rest + '\uDC00', '\uD801' + rest, rest + '\uFFFD');
		assertThat(keys.stream().map(StoredKey::of).map(StoredKey::text)).doesNotHaveDuplicates();
		assertThat(keys.stream().map(StoredKey::of).map(StoredKey::textInUtf8)).doesNotHaveDuplicates();
	}

}
