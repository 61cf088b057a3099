package io.github.ratelimit.web;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

import io.github.ratelimit.Decision;
import io.github.ratelimit.InvalidAttributeException;
import io.github.ratelimit.Mode;
import io.github.ratelimit.RateLimitExceededException;
import io.github.ratelimit.interceptor.CallContext;
import io.github.ratelimit.interceptor.RateLimitOperation;
import io.github.ratelimit.interceptor.RequestDemands;
import io.github.ratelimit.interceptor.RequestPart;
import org.jspecify.annotations.Nullable;

import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.http.server.PathContainer;

/**
 * Explainer of requests that nobody has sent: the rules that apply to one, and the answer
 * that it would get. It matches, evaluates and decides as for requests, but nothing is
 * counted.
 *
 * @since 0.1.0
 */
public record RequestExplainer(RequestRuleMatcher rules, WebRequests settings, ProblemFactory problems) {

	public Explanation explain(@Nullable String method, @Nullable String path, @Nullable String headers,
			@Nullable String remoteAddress, @Nullable String principal) {
		DescribedRequest request = DescribedRequest.of(method, path, headers, remoteAddress, principal, this.settings);
		List<RequestRule> matching = request.isPreflight() ? List.of()
				: this.rules.matching(request.method(), request.paths());
		List<Met> met = new ArrayList<>();
		List<Unmet> unmet = new ArrayList<>();
		RequestDemands demands = new RequestDemands(request);
		for (RequestRule rule : this.rules.all()) {
			if (matching.contains(rule)) {
				met.add(evaluate(rule, request, demands));
			}
			else {
				unmet.add(new Unmet(rule, reason(rule, request)));
			}
		}
		return new Explanation(met, unmet, answer(met, demands, request));
	}

	private static Met evaluate(RequestRule rule, DescribedRequest request, RequestDemands demands) {
		try {
			RateLimitOperation.KeyedDemand demand = rule.operation().keyedDemand(request);
			demands.add(rule.operation(), (demand != null) ? demand.demand() : null);
			return new Met(rule, demand, null);
		}
		catch (RuntimeException ex) {
			return new Met(rule, null, ex);
		}
	}

	private static String reason(RequestRule rule, DescribedRequest request) {
		if (request.isPreflight()) {
			return "the request is a CORS preflight, which is not limited";
		}
		return rule.matches(request.method()) ? request.path() + " does not match " + rule.path().getPatternString()
				: request.method() + " is none of its methods";
	}

	/**
	 * Return the answer. The first failure ends a request, unless the rule is in shadow
	 * mode.
	 */
	private Answer answer(List<Met> met, RequestDemands demands, DescribedRequest request) {
		RuntimeException failure = met.stream()
			.filter((each) -> each.rule().operation().rule().mode() != Mode.SHADOW)
			.map(Met::failure)
			.filter((each) -> each != null)
			.findFirst()
			.orElse(null);
		if (failure != null) {
			return failed(failure, request);
		}
		try {
			Decision decision = demands.isEmpty() ? null : this.rules.limiter().get().preview(demands.all(), request);
			if (decision != null && !decision.allowed()) {
				return failed(new RateLimitExceededException(decision), request);
			}
			return new Answer(HttpStatus.OK.value(), headers(request), null,
					(decision != null) ? decision.delay() : Duration.ZERO, null);
		}
		catch (RuntimeException ex) {
			return failed(ex, request);
		}
	}

	private Answer failed(RuntimeException failure, DescribedRequest request) {
		Map<String, String> headers = headers(request);
		ResponseEntity<ProblemDetail> answer = this.problems.describe(failure);
		if (answer == null) {
			return new Answer(HttpStatus.INTERNAL_SERVER_ERROR.value(), headers, null, Duration.ZERO, failure);
		}
		String retryAfter = answer.getHeaders().getFirst("Retry-After");
		if (retryAfter != null) {
			headers.put("Retry-After", retryAfter);
		}
		ProblemDetail problem = answer.getBody();
		if (problem != null && problem.getInstance() == null) {
			problem.setInstance(ProblemFactory.instance(request.targetPath()));
		}
		return new Answer(answer.getStatusCode().value(), headers, problem, Duration.ZERO, null);
	}

	private static Map<String, String> headers(DescribedRequest request) {
		Map<String, String> headers = new LinkedHashMap<>();
		request.limits().write(headers::put);
		return headers;
	}

	public record Explanation(List<Met> met, List<Unmet> unmet, Answer answer) {

	}

	public record Met(RequestRule rule, RateLimitOperation.@Nullable KeyedDemand demand,
			@Nullable RuntimeException failure) {

	}

	public record Unmet(RequestRule rule, String because) {

	}

	/**
	 * Answer to the request, unless an exception handler of the application gives another
	 * one.
	 */
	public record Answer(int status, Map<String, String> headers, @Nullable ProblemDetail problem, Duration delay,
			@Nullable RuntimeException failure) {

	}

	/**
	 * Web request that an operator describes, and nobody has sent. What is not part of
	 * the description, claims of the principal for example, is not known.
	 */
	private record DescribedRequest(String method, String targetPath, RequestPaths paths, @Nullable String query,
			Map<String, String> headers, @Nullable String remoteAddress, @Nullable String principal,
			WebRequests settings, RequestLimits limits) implements CallContext {

		static DescribedRequest of(@Nullable String method, @Nullable String target, @Nullable String headers,
				@Nullable String remoteAddress, @Nullable String principal, WebRequests settings) {
			if (target == null || !target.startsWith("/")) {
				throw new InvalidAttributeException("path", (target != null) ? '"' + target + '"' : null,
						"it is the path of the request to explain, after the context path.",
						"Write {\"request\": {\"method\": \"POST\", \"path\": \"/api/replies?draft=true\", \"headers\": "
								+ "{\"X-Api-Key\": \"k\"}, \"remoteAddress\": \"192.0.2.7\", \"principal\": \"ann\"}} for example; "
								+ "all but path may be left out.");
			}
			if (remoteAddress != null && !ClientAddress.isAddress(remoteAddress)) {
				throw new InvalidAttributeException("remoteAddress", '"' + remoteAddress + '"',
						"it is not an IP address.",
						"Write \"remoteAddress\": \"192.0.2.7\" for example, or leave it out.");
			}
			int question = target.indexOf('?');
			String path = (question < 0) ? target : target.substring(0, question);
			return new DescribedRequest((method != null) ? method.strip().toUpperCase(Locale.ROOT) : "GET", path,
					paths(path), (question < 0) ? null : target.substring(question + 1),
					(headers != null) ? read(headers) : Map.of(), remoteAddress, principal, settings,
					new RequestLimits(settings));
		}

		private static RequestPaths paths(String path) {
			try {
				return RequestPaths.of(PathContainer.parsePath(path));
			}
			catch (IllegalArgumentException ex) {
				throw new InvalidAttributeException("path", '"' + path + '"',
						"it cannot be decoded, so no rule sees it.", "Write a percent sign as %25.");
			}
		}

		private static Map<String, String> read(String text) {
			Map<String, String> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
			text.lines().filter((line) -> !line.isBlank()).forEach((line) -> {
				int colon = line.indexOf(':');
				if (colon < 1) {
					throw new InvalidAttributeException("headers", '"' + line + '"', "it is not a header with a text.",
							"Write {\"headers\": {\"X-Api-Key\": \"k\", \"X-Priority\": \"low\"}} for example.");
				}
				headers.putIfAbsent(line.substring(0, colon).strip(), line.substring(colon + 1).strip());
			});
			return headers;
		}

		/**
		 * Return whether it is a CORS preflight, as Spring's {@code CorsUtils} decides
		 * that.
		 */
		boolean isPreflight() {
			return this.method.equals("OPTIONS") && this.headers.containsKey("Origin")
					&& this.headers.containsKey("Access-Control-Request-Method");
		}

		@Override
		public @Nullable Object read(RequestPart part, String name) {
			return switch (part) {
				case IP -> ip();
				case PRINCIPAL -> this.principal;
				case PATH -> path();
				case SENT_PATH -> this.targetPath;
				case HEADER -> this.headers.get(name);
				case PARAM -> QueryParameter.first(this.query, name);
				case COOKIE -> cookie(name);
				case CLAIM -> claim();
				// rules read variables of their own patterns, and no handler is known yet
				case PATH_VARIABLE -> null;
			};
		}

		private String ip() {
			if (this.remoteAddress == null) {
				throw new IllegalStateException("the address of the client is not described: add remoteAddress");
			}
			return ClientAddress.of(this.remoteAddress, this.settings.ipv6Prefix());
		}

		String path() {
			return RequestPaths.canonical(this.targetPath);
		}

		private @Nullable String cookie(String name) {
			for (String cookie : this.headers.getOrDefault("Cookie", "").split(";")) {
				int sign = cookie.indexOf('=');
				if (sign > 0 && cookie.substring(0, sign).strip().equals(name)) {
					return cookie.substring(sign + 1).strip();
				}
			}
			return null;
		}

		private @Nullable Object claim() {
			if (this.principal == null) {
				return null;
			}
			throw new IllegalStateException("the claims of a principal are not part of a description");
		}

		@Override
		public void decided(Decision decision) {
			this.limits.add(decision);
		}

	}

}
