package io.github.ratelimit.store.jdbc;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

import io.github.ratelimit.override.KeyOverrideChanges;
import io.github.ratelimit.override.KeyOverrideStore;
import io.github.ratelimit.override.KeyOverrideStore.Result;
import io.github.ratelimit.override.KeyOverrideText;
import io.github.ratelimit.override.OverrideStore;
import io.github.ratelimit.override.RecordedChange;
import io.github.ratelimit.override.StoredOverrides;
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
		StoredOverrides none = there.read("");
		assertThat(none.texts()).isEmpty();
		assertThat(here.replace("reply", null, "max=9", "ann\n")).isTrue();
		StoredOverrides one = there.read(none.version());
		assertThat(one.texts()).isEqualTo(Map.of("reply", "max=9"));
		assertThat(there.read(one.version())).isNull();
		assertThat(there.replace("reply", null, "max=1", "bob")).as("another override").isFalse();
		assertThat(there.replace("reply", "max=9", null, "bob")).isTrue();
		assertThat(here.read(one.version()).texts()).isEmpty();
		assertThat(here.latestChanges()).containsExactly(new RecordedChange(NOW, "bob", "reply", null, "max=9", ""),
				new RecordedChange(NOW, "ann", "reply", null, "", "max=9"));
	}

	@Test
	void overrideOfAKeyReachesTheOtherInstanceUntilItEnds() {
		KeyOverrideStore here = this.first.keyOverrides();
		KeyOverrideStore there = this.second.keyOverrides();
		KeyOverrideText blocked = new KeyOverrideText("blocked", Duration.ofMinutes(1), null);
		assertThat(here.replace("reply", "ann", "", blocked, "ops")).isEqualTo(Result.DONE);
		String version = there.changes("").version();
		assertThat(here.replace("reply", "bob", null, blocked, "ops")).isEqualTo(Result.DONE);
		KeyOverrideChanges changes = there.changes(version);
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
		KeyOverrideStore overrides = this.first.keyOverrides();
		KeyOverrideText unlimited = new KeyOverrideText("unlimited", null, null);
		overrides.replace("reply", "ann", "", unlimited, "ops");
		String version = overrides.changes("").version();
		this.instances.deleteExpiredIn(Duration.ofDays(10_000));
		assertThat(overrides.read("reply")).containsOnlyKeys("ann");
		this.instances.execute("delete from ratelimit_state");
		assertThat(overrides.changes(version).keys()).as("all have to be read").isNull();
		this.instances.advance(Duration.ofMillis(1));
		overrides.replace("reply", "bob", "", unlimited, "ops");
		assertThat(overrides.changes(version).keys()).isNull();
	}

	@Test
	void rowOfAnotherFormIsRefusedWithItsPlaceAndARemedy() {
		OverrideStore overrides = this.first.overrides();
		overrides.replace("reply", null, "max=9", "ops");
		this.instances.execute("update ratelimit_state set state = " + TestDatabase.selected().bytes("12"));
		assertThatExceptionOfType(StoreException.class).isThrownBy(() -> overrides.read(""))
			.withMessage("The row of ratelimit_state with rule_name test: overrides cannot be read: "
					+ "The state has form 9, but this version reads form 1 only")
			.satisfies((failure) -> assertThat(failure.reason()).isEqualTo("state"))
			.satisfies((failure) -> assertThat(failure.isOutage()).isFalse())
			.satisfies((failure) -> assertThat(failure.remedy()).contains("delete the row"));
	}

}
