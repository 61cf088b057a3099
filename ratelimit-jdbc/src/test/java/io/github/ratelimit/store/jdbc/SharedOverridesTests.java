package io.github.ratelimit.store.jdbc;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;

import com.zaxxer.hikari.HikariDataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import io.github.ratelimit.override.OverrideChanges;
import io.github.ratelimit.override.OverrideStore.Result;
import io.github.ratelimit.override.OverrideText;
import io.github.ratelimit.override.OverrideStore;
import io.github.ratelimit.override.RecordedChange;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Overrides of rules and keys that two instances share.
 */
class SharedOverridesTests {

	private static final Instant NOW = Instant.parse("2026-11-29T09:00:00Z");

	private final HikariDataSource pool = TestDatabase.selected().dataSource();

	private volatile long now = TimeUnit.SECONDS.toMicros(NOW.getEpochSecond());

	private final JdbcRateLimitStore first = instance();

	private final JdbcRateLimitStore second = instance();

	private JdbcRateLimitStore instance() {
		return new JdbcRateLimitStore(this.pool, "test", Duration.ofSeconds(20), 2, SchemaInitialization.ALWAYS,
				() -> this.now);
	}

	@AfterEach
	void close() {
		this.first.close();
		this.second.close();
		this.pool.close();
	}

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
		assertThat(changes.time()).isEqualTo(this.now);
		String text = "until=" + NOW.plusSeconds(60).toEpochMilli() + " blocked";
		assertThat(there.read("reply")).isEqualTo(Map.of("ann", text, "bob", text));
		assertThat(there.replace("reply", "bob", "another", null, "ops")).isEqualTo(Result.CONFLICT);
		this.now += TimeUnit.MINUTES.toMicros(1);
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
		this.first.deleteExpired(this.now + TimeUnit.DAYS.toMicros(10_000));
		assertThat(overrides.read("reply")).containsOnlyKeys("ann");
		TestDatabase.execute(this.pool, "delete from ratelimit_state");
		assertThat(overrides.changes(known.keysVersion()).keys()).as("all have to be read").isNull();
		this.now += 1_000;
		overrides.replace("reply", "bob", "", unlimited, "ops");
		assertThat(overrides.changes(known.keysVersion()).keys()).isNull();
	}

}
