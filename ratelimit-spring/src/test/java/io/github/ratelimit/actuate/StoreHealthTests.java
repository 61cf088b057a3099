package io.github.ratelimit.actuate;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.Map;

import io.github.ratelimit.actuate.StoreHealth.State;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Health of the store as derived from its failures.
 */
class StoreHealthTests {

	private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

	private Instant now = START;

	private final StoreHealth health = new StoreHealth(clock(this::now));

	@Test
	void countsWhileNothingHappens() {
		assertThat(this.health.state()).isEqualTo(State.COUNTING);
		assertThat(this.health.details()).isEqualTo(Map.of("state", "counting"));
	}

	@Test
	void temporaryFailureDoesNotMatterWhileTheStoreIsCalled() {
		this.health.storeFailed("timeout", null);
		assertThat(this.health.state()).isEqualTo(State.COUNTING);
	}

	@Test
	void fallsBackWhileTheStoreIsLost() {
		this.health.storeUnavailable("timeout");
		pass(Duration.ofHours(2));
		assertThat(this.health.state()).isEqualTo(State.FALLBACK);
		assertThat(this.health.details())
			.isEqualTo(Map.of("state", "fallback", "reason", "timeout", "since", START.toString()));
		this.health.storeRecovered();
		assertThat(this.health.state()).isEqualTo(State.COUNTING);
	}

	@Test
	void fallsBackUntilTheLastPartIsFound() {
		this.health.storeUnavailable("timeout");
		pass(Duration.ofMinutes(1));
		this.health.storeUnavailable("connection");
		this.health.storeRecovered();
		assertThat(this.health.state()).isEqualTo(State.FALLBACK);
		assertThat(this.health.details()).containsEntry("since", START.toString());
		this.health.storeRecovered();
		assertThat(this.health.state()).isEqualTo(State.COUNTING);
	}

	@Test
	void mistakeIsShownForAMinuteAfterItWasMetLast() {
		this.health.storeFailed("wrongtype", "Remove the key.");
		pass(Duration.ofSeconds(50));
		this.health.storeFailed("wrongtype", "Remove the key.");
		pass(Duration.ofSeconds(60).minusMillis(1));
		assertThat(this.health.state()).isEqualTo(State.REFUSING);
		assertThat(this.health.details()).isEqualTo(Map.of("state", "refusing", "reason", "wrongtype", "remedy",
				"Remove the key.", "since", START.toString()));
		pass(Duration.ofMillis(1));
		assertThat(this.health.details()).isEqualTo(Map.of("state", "counting"));
	}

	@Test
	void mistakeThatComesAgainMuchLaterIsANewOne() {
		this.health.storeFailed("wrongtype", "Remove the key.");
		pass(Duration.ofHours(1));
		this.health.storeFailed("noperm", "Allow it.");
		assertThat(this.health.details()).containsEntry("reason", "noperm").containsEntry("since", this.now.toString());
	}

	@Test
	void mistakeIsReportedInsteadOfTheOutageItCauses() {
		this.health.storeFailed("noauth", "Set the password.");
		this.health.storeUnavailable("noauth");
		assertThat(this.health.state()).isEqualTo(State.REFUSING);
		pass(Duration.ofMinutes(1));
		assertThat(this.health.state()).isEqualTo(State.FALLBACK);
	}

	private Instant now() {
		return this.now;
	}

	private void pass(Duration time) {
		this.now = this.now.plus(time);
	}

	private static Clock clock(InstantSource source) {
		return source.withZone(ZoneOffset.UTC);
	}

}
