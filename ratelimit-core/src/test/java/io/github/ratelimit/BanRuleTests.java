package io.github.ratelimit;

import java.time.Duration;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class BanRuleTests {

	private static final Duration MINUTE = Duration.ofMinutes(1);

	private static final Ban BAN = new Ban(20, MINUTE, Duration.ofHours(1));

	private static final Limit LIMIT = Limit.of(5, MINUTE);

	@Test
	void ruleBansNobodyByDefault() {
		assertThat(RateLimitRule.named("login").limit(LIMIT).build().ban()).isNull();
	}

	@Test
	void changedCopiesBanAsWell() {
		RateLimitRule rule = rule(LIMIT);
		assertThat(rule.withLimits(List.of(LIMIT.withMax(7))).ban()).isEqualTo(BAN);
		assertThat(rule.withMode(Mode.SHADOW).ban()).isEqualTo(BAN);
		assertThat(rule).isNotEqualTo(RateLimitRule.named("login").limit(LIMIT).build());
	}

	@Test
	void bansDoNotGrowByDefault() {
		assertThat(BAN.isGrowing()).isFalse();
		assertThat(BAN).hasToString("after 20 denials within 1m for 1h");
		Ban growing = growingTo(Duration.ofDays(1));
		assertThat(growing.isGrowing()).isTrue();
		assertThat(growing).hasToString("after 20 denials within 1m for 1h, growing to 1d");
	}

	@ParameterizedTest
	@ValueSource(ints = { 0, -1, 1001 })
	void numberOfDenialsIsBounded(int after) {
		assertRefused(() -> new Ban(after, MINUTE, MINUTE),
				"ban.after = " + after + " is invalid: it has to be between 1 and 1000");
	}

	@ParameterizedTest
	@ValueSource(strings = { "PT0S", "PT-1S", "P367D" })
	void timesAreThoseOfLimits(Duration time) {
		assertRefused(() -> new Ban(1, time, MINUTE), "ban.within = ");
		assertRefused(() -> new Ban(1, MINUTE, time), "ban.lasting = ");
		assertRefused(() -> growingTo(time), "ban.growing-to = ");
	}

	@Test
	void longestBanIsNoShorterThanTheFirst() {
		assertRefused(() -> growingTo(Duration.ofMinutes(59)),
				"ban.growing-to = 59m is invalid: it is shorter than the first ban, which lasts 1h.");
	}

	@Test
	void deniedCallsThatCountAreNotBannedAsWell() {
		assertRefused(() -> rule(LIMIT.withAlgorithm(Algorithm.SLIDING_LOG).withCountDenied(true)),
				"ban = after 20 denials within 1m for 1h is invalid: count-denied lets denied calls extend the wait");
	}

	@Test
	void limitIsNotNamedLikeTheBan() {
		assertRefused(() -> rule(LIMIT.withName("ban"), LIMIT.withName("minute")),
				"ban = after 20 denials within 1m for 1h is invalid: decisions name it \"login-ban\", like one of");
		assertThat(rule(LIMIT.withName("ban")).nameOf(LIMIT)).isEqualTo("login");
	}

	private static Ban growingTo(Duration longest) {
		return new Ban(BAN.after(), BAN.within(), BAN.lasting(), longest);
	}

	private static void assertRefused(Runnable rule, String message) {
		assertThatExceptionOfType(InvalidAttributeException.class).isThrownBy(rule::run)
			.withMessageStartingWith(message);
	}

	private static RateLimitRule rule(Limit... limits) {
		RateLimitRule.Builder rule = RateLimitRule.named("login").ban(BAN);
		List.of(limits).forEach(rule::limit);
		return rule.build();
	}

}
