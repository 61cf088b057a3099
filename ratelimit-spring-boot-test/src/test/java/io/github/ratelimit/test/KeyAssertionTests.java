package io.github.ratelimit.test;

import java.time.Duration;
import java.util.List;

import io.github.ratelimit.Decision;
import io.github.ratelimit.KeyOverride;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.RateLimiterRegistry;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;

import static io.github.ratelimit.test.RateLimitAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;

@SpringBootTest(webEnvironment = WebEnvironment.NONE)
@AutoConfigureTestRateLimiter
class KeyAssertionTests {

	@Autowired
	private RateLimitClock clock;

	@Autowired
	private RateLimiterRegistry limiters;

	@Test
	void takeNothing() {
		for (int i = 0; i < 3; i++) {
			assertThat(limiter("sms")).forKey("+33").isAllowed().hasRemaining(1);
		}
	}

	@Test
	void nameTheLimitThatWouldDeny() {
		limiter("sms").tryAcquire("+33");
		assertThat(limiter("sms")).forKey("+33").isDenied().violates("sms-minute").hasRetryAfter(Duration.ofMinutes(1));
	}

	@Test
	void doNotWait() {
		limiter("export").tryAcquire("");
		assertThat(limiter("export")).forKey("").isDenied().hasRetryAfter(Duration.ofMillis(200));
		assertThat(limiter("export").tryAcquire("")).isAllowed().hasDelay(Duration.ofMillis(200));
	}

	@Test
	void seeThatALimitLastsLongerThanTheBan() {
		for (int i = 0; i < 4; i++) {
			limiter("guess").tryAcquire("mallory");
		}
		assertThat(limiter("guess")).forKey("mallory").violates("guess-ban").hasRetryAfter(Duration.ofHours(1));
		this.clock.advance(Duration.ofMinutes(1).minusMillis(1));
		assertThat(limiter("guess").tryAcquire("mallory")).isDenied().hasRetryAfter(Duration.ofMillis(3_540_001));
		assertThat(limiter("guess")).forKey("mallory")
			.violates("guess-ban")
			.isDeniedBy(Decision.Cause.BAN)
			.hasRetryAfter(Duration.ofMillis(3_540_001));
		this.clock.advance(Duration.ofMillis(3_540_001));
		assertThat(limiter("guess")).forKey("mallory").isAllowed();
	}

	@Test
	void seeOverridesAndPlans() {
		limiter("reply").override("acme", KeyOverride.unlimited());
		limiter("reply").override("mallory", KeyOverride.blocked());
		limiter("reply").override("busy", KeyOverride.max(1));
		assertThat(limiter("reply")).forKey("acme").isAllowed();
		assertThat(limiter("reply")).forKey("mallory").isDenied().violates("reply").hasRetryAfter(Decision.NEVER);
		assertThat(limiter("reply")).forKey("busy").hasRemaining(1);
		assertThat(limiter("search").withPlan("free")).forKey("acme").hasRemaining(2);
	}

	@Test
	void messagesNameTheRuleAndTheKey() {
		assertThatExceptionOfType(AssertionError.class)
			.isThrownBy(() -> assertThat(limiter("reply")).forKey("laoqian").hasRemaining(4))
			.withMessageStartingWith("[rule \"reply\", key \"laoqian\"] ")
			.withMessageContaining("Expected the decision to have 4 remaining, but it has 5:")
			.withMessageContaining("LimitStatus[rule=reply, name=reply, max=5");
		assertThatExceptionOfType(AssertionError.class)
			.isThrownBy(() -> assertThat(limiter("reply")).as("at first").forKey("laoqian").isDenied())
			.withMessageStartingWith("[at first, rule \"reply\", key \"laoqian\"] ");
	}

	@Test
	void refuseNoKey() {
		assertThatIllegalArgumentException().isThrownBy(() -> assertThat(limiter("reply")).forKey(null))
			.withMessage("The key must not be null; \"\" is the one counter of a rule without keys");
	}

	@Test
	void unknownRulesAreRefusedWithTheKnownOnes() {
		assertThatIllegalArgumentException().isThrownBy(() -> assertThat(limiter("replies")).forKey("laoqian"))
			.withMessageContaining("There is no rate limit rule \"replies\".")
			.withMessageContaining("reply");
	}

	@Test
	void softAssertionsAreCollected() {
		RateLimitSoftAssertions softly = new RateLimitSoftAssertions();
		softly.assertThat(limiter("reply")).forKey("laoqian").hasRemaining(1).isDenied();
		softly.assertThat(limiter("sms").tryAcquire("+33")).isAllowed().violates("sms-day");
		softly.assertThat("text").isEqualTo("text");
		assertThat(softly.errorsCollected()).hasSize(3);
		assertThatExceptionOfType(AssertionError.class).isThrownBy(softly::assertAll)
			.withMessageContaining("[rule \"reply\", key \"laoqian\"] ")
			.withMessageContaining("to have 1 remaining, but it has 5")
			.withMessageContaining("to violate sms-day, but it violates none");
	}

	@Test
	void limitersOfOthersArePeekedAt() {
		Decision denied = new Decision(false, "own", 1, 0, Decision.NEVER, Duration.ZERO, Duration.ZERO, List.of(),
				Decision.Origin.NONE, List.of(new Decision.Denial("own", "own", Decision.Cause.BLOCK)));
		RateLimiter own = mock(RateLimiter.class);
		given(own.peek("key")).willReturn(denied);
		given(own.rule()).willReturn(limiter("reply").rule());
		assertThat(own).forKey("key").isDenied().violates("own");
	}

	private RateLimiter limiter(String rule) {
		return this.limiters.limiter(rule);
	}

}
