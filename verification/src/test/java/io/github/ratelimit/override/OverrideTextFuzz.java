package io.github.ratelimit.override;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.logging.Level;
import java.util.logging.Logger;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.KeyOverride;
import io.github.ratelimit.Limit;
import io.github.ratelimit.OnStoreFailure;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.engine.CandidateOverride;
import io.github.ratelimit.engine.RateLimitEngine;
import io.github.ratelimit.engine.RuleOverride;
import io.github.ratelimit.engine.RuleRegistry;
import io.github.ratelimit.fuzz.FuzzInput;
import io.github.ratelimit.store.local.LocalFallbackStore;
import io.github.ratelimit.store.local.LocalRateLimitStore;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Stored texts of overrides and of changes. Those that cannot be read are refused with
 * what is wrong; others are read as they would be written.
 */
public final class OverrideTextFuzz {

	/**
	 * Kept from the garbage collector, and with it the level.
	 */
	private static final Logger SILENT = Logger.getLogger("io.github.ratelimit");

	private static final RateLimitEngine ENGINE = new RateLimitEngine(new LocalRateLimitStore(100),
			() -> OnStoreFailure.LOCAL, new LocalFallbackStore(100, 1));

	private static final RuleRegistry RULES = new RuleRegistry(ENGINE, Algorithm.SLIDING_LOG, List.of());

	private static final AppliedOverrides APPLIED = new AppliedOverrides(RULES, ENGINE.keys().verdicts(),
			new LocalOverrideStore(() -> 0), () -> 0);

	static {
		SILENT.setLevel(Level.OFF);
		RULES.register(RateLimitRule.named("reply").limit(5, Duration.ofMinutes(1)).build());
		RULES.register(RateLimitRule.named("sms")
			.limit(Limit.of(1, Duration.ofMinutes(1)).withName("minute"))
			.limit(Limit.of(10, Duration.ofDays(1)).withName("day"))
			.build());
	}

	private OverrideTextFuzz() {
	}

	public static void fuzzerTestOneInput(byte[] input) {
		FuzzInput from = new FuzzInput(input);
		int kind = from.below(4);
		String text = from.text();
		apply(text);
		try {
			switch (kind) {
				case 0 -> rule(text);
				case 1 -> key(text);
				case 2 -> candidate(text);
				default -> change(text);
			}
		}
		catch (IllegalArgumentException ex) {
			assertThat(ex).hasMessageMatching("(?s).*\\S.*");
		}
	}

	/**
	 * Read a text as any of those in Redis. The rules stay usable.
	 */
	private static void apply(String text) {
		assertThat(APPLIED.replaceRules(
				Map.of("reply", text, "sms", text, "reply?tight", text, "sms?tight", text, "?", text, "other?x", text)))
			.isTrue();
		assertThat(RULES.limiter("reply").peek("key").rule()).isEqualTo("reply");
		assertThat(RULES.limiter("sms").peek("key").rule()).isEqualTo("sms");
	}

	private static void rule(String text) {
		RuleOverride read = OverrideText.readRule("reply", text);
		assertThat(OverrideText.readRule("reply", OverrideText.of(read).words())).isEqualTo(read);
	}

	private static void key(String text) {
		KeyOverride read = OverrideText.readKey(text);
		String written = OverrideText.of(read).at(0);
		assertThat(OverrideText.readKey(written)).isEqualTo(read);
		assertThat(OverrideText.end(written))
			.isEqualTo((read.until() != null) ? read.until().toEpochMilli() : Long.MAX_VALUE);
	}

	private static void candidate(String text) {
		CandidateOverride read = OverrideText.readCandidate("reply?tight", text);
		assertThat(read.rule()).isEqualTo("reply");
		assertThat(read.name()).isEqualTo("tight");
		assertThat(OverrideText.readCandidate("reply?tight", OverrideText.of(read).words())).isEqualTo(read);
	}

	private static void change(String text) {
		RecordedChange read = RecordedChange.read(text);
		String name = RecordedChange.nameOf(text);
		assertThat(name.length()).isLessThanOrEqualTo(200);
		assertThat(RecordedChange.read("at=1\nby=" + name + "\nkey=" + text)).satisfies((change) -> {
			assertThat(change.by()).isEqualTo(name);
			assertThat(change.key()).isEqualTo(text);
			assertThat(change.at().toEpochMilli()).isEqualTo(1);
		});
		assertThat(read.rule()).isNotNull();
	}

}
