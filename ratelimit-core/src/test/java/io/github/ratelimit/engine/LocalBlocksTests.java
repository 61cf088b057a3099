package io.github.ratelimit.engine;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.KeyOverride;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.TooManyOverridesException;
import io.github.ratelimit.store.Demand;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Keys that are blocked in one instance alone.
 */
class LocalBlocksTests {

	private static final Demand CALL = new Demand(
			RateLimitRule.named("api").limit(5, Duration.ofMinutes(1)).algorithm(Algorithm.SLIDING_LOG).build(), "acme",
			1);

	private final AtomicLong clock = new AtomicLong(1_000);

	private final VerdictSource verdicts = new VerdictSource(() -> {
	}, (rule) -> {
	});

	@BeforeEach
	void setUp() {
		this.verdicts.endBy(this.clock::get);
	}

	@Test
	void blockEndsAndIsNeverShortened() {
		block("acme", 1_000);
		block("acme", 500);
		assertThat(this.verdicts.find(CALL)).isEqualTo(new Verdict.Deny(2_000));
		this.clock.set(1_999);
		assertThat(this.verdicts.find(CALL)).isNotNull();
		this.clock.set(2_000);
		assertThat(this.verdicts.find(CALL)).isNull();
		this.verdicts.forgetEndedBlocks();
		assertThat(this.verdicts.isEmpty("api")).isTrue();
	}

	@Test
	void laterOfTwoBlocksHoldsAndUnlimitedKeysAreNotBlocked() {
		block("acme", 1_000);
		override(KeyOverride.blocked().until(Instant.EPOCH.plus(1_500, ChronoUnit.MICROS)));
		assertThat(this.verdicts.find(CALL)).isEqualTo(new Verdict.Deny(2_000));
		override(KeyOverride.blocked().until(Instant.EPOCH.plus(3_000, ChronoUnit.MICROS)));
		assertThat(this.verdicts.find(CALL)).isEqualTo(new Verdict.Deny(3_000));
		override(KeyOverride.blocked());
		assertThat(this.verdicts.find(CALL)).isEqualTo(Verdict.DENY);
		override(KeyOverride.max(9));
		assertThat(this.verdicts.find(CALL)).isEqualTo(new Verdict.Deny(2_000));
		override(KeyOverride.unlimited());
		assertThat(this.verdicts.find(CALL)).isSameAs(Verdict.PASS);
	}

	@Test
	void keyStaysBlockedWhileAnOverrideReplacesItsBlock() {
		override(KeyOverride.blocked().until(Instant.EPOCH.plus(1_500, ChronoUnit.MICROS)));
		block("acme", 1_000);
		this.clock.set(1_600);
		AtomicBoolean isReplaced = new AtomicBoolean();
		this.verdicts.endBy(() -> {
			if (isReplaced.compareAndSet(false, true)) {
				override(KeyOverride.blocked().until(Instant.EPOCH.plus(2_000, ChronoUnit.MICROS)));
				this.verdicts.forgetBlock("api", "acme", 2_000);
			}
			return this.clock.get();
		});
		assertThat(this.verdicts.find(CALL)).isEqualTo(new Verdict.Deny(2_000));
		assertThat(isReplaced).isTrue();
	}

	@Test
	void sharedBlockReplacesNoLaterOne() {
		block("acme", 1_000);
		this.verdicts.forgetBlock("api", "acme", 1_999);
		assertThat(this.verdicts.isEmpty("api")).isFalse();
		this.verdicts.forgetBlock("api", "acme", 2_000);
		assertThat(this.verdicts.isEmpty("api")).isTrue();
	}

	@Test
	void forgottenBlocksHoldNoLonger() {
		this.verdicts.block("api", "acme", Duration.ofMinutes(2));
		this.verdicts.block("other", "", Duration.ofMinutes(2));
		this.verdicts.forgetBlocks();
		assertThat(this.verdicts.isEmpty("api")).isTrue();
		assertThat(this.verdicts.isEmpty("other")).isTrue();
	}

	@Test
	void numberOfBlocksIsBounded() {
		for (int i = 0; i < VerdictSource.MOST_BLOCKS; i++) {
			block("k" + i, (i == 0) ? 500 : 1_000);
		}
		this.clock.set(1_499);
		assertThatExceptionOfType(TooManyOverridesException.class).isThrownBy(() -> block("acme", 501));
		block("k1", 1_501);
		this.clock.set(1_500);
		block("acme", 500);
		assertThat(this.verdicts.find(CALL)).isEqualTo(new Verdict.Deny(2_000));
	}

	private void block(String key, long micros) {
		this.verdicts.block("api", key, Duration.of(micros, ChronoUnit.MICROS));
	}

	private void override(KeyOverride override) {
		this.verdicts.put("api", "acme", override);
	}

}
