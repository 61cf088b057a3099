package io.github.ratelimit.test;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZonedDateTime;

import io.github.ratelimit.Decision;
import io.github.ratelimit.KeyOverride;
import io.github.ratelimit.Mode;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.RateLimiterRegistry;
import io.github.ratelimit.attribute.LimitAttributes;
import io.github.ratelimit.override.RecordedChange;
import io.github.ratelimit.override.RuleOverrideRegistry;
import io.github.ratelimit.test.ForumApplication.ExportService;
import io.github.ratelimit.test.ForumApplication.Occupancy;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.context.ApplicationContext;
import org.springframework.context.support.GenericApplicationContext;

import static io.github.ratelimit.test.RateLimitAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Everything that depends on time follows the given clock.
 */
@SpringBootTest(webEnvironment = WebEnvironment.NONE)
@AutoConfigureTestRateLimiter
class LimitedApplicationTests {

	@Autowired
	private ApplicationContext application;

	@Autowired
	private RateLimitClock clock;

	@Autowired
	private RateLimiterRegistry limiters;

	@Autowired
	private RuleOverrideRegistry overrides;

	@Autowired
	private ExportService exports;

	@Autowired
	private Occupancy occupancy;

	private RateLimiter limiter(String rule) {
		return this.limiters.limiter(rule);
	}

	@Test
	void countsInTheProcessAlthoughRedisIsConfigured() {
		assertThat(limiter("reply").tryAcquire("laoqian").origin()).isEqualTo(Decision.Origin.LOCAL);
	}

	@Test
	void periodPassesWhenTheClockAdvances() {
		limiter("reply").tryAcquire("laoqian", 5);
		assertThat(limiter("reply")).forKey("laoqian")
			.isDenied()
			.violates("reply")
			.hasRetryAfter(Duration.ofMinutes(1));
		this.clock.advance(Duration.ofMinutes(1).minusMillis(1));
		assertThat(limiter("reply")).forKey("laoqian").isDenied().hasRetryAfter(Duration.ofMillis(1));
		this.clock.advance(Duration.ofMillis(1));
		assertThat(limiter("reply")).forKey("laoqian").isAllowed().hasRemaining(5);
	}

	@RepeatedTest(2)
	void nothingIsCountedAtFirst() {
		assertThat(limiter("reply").tryAcquire("laoqian", 5)).isAllowed().hasRemaining(0);
		assertThat(limiter("sms").tryAcquire("+33")).isAllowed();
		this.clock.advance(Duration.ofDays(400));
	}

	@RepeatedTest(2)
	void noKeyIsOverriddenAtFirst() {
		assertThat(limiter("reply")).forKey("laoqian").hasRemaining(5);
		assertThat(limiter("reply")).forKey("gone").isAllowed();
		limiter("reply").override("laoqian", KeyOverride.max(900));
		limiter("reply").override("gone", KeyOverride.blocked().lasting(Duration.ofHours(1)));
		assertThat(limiter("reply")).forKey("laoqian").hasRemaining(900);
		assertThat(limiter("reply")).forKey("gone").isDenied().violates("reply").hasRetryAfter(Duration.ofHours(1));
		this.clock.advance(Duration.ofHours(1));
		assertThat(limiter("reply")).forKey("gone").isAllowed();
		assertThat(limiter("reply").overrides()).containsOnlyKeys("laoqian");
	}

	@RepeatedTest(2)
	void noKeyOfARuleIsOverriddenAtFirstThatTestsRegisterAndRemove() {
		RateLimiter late = this.limiters.register(RateLimitRule.named("late").limit(5, Duration.ofMinutes(1)).build());
		limiter("reply").override("laoqian", KeyOverride.max(900));
		assertThat(late).forKey("laoqian").isAllowed();
		late.override("laoqian", KeyOverride.blocked());
		this.limiters.remove("late");
	}

	@RepeatedTest(2)
	void noKeyIsOverriddenAtFirstEvenIfTestsSetAPastClock() {
		this.clock.set(Instant.parse("2020-01-01T00:00:00Z"));
		assertThat(limiter("reply")).forKey("gone").isAllowed();
		limiter("reply").override("gone", KeyOverride.blocked().lasting(Duration.ofHours(1)));
		assertThat(limiter("reply")).forKey("gone").isDenied();
	}

	@RepeatedTest(2)
	void noChangeIsRecordedAtFirst() {
		assertThat(this.overrides.latestChanges()).isEmpty();
		limiter("reply").override("laoqian", KeyOverride.max(900));
		this.overrides.change("reply", Mode.SHADOW, null, LimitAttributes.NONE, "ann");
		assertThat(this.overrides.latestChanges()).extracting(RecordedChange::at)
			.hasSize(2)
			.containsOnly(this.clock.instant());
	}

	@Test
	void contextThatIsRefreshedDuringATestResetsNothing() {
		limiter("reply").tryAcquire("laoqian", 5);
		try (GenericApplicationContext child = new GenericApplicationContext(this.application)) {
			child.refresh();
		}
		assertThat(limiter("reply")).forKey("laoqian").isDenied();
	}

	@RepeatedTest(2)
	void noKeyIsBannedAtFirst() {
		limiter("login").tryAcquire("mallory", 2);
		for (int i = 0; i < 3; i++) {
			assertThat(limiter("login").tryAcquire("mallory")).isDenied().violates("login");
		}
		assertThat(limiter("login")).forKey("mallory")
			.violates("login-ban")
			.isDeniedBy(Decision.Cause.BAN)
			.hasRetryAfter(Duration.ofHours(1));
		this.clock.advance(Duration.ofHours(1));
		assertThat(limiter("login")).forKey("mallory").isAllowed();
	}

	@RepeatedTest(2)
	void plansShareOneCounter() {
		RateLimiter free = limiter("search").withPlan("free");
		assertThat(free.tryAcquire("acme", 2)).isAllowed();
		assertThat(free).forKey("acme").isDenied();
		assertThat(limiter("search")).forKey("acme").hasRemaining(58);
	}

	@Test
	void calendarsFollowTheClock() {
		ZoneId paris = ZoneId.of("Europe/Paris");
		this.clock.set(ZonedDateTime.of(2027, 3, 31, 23, 59, 0, 0, paris).toInstant());
		assertThat(limiter("quota").tryAcquire("acme", 100)).isAllowed();
		assertThat(limiter("quota")).forKey("acme").hasRetryAfter(Duration.ofMinutes(1));
		this.clock.advance(Duration.ofMinutes(1));
		assertThat(limiter("quota").tryAcquire("acme", 100)).isAllowed();
		Duration april = Duration.between(this.clock.instant(), ZonedDateTime.of(2027, 5, 1, 0, 0, 0, 0, paris));
		assertThat(limiter("quota")).forKey("acme").hasRetryAfter(april);
	}

	@Test
	void ratesWarmUpByTheClock() {
		RateLimiter warm = limiter("warm");
		int cold = admittedIn(warm);
		this.clock.set(this.clock.instant());
		for (int i = 0; i < 600; i++) {
			this.clock.advance(Duration.ofMillis(33));
			warm.tryAcquire("");
		}
		assertThat(admittedIn(warm)).isGreaterThan(2 * cold);
	}

	private int admittedIn(RateLimiter limiter) {
		int admitted = 0;
		for (int i = 0; i < 1000; i++) {
			this.clock.advance(Duration.ofMillis(1));
			admitted += limiter.tryAcquire("").allowed() ? 1 : 0;
		}
		return admitted;
	}

	@RepeatedTest(2)
	void adaptiveLimitsFollowTheirSignalWhenTheClockMoves() {
		this.occupancy.set(0.0);
		this.clock.advance(Duration.ofSeconds(1));
		assertThat(limiter("load")).forKey("").hasRemaining(100);
		this.occupancy.set(1.0);
		assertThat(limiter("load")).forKey("").hasRemaining(100);
		this.clock.advance(Duration.ofSeconds(1));
		assertThat(limiter("load")).forKey("").hasRemaining(10);
	}

	@Test
	void callThatWaitsMovesTheClockToItsTurn() {
		Instant start = this.clock.instant();
		assertThat(this.exports.export()).isEqualTo(start);
		assertThat(this.exports.export()).isEqualTo(start.plusMillis(200));
		assertThat(this.exports.export()).isEqualTo(start.plusMillis(400));
		assertThat(this.clock.instant()).isEqualTo(start.plusMillis(400));
	}

	@Test
	void stageThatWaitsMovesTheClockToItsTurn() {
		Instant start = this.clock.instant();
		this.exports.exportLater().join();
		assertThat(this.exports.exportLater().join()).isEqualTo(start.plusMillis(200));
	}

	@Test
	void subscriptionThatWaitsMovesTheClockToItsTurn() {
		Instant start = this.clock.instant();
		this.exports.exportReactively().block();
		assertThat(this.exports.exportReactively().block()).isEqualTo(start.plusMillis(200));
	}

	@Test
	void programThatWaitsMovesTheClockToItsTurn() throws InterruptedException {
		Instant start = this.clock.instant();
		RateLimiter export = limiter("export");
		export.tryAcquire("");
		assertThat(export.acquire("", 1, Duration.ofDays(1))).isAllowed().hasDelay(Duration.ofMillis(200));
		assertThat(this.clock.instant()).isEqualTo(start.plusMillis(200));
	}

	@Test
	void programThatDoesNotWaitLeavesTheClock() {
		Instant start = this.clock.instant();
		RateLimiter export = limiter("export");
		for (int i = 0; i <= 10; i++) {
			assertThat(export.tryAcquire("")).isAllowed().hasDelay(ExportService.turn().multipliedBy(i));
		}
		assertThat(export.tryAcquire("")).isDenied();
		assertThat(this.clock.instant()).isEqualTo(start);
	}

	@Test
	void callThatIsLateDoesNotSetTheClockBack() throws InterruptedException {
		RateLimiter export = limiter("export");
		export.tryAcquire("");
		Decision waiting = export.tryAcquire("");
		assertThat(waiting).hasDelay(Duration.ofMillis(200));
		this.clock.advance(Duration.ofHours(1));
		Instant later = this.clock.instant();
		export.acquire("", 1, Duration.ofSeconds(2));
		assertThat(this.clock.instant()).isEqualTo(later);
	}

}
