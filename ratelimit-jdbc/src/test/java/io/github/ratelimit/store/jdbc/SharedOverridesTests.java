package io.github.ratelimit.store.jdbc;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

import io.github.ratelimit.override.OverrideChanges;
import io.github.ratelimit.override.OverrideStore.Result;
import io.github.ratelimit.override.OverrideText;
import io.github.ratelimit.override.OverrideStore;
import io.github.ratelimit.override.RecordedChange;
import io.github.ratelimit.store.StoreException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Overrides of rules and keys that two instances share.
 */
class SharedOverridesTests {

	private static final Instant NOW = TwoInstances.BEGINNING;

	@AutoClose
	private final TwoInstances instances = new TwoInstances();

	private final JdbcRateLimitStore first = this.instances.first();

	private final JdbcRateLimitStore second = this.instances.second();

	@Test
	void overrideOfARuleReachesTheOtherInstance() {
		OverrideStore here = this.first.overrides();
		OverrideStore there = this.second.overrides();
		OverrideText max = new OverrideText("max=9");
		OverrideChanges none = there.changes("");
		assertThat(none.rulesVersion()).isEmpty();
		assertThat(here.replace(OverrideStore.RULES, "reply", "", max, "ann\n")).isEqualTo(Result.DONE);
		OverrideChanges one = there.changes(none.keysVersion());
		assertThat(one.rulesVersion()).isNotEmpty();
		assertThat(one.keysVersion()).isEmpty();
		assertThat(there.read(OverrideStore.RULES)).isEqualTo(Map.of("reply", "max=9"));
		assertThat(there.changes(one.keysVersion()).rulesVersion()).isEqualTo(one.rulesVersion());
		assertThat(there.replace(OverrideStore.RULES, "reply", "", max, "bob")).as("another override")
			.isEqualTo(Result.CONFLICT);
		assertThat(there.replace(OverrideStore.RULES, "reply", "max=9", null, "bob")).isEqualTo(Result.DONE);
		assertThat(here.changes(one.keysVersion()).rulesVersion()).isNotEqualTo(one.rulesVersion());
		assertThat(here.read(OverrideStore.RULES)).isEmpty();
		assertThat(here.latestChanges()).containsExactly(new RecordedChange(NOW, "bob", "reply", null, "max=9", ""),
				new RecordedChange(NOW, "ann", "reply", null, "", "max=9"));
	}

	@Test
	void overrideOfAKeyReachesTheOtherInstanceUntilItEnds() {
		OverrideStore here = this.first.overrides();
		OverrideStore there = this.second.overrides();
		OverrideText blocked = new OverrideText("blocked", Duration.ofMinutes(1), null);
		assertThat(here.replace("reply", "ann", "", blocked, "ops")).isEqualTo(Result.DONE);
		OverrideChanges known = there.changes("");
		assertThat(here.replace("reply", "bob", null, blocked, "ops")).isEqualTo(Result.DONE);
		OverrideChanges changes = there.changes(known.keysVersion());
		assertThat(changes.keys()).isEqualTo(Map.of("reply", Set.of("bob")));
		assertThat(changes.time()).isEqualTo(this.instances.now());
		String text = "until=" + NOW.plusSeconds(60).toEpochMilli() + " blocked";
		assertThat(there.read("reply")).isEqualTo(Map.of("ann", text, "bob", text));
		assertThat(there.replace("reply", "bob", "another", null, "ops")).isEqualTo(Result.CONFLICT);
		this.instances.advance(Duration.ofMinutes(1));
		there.removeEnded("reply", List.of("ann"));
		assertThat(here.read("reply", List.of("ann", "bob"))).containsOnlyKeys("bob");
		assertThat(there.latestChanges()).extracting(RecordedChange::key).containsExactly("bob", "ann");
	}

	@Test
	void rowsOutliveTheDeletionOfExpiredOnesAndLostOnesAreNoticed() {
		OverrideStore overrides = this.first.overrides();
		OverrideText unlimited = new OverrideText("unlimited");
		overrides.replace("reply", "ann", "", unlimited, "ops");
		OverrideChanges known = overrides.changes("");
		this.instances.deleteExpiredIn(Duration.ofDays(10_000));
		assertThat(overrides.read("reply")).containsOnlyKeys("ann");
		this.instances.execute("delete from ratelimit_state");
		assertThat(overrides.changes(known.keysVersion()).keys()).as("all have to be read").isNull();
		this.instances.advance(Duration.ofMillis(1));
		overrides.replace("reply", "bob", "", unlimited, "ops");
		assertThat(overrides.changes(known.keysVersion()).keys()).isNull();
	}

	@Test
	void rowOfAnotherFormIsRefusedWithItsPlaceAndARemedy() {
		OverrideStore overrides = this.first.overrides();
		overrides.replace(OverrideStore.RULES, "reply", null, new OverrideText("max=9"), "ops");
		this.instances.execute("update ratelimit_state set state = " + TestDatabase.selected().bytes("12"));
		assertThatExceptionOfType(StoreException.class).isThrownBy(() -> overrides.read(OverrideStore.RULES))
			.withMessage("The row of ratelimit_state with rule_name test: overrides cannot be read: "
					+ "The state has form 9, but this version reads form 1 only")
			.satisfies((failure) -> assertThat(failure.reason()).isEqualTo("state"))
			.satisfies((failure) -> assertThat(failure.isOutage()).isFalse())
			.satisfies((failure) -> assertThat(failure.remedy()).contains("delete the row"));
	}

}
