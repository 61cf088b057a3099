package io.github.ratelimit.web;

import java.lang.System.Logger.Level;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.github.ratelimit.Decision;
import io.github.ratelimit.LimitStatus;
import io.github.ratelimit.MissingKeyPartException;
import io.github.ratelimit.RateLimitExceededException;
import io.github.ratelimit.RateLimitException;
import io.github.ratelimit.RateLimiterUnavailableException;
import io.github.ratelimit.engine.CallFailureLog;
import io.github.ratelimit.notation.DurationText;
import org.jspecify.annotations.Nullable;

import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.util.StringUtils;
import org.springframework.web.util.UriUtils;

/**
 * Problem details (RFC 9457) of calls that did not take place. They name the limit,
 * unless its rule has no headers, and never the key.
 *
 * @since 0.1.0
 */
public record ProblemFactory(List<RateLimitProblemCustomizer> customizers, LimitHeaders headers,
		CallFailureLog missingParts) {

	private static final String TYPES = "https://iana.org/assignments/http-problem-types#";

	private static final Duration UNAVAILABLE_RETRY = Duration.ofSeconds(1);

	public ProblemFactory(List<RateLimitProblemCustomizer> customizers, LimitHeaders headers) {
		this(List.copyOf(customizers), headers,
				new CallFailureLog(Level.WARNING, "Such requests are answered with 400."));
	}

	/**
	 * Return the answer to a call that did not take place.
	 * @return 429 for a denied call, 503 for one that could not be decided, 400 for a
	 * request that lacks a part of its key, or {@code null} if others answer the failure
	 */
	public @Nullable ResponseEntity<ProblemDetail> answer(RateLimitException failure) {
		if (failure instanceof MissingKeyPartException missing) {
			this.missingParts.report(missing.rule(), String.valueOf(missing.getMessage()), null);
		}
		return describe(failure);
	}

	/**
	 * Return the answer to a call that did not take place, without a line in the log.
	 * @return {@code null} if others answer the failure
	 */
	public @Nullable ResponseEntity<ProblemDetail> describe(RuntimeException failure) {
		if (failure instanceof RateLimitExceededException denial) {
			return exceeded(denial);
		}
		if (failure instanceof RateLimiterUnavailableException unavailable) {
			return unavailable(unavailable);
		}
		return (failure instanceof MissingKeyPartException missing) ? missingPart(missing) : null;
	}

	private ResponseEntity<ProblemDetail> exceeded(RateLimitExceededException denial) {
		Decision decision = denial.decision();
		ProblemDetail problem = problem(HttpStatus.TOO_MANY_REQUESTS, "quota-exceeded",
				"Request cannot be satisfied as assigned quota has been exceeded", detail(decision));
		List<String> violated = revealed(decision).map(Decision.Denial::name).toList();
		if (!violated.isEmpty()) {
			problem.setProperty("violated-policies", violated);
		}
		boolean never = decision.retryAfter().equals(Decision.NEVER);
		boolean isKnown = !never && !decision.retryAfter().isZero();
		if (isKnown) {
			problem.setProperty("retry-after-ms", decision.retryAfter().plusNanos(999_999).toMillis());
		}
		return answer(problem, denial, isKnown ? decision.retryAfter() : null);
	}

	private ResponseEntity<ProblemDetail> unavailable(RateLimiterUnavailableException failure) {
		ProblemDetail problem = problem(HttpStatus.SERVICE_UNAVAILABLE, "temporary-reduced-capacity",
				"Request cannot be satisfied due to temporary server capacity constraints",
				(this.headers.reveal(failure.rule()) ? "Rate limit \"" + failure.rule() + '"' : "A rate limit")
						+ " cannot be checked at the moment.");
		return answer(problem, failure, UNAVAILABLE_RETRY);
	}

	private ResponseEntity<ProblemDetail> missingPart(MissingKeyPartException failure) {
		ProblemDetail problem = ProblemDetail.forStatusAndDetail(HttpStatus.BAD_REQUEST,
				"The request has no " + failure.part() + '.');
		problem.setProperty("missing", failure.part());
		return answer(problem, failure, null);
	}

	public boolean reveals(RateLimitException failure) {
		return this.headers.reveal(failure.rule());
	}

	private static ProblemDetail problem(HttpStatus status, String type, String title, String detail) {
		ProblemDetail problem = ProblemDetail.forStatusAndDetail(status, detail);
		problem.setType(URI.create(TYPES + type));
		problem.setTitle(title);
		return problem;
	}

	private ResponseEntity<ProblemDetail> answer(ProblemDetail problem, RateLimitException failure,
			@Nullable Duration retryAfter) {
		this.customizers.forEach((customizer) -> customizer.customize(problem, failure));
		ResponseEntity.BodyBuilder answer = ResponseEntity.status(problem.getStatus())
			.contentType(MediaType.APPLICATION_PROBLEM_JSON);
		if (retryAfter != null) {
			answer.header("Retry-After", Long.toString(Math.max(1, RequestLimits.ceilSeconds(retryAfter))));
		}
		return answer.body(problem);
	}

	/**
	 * Return the instance of a problem.
	 * @param path the path of the request, in which clients may send anything
	 * @return {@code /a%7Cb} for {@code //a|b}, which would otherwise name another host
	 */
	static URI instance(String path) {
		String single = '/' + StringUtils.trimLeadingCharacter(path, '/');
		try {
			return new URI(single);
		}
		catch (URISyntaxException ex) {
			return URI.create(UriUtils.encodePath(single, StandardCharsets.UTF_8));
		}
	}

	private String detail(Decision decision) {
		boolean isNever = decision.retryAfter().equals(Decision.NEVER);
		String retry = isNever ? "" : decision.retryAfter().isZero() ? " Try again when another call has ended."
				: " Try again in " + DurationText.roundedUp(decision.retryAfter()) + '.';
		if (decision.denials().stream().anyMatch((denial) -> denial.cause() == Decision.Cause.BLOCK)) {
			String rules = revealed(decision).map(Decision.Denial::name).collect(Collectors.joining("\", \""));
			return (rules.isEmpty() ? "A rate limit" : "Rate limit \"" + rules + '"') + " blocks such calls." + retry;
		}
		String violated = violated(decision);
		return "Rate limit exceeded" + (violated.isEmpty() ? "" : ": " + violated) + '.'
				+ (isNever ? " The request costs more than " + (violated.isEmpty() ? "it admits." : "that.") : retry);
	}

	private Stream<Decision.Denial> revealed(Decision decision) {
		return decision.denials().stream().filter((denial) -> this.headers.reveal(denial.rule()));
	}

	/**
	 * Describe what denied the call, and the limits that determine the wait: during a ban
	 * they are not violated.
	 */
	private String violated(Decision decision) {
		Stream<String> denials = revealed(decision).map((denial) -> describe(denial, decision));
		Stream<String> waits = decision.limits()
			.stream()
			.filter((limit) -> !limit.admitted() && limit.retryAfter().equals(decision.retryAfter()))
			.filter((limit) -> this.headers.reveal(limit.rule()))
			.map(ProblemFactory::describe);
		return Stream.concat(denials, waits).distinct().collect(Collectors.joining(", "));
	}

	private static String describe(Decision.Denial denial, Decision decision) {
		return (denial.cause() == Decision.Cause.BAN)
				? '"' + denial.name() + "\" denies all calls after too many denials"
				: decision.limits()
					.stream()
					.filter((limit) -> !limit.admitted() && limit.name().equals(denial.name())
							&& limit.rule().equals(denial.rule()))
					.findFirst()
					.map(ProblemFactory::describe)
					.orElse('"' + denial.name() + '"');
	}

	private static String describe(LimitStatus limit) {
		return '"' + limit.name() + "\" admits " + limit.max()
				+ (limit.period().isZero() ? " at once" : " per " + period(limit))
				+ ((limit.minInterval() != null) ? ", at most one every " + time(limit.minInterval()) : "");
	}

	private static String period(LimitStatus status) {
		return (status.calendar() != null) ? status.calendar().yamlName() : time(status.period());
	}

	private static String time(Duration duration) {
		return (duration.getNano() == 0) ? duration.toSeconds() + " s" : duration.toMillis() + " ms";
	}

}
