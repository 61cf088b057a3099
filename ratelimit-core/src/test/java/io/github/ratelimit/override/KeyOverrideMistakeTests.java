package io.github.ratelimit.override;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

import io.github.ratelimit.InvalidAttributeException;
import io.github.ratelimit.KeyOverride;
import io.github.ratelimit.RateLimitConfigurationException;
import io.github.ratelimit.engine.RecordedLog;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

/**
 * Overrides of keys that are refused, and stored ones that cannot be read.
 */
class KeyOverrideMistakeTests {

	private final SharedOverrideStore store = new SharedOverrideStore(() -> 1_795_248_000_000_000L);

	private final OverridingInstance instance = new OverridingInstance(this.store, 5_000);

	@Test
	void overrideThatTheRuleCannotFollowIsRefused() {
		assertThatExceptionOfType(RateLimitConfigurationException.class)
			.isThrownBy(() -> this.instance.limiter.override("acme", KeyOverride.max(20_000)));
		assertThatExceptionOfType(RateLimitConfigurationException.class).isThrownBy(() -> KeyOverride.max(0));
		assertThatExceptionOfType(IllegalArgumentException.class)
			.isThrownBy(() -> this.instance.overrides.override("serach", "acme", KeyOverride.unlimited()));
		for (String key : List.of("k".repeat(1_001), "\ud83d")) {
			assertThatExceptionOfType(InvalidAttributeException.class)
				.isThrownBy(() -> this.instance.limiter.override(key, KeyOverride.unlimited()))
				.withMessageContaining("only well-formed keys of up to 1000 characters can be overridden.");
		}
		for (Duration time : List.of(Duration.ZERO, Duration.ofDays(367), Duration.ofNanos(1), Duration.ofDays(-1),
				Duration.ofSeconds(Long.MAX_VALUE), Duration.ofSeconds(Long.MIN_VALUE))) {
			assertThatExceptionOfType(InvalidAttributeException.class)
				.isThrownBy(() -> KeyOverride.blocked().lasting(time))
				.withMessageContaining("it has to be between 1 ms and 366 days.");
		}
		for (Instant end : List.of(Instant.MAX, Instant.MIN, Instant.parse("+10000-01-01T00:00:00Z"),
				Instant.EPOCH.minusMillis(1))) {
			assertThatExceptionOfType(InvalidAttributeException.class)
				.isThrownBy(() -> KeyOverride.blocked().until(end))
				.withMessageContaining("it has to be between the years 1970 and 9999.");
		}
		assertThat(this.store.read("search")).isEmpty();
	}

	@Test
	void overrideThatIsNullIsRefused() {
		assertThatNullPointerException().isThrownBy(() -> this.instance.limiter.override("acme", null))
			.withMessage("The override must not be null; to remove the override of a key, use removeOverride");
		assertThatNullPointerException().isThrownBy(() -> this.instance.limiter.withPlan("pro").override("acme", null))
			.withMessageStartingWith("The override must not be null");
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "max", "max=", "max=many", "blocked max=3", "until=1", "until=soon blocked",
			"until=9223372036854775807 blocked", "maxx=3" })
	void invalidTextIsReportedAndCanBeReplaced(String text) {
		try (RecordedLog log = new RecordedLog(AppliedOverrides.class)) {
			this.store.replace("search", "acme", null, new OverrideText(text), "ann");
			this.instance.overrides.applied().read();
			assertThat(log.lines()).singleElement()
				.asString()
				.startsWith("SEVERE The stored override \"" + text + "\" of a key of the rate limit rule \"search\"");
			assertThat(this.instance.limiter.peek("acme").limit()).isEqualTo(5);
			this.instance.limiter.override("acme", KeyOverride.max(9));
			assertThat(this.instance.limiter.peek("acme").limit()).isEqualTo(9);
		}
	}

}
