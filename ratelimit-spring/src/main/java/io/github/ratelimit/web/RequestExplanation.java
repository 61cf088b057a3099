package io.github.ratelimit.web;

import java.time.Duration;
import java.util.List;
import java.util.Map;

import io.github.ratelimit.interceptor.KeyedDemand;
import org.jspecify.annotations.Nullable;

import org.springframework.http.ProblemDetail;

/**
 * Explanation of what the rules for requests would do with a request.
 *
 * @param met the rules that apply to it
 * @param unmet the other rules
 * @param answer the answer that it would get
 * @since 0.1.0
 */
public record RequestExplanation(List<Met> met, List<Unmet> unmet, Answer answer) {

	/**
	 * Rule that applies to the request.
	 *
	 * @param rule the rule
	 * @param demand the demand of the request and its key, {@code null} if the rule is
	 * off or has failed
	 * @param failure the failure of an expression, or {@code null}
	 */
	public record Met(RequestRule rule, @Nullable KeyedDemand demand, @Nullable RuntimeException failure) {

	}

	/**
	 * Rule that does not apply to the request.
	 *
	 * @param rule the rule
	 * @param because the reason
	 */
	public record Unmet(RequestRule rule, String because) {

	}

	/**
	 * Answer to the request, unless an exception handler of the application gives another
	 * one.
	 *
	 * @param status the status, 200 if the rules let it pass
	 * @param headers the headers by which the limits are known
	 * @param problem the problem details of a request that does not pass, {@code null} if
	 * it passes or others answer it
	 * @param delay how long the request waits before it passes
	 * @param failure the failure that is no answer of the limiter, or {@code null}
	 */
	public record Answer(int status, Map<String, String> headers, @Nullable ProblemDetail problem, Duration delay,
			@Nullable RuntimeException failure) {

	}

}
