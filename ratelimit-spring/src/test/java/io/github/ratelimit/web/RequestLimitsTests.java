package io.github.ratelimit.web;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;

import io.github.ratelimit.CalendarUnit;
import io.github.ratelimit.Decision;
import io.github.ratelimit.LimitStatus;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

/**
 * Response headers that show the limits of a request.
 */
class RequestLimitsTests {

	private static final Clock CLOCK = Clock.fixed(Instant.ofEpochMilli(1_000_400), ZoneOffset.UTC);

	private final Map<HeaderFormat, RequestLimits> limits = new EnumMap<>(HeaderFormat.class);

	private final Map<String, String> headers = new TreeMap<>();

	@Test
	void allowedCallShowsTheResetTime() {
		add(HeaderFormat.IETF, status("reply", 5, "PT60S", 4, "PT0S", "PT59.001S"));
		assertThat(this.headers).containsOnly(entry("RateLimit-Policy", "\"reply\";q=5;w=60"),
				entry("RateLimit", "\"reply\";r=4;t=60"));
	}

	@Test
	void deniedCallShowsTheRetryTime() {
		add(HeaderFormat.IETF, status("reply", 5, "PT60S", 0, "PT11.9S", "PT60S"));
		assertThat(this.headers).containsEntry("RateLimit", "\"reply\";r=0;t=12");
	}

	@Test
	void callThatCanNeverBeAdmittedShowsNoTime() {
		add(HeaderFormat.IETF,
				new LimitStatus("reply", 5, 5, Duration.ofSeconds(60), 5, Decision.NEVER, Duration.ZERO));
		assertThat(this.headers).containsEntry("RateLimit", "\"reply\";r=5");
	}

	@Test
	void windowThatIsNoWholeNumberOfSecondsIsLeftOut() {
		add(HeaderFormat.IETF, status("fast", 5, "PT0.1S", 4, "PT0S", "PT0.1S"));
		assertThat(this.headers).containsOnly(entry("RateLimit-Policy", "\"fast\";q=5"),
				entry("RateLimit", "\"fast\";r=4;t=1"));
	}

	@Test
	void windowOfACalendarIsLeftOut() {
		add(HeaderFormat.IETF, new LimitStatus("quota", "quota", 5, 5, Duration.ofDays(31), 4, Duration.ZERO,
				Duration.ofDays(9), CalendarUnit.MONTH, null, true));
		assertThat(this.headers).containsOnly(entry("RateLimit-Policy", "\"quota\";q=5"),
				entry("RateLimit", "\"quota\";r=4;t=777600"));
	}

	@Test
	void severalLimitsAreMembersOfOneList() {
		add(HeaderFormat.IETF, status("sms-minute", 1, "PT1M", 0, "PT40S", "PT40S"),
				status("sms-day", 10, "P1D", 9, "PT0S", "PT23H"));
		assertThat(this.headers).containsOnly(
				entry("RateLimit-Policy", "\"sms-minute\";q=1;w=60, \"sms-day\";q=10;w=86400"),
				entry("RateLimit", "\"sms-minute\";r=0;t=40, \"sms-day\";r=9;t=82800"));
	}

	@Test
	void policyShowsMaxAndNotTheBurst() {
		add(HeaderFormat.IETF,
				new LimitStatus("search", 30, 15, Duration.ofSeconds(60), 14, Duration.ZERO, Duration.ofSeconds(2)));
		assertThat(this.headers).containsEntry("RateLimit-Policy", "\"search\";q=30;w=60");
	}

	@Test
	void laterDecisionReplacesAnEarlierOneOfTheSameLimit() {
		add(HeaderFormat.IETF, status("reply", 5, "PT60S", 4, "PT0S", "PT60S"));
		add(HeaderFormat.IETF, status("other", 9, "PT60S", 8, "PT0S", "PT60S"));
		add(HeaderFormat.IETF, status("reply", 5, "PT60S", 3, "PT0S", "PT60S"));
		assertThat(this.headers).containsEntry("RateLimit", "\"reply\";r=3;t=60, \"other\";r=8;t=60");
	}

	@Test
	void ofTwoKeysOfOneRuleTheTightestIsShown() {
		LimitStatus much = status("reply", 5, "PT60S", 4, "PT0S", "PT60S");
		LimitStatus little = status("reply", 5, "PT60S", 1, "PT0S", "PT60S");
		for (LimitStatus[] keys : new LimitStatus[][] { { much, little }, { little, much } }) {
			add(HeaderFormat.IETF, keys);
			assertThat(this.headers).containsEntry("RateLimit", "\"reply\";r=1;t=60");
		}
	}

	@Test
	void limitsOfTwoRulesMayHaveOneName() {
		LimitStatus ofSms = status("sms", "minute", 1, "PT60S", 0, "PT40S", "PT60S");
		LimitStatus ofSmsMinute = status("sms-minute", 9, "PT60S", 8, "PT0S", "PT60S");
		String both = "\"sms-minute\";r=0;t=40, \"sms-minute\";r=8;t=60";
		add(HeaderFormat.IETF, ofSms, ofSmsMinute);
		assertThat(this.headers).containsEntry("RateLimit", both);
		add(HeaderFormat.IETF, ofSmsMinute);
		assertThat(this.headers).containsEntry("RateLimit", both);
	}

	@Test
	void oldFormatShowsTheTightestLimit() {
		add(HeaderFormat.X_RATELIMIT, status("sms-day", 10, "P1D", 3, "PT0S", "PT23H"),
				status("sms-minute", 5, "PT1M", 2, "PT0S", "PT40S"));
		assertThat(this.headers).containsOnly(entry("X-RateLimit-Limit", "5"), entry("X-RateLimit-Remaining", "2"),
				entry("X-RateLimit-Reset", "1041"));
	}

	@Test
	void limitThatDeniedIsTighterThanAnyThatDidNot() {
		add(HeaderFormat.X_RATELIMIT, status("empty", 5, "PT1M", 0, "PT0S", "PT60S"),
				status("denying", 10, "PT1M", 1, "PT10S", "PT30S"));
		assertThat(this.headers).containsEntry("X-RateLimit-Limit", "10");
	}

	@Test
	void ofLimitsThatDeniedTheOneThatHoldsLongestIsShown() {
		add(HeaderFormat.X_RATELIMIT, status("minute", 5, "PT1M", 1, "PT30S", "PT1M"),
				status("day", 10, "P1D", 2, "PT5H", "PT6H"));
		assertThat(this.headers).containsEntry("X-RateLimit-Limit", "10")
			.containsEntry("X-RateLimit-Remaining", "2")
			.containsEntry("X-RateLimit-Reset", "22601");
	}

	@Test
	void limitsOfABannedKeyHaveNothingLeftUntilTheBanEnds() {
		LimitStatus[] statuses = { status("login", "minute", 5, "PT60S", 1, "PT0S", "PT30S"),
				status("login", "day", 9, "P1D", 7, "PT0S", "PT2H"),
				status("loginpage", 3, "PT60S", 2, "PT0S", "PT60S") };
		Decision banned = denied("PT3595.1S", List.of(ban("PT3595.1S")), statuses);
		add(HeaderFormat.IETF, banned);
		assertThat(this.headers).containsEntry("RateLimit",
				"\"login-minute\";r=0;t=3596, \"login-day\";r=0;t=3596, \"loginpage\";r=2;t=60");
		add(HeaderFormat.X_RATELIMIT, banned);
		assertThat(this.headers).containsEntry("X-RateLimit-Limit", "9")
			.containsEntry("X-RateLimit-Remaining", "0")
			.containsEntry("X-RateLimit-Reset", "8201");
	}

	@Test
	void banOfARuleWithOneLimitConcernsNoRuleWithALongerName() {
		add(HeaderFormat.IETF, denied("PT1H", List.of(ban("PT1H")), status("login", 5, "PT60S", 1, "PT0S", "PT30S"),
				status("login-page", 3, "PT60S", 2, "PT0S", "PT60S")));
		assertThat(this.headers).containsEntry("RateLimit", "\"login\";r=0;t=3600, \"login-page\";r=2;t=60");
	}

	@Test
	void limitsOfABannedKeyDoNotWaitForAnotherRuleOfTheCall() {
		add(HeaderFormat.IETF, denied("PT1H", List.of(ban("PT5M"), new Decision.Denial("export")),
				status("login", 5, "PT60S", 1, "PT0S", "PT30S"), status("export", 1, "PT1H", 0, "PT1H", "PT1H")));
		assertThat(this.headers).containsEntry("RateLimit", "\"login\";r=0;t=300, \"export\";r=0;t=3600");
	}

	@Test
	void denialThatBeginsABanShowsTheEndOfTheBan() {
		Decision banning = denied("PT1H", List.of(new Decision.Denial("login"), ban("PT1H")),
				status("login", 1, "PT60S", 0, "PT60S", "PT60S"));
		add(HeaderFormat.IETF, banning);
		assertThat(this.headers).containsEntry("RateLimit", "\"login\";r=0;t=3600");
		add(HeaderFormat.X_RATELIMIT, banning);
		assertThat(this.headers).containsEntry("X-RateLimit-Reset", "4601");
	}

	@Test
	void limitWithTheNameOfABanBansNobody() {
		add(HeaderFormat.IETF,
				denied("PT9S", List.of(new Decision.Denial("login", "login-ban", Decision.Cause.LIMIT)),
						status("login", "ban", 1, "PT60S", 0, "PT9S", "PT60S"),
						status("login", "day", 9, "P1D", 7, "PT0S", "PT2H")));
		assertThat(this.headers).containsEntry("RateLimit", "\"login-ban\";r=0;t=9, \"login-day\";r=7;t=7200");
	}

	@Test
	void banOfACallThatNeverPassesShowsNoTime() {
		Decision never = new Decision(false, "login", 1, 0, Decision.NEVER, Duration.ZERO, Duration.ZERO,
				List.of(status("login", 1, "PT60S", 1, "PT0S", "PT7S")), Decision.Origin.LOCAL,
				List.of(new Decision.Denial("login", "login-ban", Decision.Cause.BAN, Decision.NEVER)));
		add(HeaderFormat.IETF, never);
		assertThat(this.headers).containsEntry("RateLimit", "\"login\";r=0");
		add(HeaderFormat.X_RATELIMIT, never);
		assertThat(this.headers).containsEntry("X-RateLimit-Reset", "1008");
	}

	@Test
	void noHeadersIfDisabled() {
		add(HeaderFormat.NONE, status("reply", 5, "PT60S", 4, "PT0S", "PT60S"));
		assertThat(this.headers).isEmpty();
	}

	@Test
	void noHeadersIfNothingWasCounted() {
		add(HeaderFormat.IETF);
		add(HeaderFormat.X_RATELIMIT);
		assertThat(this.headers).isEmpty();
	}

	@Test
	void headersAreWrittenOncePerChange() {
		RequestLimits limits = limits(HeaderFormat.IETF);
		assertThat(limits.isChanged()).isFalse();
		add(HeaderFormat.IETF);
		assertThat(limits.isChanged()).isFalse();
		limits.add(decision(status("reply", 5, "PT60S", 4, "PT0S", "PT60S")));
		assertThat(limits.isChanged()).isTrue();
		limits.write(this.headers::put);
		assertThat(limits.isChanged()).isFalse();
		limits.rewrite();
		assertThat(limits.isChanged()).isTrue();
	}

	@Test
	void resetIsAsOfTheDecisionWheneverItIsWritten() {
		AtomicLong now = new AtomicLong(1_000_400);
		RequestLimits limits = new RequestLimits(new WebRequests(HeaderFormat.X_RATELIMIT, 64, clock(now)));
		limits.add(decision(status("reply", 5, "PT60S", 4, "PT0S", "PT40S")));
		now.addAndGet(10_000);
		limits.write(this.headers::put);
		assertThat(this.headers).containsEntry("X-RateLimit-Reset", "1041");
	}

	@Test
	void resetIsAsOfTheDecisionOfTheTightestLimit() {
		AtomicLong now = new AtomicLong(1_000_400);
		RequestLimits limits = new RequestLimits(new WebRequests(HeaderFormat.X_RATELIMIT, 64, clock(now)));
		limits.add(decision(
				new LimitStatus("api", 5, 5, Duration.ofSeconds(60), 0, Duration.ZERO, Duration.ofSeconds(60))));
		now.addAndGet(3_000);
		limits.add(decision(status("search", 100, "PT60S", 90, "PT0S", "PT60S")));
		limits.write(this.headers::put);
		assertThat(this.headers).containsEntry("X-RateLimit-Limit", "5").containsEntry("X-RateLimit-Reset", "1061");
	}

	@Test
	void eachLimitIsShownInTheFormatsOfItsRule() {
		LimitHeaders formats = new LimitHeaders(List.of(HeaderFormat.IETF, HeaderFormat.X_RATELIMIT));
		formats.configure(Map.of("login", List.of(HeaderFormat.NONE), "old", List.of(HeaderFormat.X_RATELIMIT)),
				Set.of());
		RequestLimits shown = new RequestLimits(new WebRequests(formats, 64, CLOCK, new ForwardedHeaderWarning(true)));
		shown.add(decision(status("login", 5, "PT60S", 0, "PT0S", "PT60S"),
				status("old", 9, "PT60S", 2, "PT0S", "PT40S"), status("reply", 5, "PT60S", 4, "PT0S", "PT60S")));
		shown.write(this.headers::put);
		assertThat(this.headers).containsOnly(entry("RateLimit-Policy", "\"reply\";q=5;w=60"),
				entry("RateLimit", "\"reply\";r=4;t=60"), entry("X-RateLimit-Limit", "9"),
				entry("X-RateLimit-Remaining", "2"), entry("X-RateLimit-Reset", "1041"));
	}

	private void add(HeaderFormat format, LimitStatus... statuses) {
		add(format, decision(statuses));
	}

	private void add(HeaderFormat format, Decision decision) {
		RequestLimits of = limits(format);
		of.add(decision);
		of.write(this.headers::put);
	}

	private RequestLimits limits(HeaderFormat format) {
		return this.limits.computeIfAbsent(format, (unknown) -> new RequestLimits(new WebRequests(format, 64, CLOCK)));
	}

	private static Clock clock(AtomicLong now) {
		return new Clock() {

			@Override
			public ZoneId getZone() {
				return ZoneOffset.UTC;
			}

			@Override
			public Clock withZone(ZoneId zone) {
				return this;
			}

			@Override
			public Instant instant() {
				return Instant.ofEpochMilli(now.get());
			}

		};
	}

	private static Decision decision(LimitStatus... statuses) {
		boolean allowed = Arrays.stream(statuses).allMatch(LimitStatus::admitted);
		return new Decision(allowed, "rule", 0, 0, Duration.ZERO, Duration.ZERO, Duration.ZERO, List.of(),
				List.of(statuses), Decision.Origin.LOCAL);
	}

	private static Decision denied(String retryAfter, List<Decision.Denial> denials, LimitStatus... statuses) {
		return new Decision(false, "login", 0, 0, Duration.parse(retryAfter), Duration.ZERO, Duration.ZERO,
				List.of(statuses), Decision.Origin.LOCAL, denials);
	}

	private static Decision.Denial ban(String retryAfter) {
		return new Decision.Denial("login", "login-ban", Decision.Cause.BAN, Duration.parse(retryAfter));
	}

	private static LimitStatus status(String name, long max, String period, long remaining, String retryAfter,
			String resetAfter) {
		return new LimitStatus(name, max, max, Duration.parse(period), remaining, Duration.parse(retryAfter),
				Duration.parse(resetAfter));
	}

	private static LimitStatus status(String rule, String limit, long max, String period, long remaining,
			String retryAfter, String resetAfter) {
		return new LimitStatus(rule, rule + '-' + limit, max, max, Duration.parse(period), remaining,
				Duration.parse(retryAfter), Duration.parse(resetAfter), null, null, remaining > 0);
	}

}
