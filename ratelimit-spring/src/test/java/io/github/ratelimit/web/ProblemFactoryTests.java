package io.github.ratelimit.web;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.Decision;
import io.github.ratelimit.Limit;
import io.github.ratelimit.LimitStatus;
import io.github.ratelimit.OnStoreFailure;
import io.github.ratelimit.RateLimitExceededException;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.RateLimiterUnavailableException;
import io.github.ratelimit.engine.RateLimitEngine;
import io.github.ratelimit.engine.RuleRegistry;
import io.github.ratelimit.store.local.LocalFallbackStore;
import io.github.ratelimit.store.local.LocalRateLimitStore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.http.MediaType;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Problem details for calls that were not executed.
 */
class ProblemFactoryTests {

	private static final Decision.Denial BLOCK = new Decision.Denial("sms", "sms", Decision.Cause.BLOCK);

	private final ProblemFactory problems = new ProblemFactory(List.of(), LimitHeaders.of(HeaderFormat.IETF));

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			PT0.000001S  | 1  | 1     | Try again in 1 ms.
			PT0.25S      | 1  | 250   | Try again in 250 ms.
			PT1S         | 1  | 1000  | Try again in 1 s.
			PT1.000001S  | 2  | 1001  | Try again in 2 s.
			PT11.9S      | 12 | 11900 | Try again in 12 s.
			PT3H53M9S    | 13989 | 13989000 | Try again in 3 h 54 min.
			""")
	void denialContainsTheRetryTimeRoundedUp(Duration retryAfter, String seconds, long millis, String remedy) {
		ResponseEntity<ProblemDetail> answer = this.problems.answer(denial(retryAfter));
		assertThat(answer.getStatusCode().value()).isEqualTo(429);
		assertThat(answer.getHeaders().getFirst("Retry-After")).isEqualTo(seconds);
		assertThat(answer.getHeaders().getContentType()).isEqualTo(MediaType.APPLICATION_PROBLEM_JSON);
		ProblemDetail problem = answer.getBody();
		assertThat(problem.getStatus()).isEqualTo(429);
		assertThat(problem.getType()).hasToString("https://iana.org/assignments/http-problem-types#quota-exceeded");
		assertThat(problem.getTitle()).isEqualTo("Request cannot be satisfied as assigned quota has been exceeded");
		assertThat(problem.getDetail()).isEqualTo(
				"Rate limit exceeded: \"sms-minute\" admits 1 per 60 s, \"sms-fast\" admits 2 per 100 ms. " + remedy);
		assertThat(problem.getProperties()).containsOnly(
				Map.entry("violated-policies", List.of("sms-minute", "sms-fast")), Map.entry("retry-after-ms", millis));
	}

	@Test
	void denialForEverContainsNoTime() {
		ResponseEntity<ProblemDetail> answer = this.problems.answer(denial(Decision.NEVER));
		assertThat(answer.getHeaders().getFirst("Retry-After")).isNull();
		assertThat(answer.getBody().getDetail()).endsWith("The request costs more than that.");
		assertThat(answer.getBody().getProperties()).containsOnlyKeys("violated-policies");
	}

	@Test
	void blockedKeyDiffersFromAnExceededLimit() {
		assertThat(blocked(Duration.ofHours(1))).isEqualTo("Rate limit \"sms\" blocks such calls. Try again in 1 h.");
		assertThat(blocked(Decision.NEVER)).isEqualTo("Rate limit \"sms\" blocks such calls.");
	}

	private String blocked(Duration retryAfter) {
		return this.problems
			.answer(new RateLimitExceededException(new Decision(false, "sms", 1, 0, retryAfter, retryAfter,
					Duration.ZERO, List.of(), Decision.Origin.NONE, List.of(BLOCK))))
			.getBody()
			.getDetail();
	}

	@Test
	void intervalOfALimitIsNamed() {
		RateLimitEngine engine = new RateLimitEngine(new LocalRateLimitStore(100, () -> 0), () -> OnStoreFailure.LOCAL,
				new LocalFallbackStore(100, 1));
		RateLimiter limiter = new RuleRegistry(engine, Algorithm.TOKEN_BUCKET, List.of())
			.register(RateLimitRule.named("slow")
				.limit(Limit.of(7, Duration.ofSeconds(1)).withMinInterval(Duration.ofMillis(200)))
				.build());
		limiter.tryAcquire("ann");
		assertThat(
				this.problems.answer(new RateLimitExceededException(limiter.tryAcquire("ann"))).getBody().getDetail())
			.isEqualTo(
					"Rate limit exceeded: \"slow\" admits 7 per 1 s, at most one every 200 ms. Try again in 200 ms.");
	}

	@Test
	void limitThatHoldsLongerThanABanIsNamedToo() {
		Duration retryAfter = Duration.ofMinutes(15);
		List<LimitStatus> limits = List.of(status("sign-in", 5, retryAfter, retryAfter));
		assertThat(banned(retryAfter, limits)).isEqualTo("Rate limit exceeded: \"sign-in-ban\" denies all calls after "
				+ "too many denials, \"sign-in\" admits 5 per 900 s. Try again in 15 min.");
		assertThat(banned(Duration.ofHours(1), limits)).isEqualTo(
				"Rate limit exceeded: \"sign-in-ban\" denies all calls after too many denials. Try again in 1 h.");
	}

	private String banned(Duration retryAfter, List<LimitStatus> limits) {
		return this.problems
			.answer(new RateLimitExceededException(new Decision(false, "sign-in", 5, 0, retryAfter, retryAfter,
					Duration.ZERO, limits, Decision.Origin.REDIS,
					List.of(new Decision.Denial("sign-in", "sign-in-ban", Decision.Cause.BAN)))))
			.getBody()
			.getDetail();
	}

	@Test
	void limitsOfTwoRulesMayHaveOneName() {
		Duration retryAfter = Duration.ofSeconds(12);
		LimitStatus ofSms = status("sms-minute", 1, Duration.ofSeconds(60), retryAfter);
		LimitStatus ofSmsMinute = new LimitStatus("sms-minute", 3, 3, Duration.ofSeconds(60), 0, retryAfter,
				retryAfter);
		Decision decision = new Decision(false, "sms", 1, 0, retryAfter, retryAfter, Duration.ZERO,
				List.of(ofSms, ofSmsMinute), Decision.Origin.LOCAL,
				List.of(new Decision.Denial("sms", "sms-minute", Decision.Cause.LIMIT),
						new Decision.Denial("sms-minute")));
		assertThat(this.problems.answer(new RateLimitExceededException(decision)).getBody().getDetail())
			.isEqualTo("Rate limit exceeded: \"sms-minute\" admits 1 per 60 s, \"sms-minute\" admits 3 per 60 s. "
					+ "Try again in 12 s.");
	}

	@Test
	void storeThatCannotAnswerIsReducedCapacity() {
		ResponseEntity<ProblemDetail> answer = this.problems.answer(new RateLimiterUnavailableException("reply", null));
		assertThat(answer.getStatusCode().value()).isEqualTo(503);
		assertThat(answer.getHeaders().getFirst("Retry-After")).isEqualTo("1");
		assertThat(answer.getHeaders().getContentType()).isEqualTo(MediaType.APPLICATION_PROBLEM_JSON);
		assertThat(answer.getBody().getType())
			.hasToString("https://iana.org/assignments/http-problem-types#temporary-reduced-capacity");
		assertThat(answer.getBody().getDetail()).contains("reply");
	}

	@Test
	void ruleWithoutHeadersIsNotNamed() {
		LimitHeaders headers = new LimitHeaders(List.of(HeaderFormat.IETF));
		headers.configure(Map.of("sms", List.of(HeaderFormat.NONE)), Set.of());
		ProblemFactory silent = new ProblemFactory(List.of(), headers);
		ProblemDetail denied = silent.answer(denial(Duration.ofSeconds(12))).getBody();
		assertThat(denied.getDetail()).isEqualTo("Rate limit exceeded. Try again in 12 s.");
		assertThat(denied.getProperties()).containsOnlyKeys("retry-after-ms");
		assertThat(silent.answer(denial(Decision.NEVER)).getBody().getDetail())
			.isEqualTo("Rate limit exceeded. The request costs more than it admits.");
		assertThat(silent.answer(new RateLimiterUnavailableException("sms", null)).getBody().getDetail())
			.isEqualTo("A rate limit cannot be checked at the moment.");
		assertThat(silent
			.answer(new RateLimitExceededException(new Decision(false, "sms", 1, 0, Decision.NEVER, Duration.ZERO,
					Duration.ZERO, List.of(), Decision.Origin.NONE, List.of(BLOCK))))
			.getBody()
			.getDetail()).isEqualTo("A rate limit blocks such calls.");
	}

	@Test
	void customizersChangeTheAnswerOneAfterTheOther() {
		ProblemFactory customized = new ProblemFactory(List.of((problem, failure) -> problem.setTitle("Langsamer"),
				(problem, failure) -> problem.setTitle(problem.getTitle() + ", " + failure.rule()),
				(problem, failure) -> problem.setStatus(503)), LimitHeaders.of(HeaderFormat.IETF));
		ResponseEntity<ProblemDetail> answer = customized.answer(denial(Duration.ofSeconds(1)));
		assertThat(answer.getBody().getTitle()).isEqualTo("Langsamer, sms");
		assertThat(answer.getStatusCode().value()).isEqualTo(503);
		assertThat(answer.getHeaders().getFirst("Retry-After")).isEqualTo("1");
	}

	private static RateLimitExceededException denial(Duration retryAfter) {
		LimitStatus minute = status("sms-minute", 1, Duration.ofSeconds(60), retryAfter);
		LimitStatus fast = status("sms-fast", 2, Duration.ofMillis(100), retryAfter);
		LimitStatus day = status("sms-day", 10, Duration.ofDays(1), Duration.ZERO);
		List<Decision.Denial> denials = Stream.of(minute, fast)
			.map((limit) -> new Decision.Denial(limit.rule(), limit.name(), Decision.Cause.LIMIT))
			.toList();
		return new RateLimitExceededException(new Decision(false, "sms", 1, 0, retryAfter, Duration.ZERO, Duration.ZERO,
				List.of(minute, fast, day), Decision.Origin.LOCAL, denials));
	}

	private static LimitStatus status(String name, long max, Duration period, Duration retryAfter) {
		String rule = name.startsWith("sms") ? "sms" : name;
		return new LimitStatus(rule, name, max, max, period, 0, retryAfter, Duration.ZERO, null, null,
				retryAfter.isZero());
	}

}
