package io.github.ratelimit.openapi;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.github.ratelimit.Limit;
import io.github.ratelimit.Mode;
import io.github.ratelimit.OnStoreFailure;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.engine.StoreFailurePolicy;
import io.github.ratelimit.interceptor.RateLimitOperation;
import io.github.ratelimit.web.HeaderFormat;
import io.github.ratelimit.web.LimitHeaders;
import io.swagger.v3.oas.models.Operation;

/**
 * Limits of an operation as its clients meet them. Rules that are off or in shadow mode
 * appear nowhere. Those without headers have neither name nor numbers.
 */
record DocumentedLimits(LimitHeaders headers, StoreFailurePolicy failurePolicy) {

	private static final String EXTENSION = "x-ratelimit";

	void add(List<RateLimitOperation> limits, Operation operation, DocumentedResponses responses) {
		List<RateLimitOperation> enforced = limits.stream().filter(DocumentedLimits::isEnforced).toList();
		Set<String> needed = enforced.stream()
			.flatMap((limit) -> limit.needs().stream())
			.collect(Collectors.toCollection(LinkedHashSet::new));
		if (!needed.isEmpty()) {
			responses.addMissing("The request has no " + String.join(", or no ", needed) + '.');
		}
		if (!enforced.isEmpty()) {
			addEnforced(enforced, operation, responses);
		}
	}

	private static boolean isEnforced(RateLimitOperation limit) {
		return limit.rule().mode() != Mode.OFF && limit.rule().mode() != Mode.SHADOW;
	}

	private void addEnforced(List<RateLimitOperation> limits, Operation operation, DocumentedResponses responses) {
		Set<HeaderFormat> formats = EnumSet.noneOf(HeaderFormat.class);
		limits.forEach((limit) -> formats.addAll(this.headers.of(limit.rule().name())));
		responses.addToSuccess(formats);
		List<DocumentedRule> denying = rules(limits.stream().filter(RateLimitOperation::denies));
		if (!denying.isEmpty()) {
			String revealed = revealed(denying).map(DocumentedRule::description).collect(Collectors.joining(", "));
			responses.addDenial("Rate limit exceeded" + (revealed.isEmpty() ? "." : ": " + revealed + '.'), formats,
					denying.stream().anyMatch(DocumentedRule::tellsWait));
		}
		if (limits.stream().anyMatch((limit) -> this.failurePolicy.of(limit.rule()) == OnStoreFailure.DENY)) {
			responses.addUnavailable("The rate limit cannot be checked at the moment.");
		}
		List<Object> extension = revealed(rules(limits.stream())).<Object>map(DocumentedRule::extension).toList();
		boolean isWritten = operation.getExtensions() != null && operation.getExtensions().containsKey(EXTENSION);
		if (!extension.isEmpty() && !isWritten) {
			operation.addExtension(EXTENSION, extension);
		}
	}

	private static List<DocumentedRule> rules(Stream<RateLimitOperation> limits) {
		return limits.map(RateLimitOperation::rule).distinct().map(DocumentedRule::new).toList();
	}

	private Stream<DocumentedRule> revealed(List<DocumentedRule> rules) {
		return rules.stream().filter((each) -> this.headers.reveal(each.rule().name()));
	}

	/**
	 * Names and numbers of a rule as documents show them. Those of its plans are not
	 * shown: clients know their own from the headers.
	 */
	private record DocumentedRule(RateLimitRule rule) {

		Map<String, Object> extension() {
			Map<String, Object> extension = new LinkedHashMap<>();
			extension.put("name", this.rule.name());
			extension.put("limits", this.rule.limits().stream().map(this::extension).toList());
			if (this.rule.hasPlans()) {
				extension.put("variesByPlan", true);
			}
			return extension;
		}

		private Map<String, Object> extension(Limit limit) {
			Map<String, Object> extension = new LinkedHashMap<>();
			extension.put("name", this.rule.nameOf(limit));
			extension.put("algorithm", limit.algorithm().yamlName());
			extension.put("max", limit.max());
			if (limit.calendar() != null) {
				extension.put("calendar", limit.calendar().unit().yamlName());
			}
			else if (!limit.period().isZero()) {
				extension.put("period", seconds(limit.period()));
			}
			if (limit.capacity() != limit.max()) {
				extension.put("burst", limit.capacity());
			}
			if (limit.minInterval() != null) {
				extension.put("minInterval", seconds(limit.minInterval()));
			}
			return extension;
		}

		private static Number seconds(Duration duration) {
			return (duration.getNano() == 0) ? duration.toSeconds()
					: BigDecimal.valueOf(duration.toMillis(), 3).stripTrailingZeros();
		}

		String description() {
			return this.rule.limits().stream().map(this::description).collect(Collectors.joining(", "))
					+ (this.rule.hasPlans() ? " by default" : "");
		}

		private String description(Limit limit) {
			String numbers = '"' + this.rule.nameOf(limit) + "\" admits " + limit.max();
			if (limit.calendar() != null) {
				return numbers + " per " + limit.calendar().unit().yamlName();
			}
			return numbers + (limit.period().isZero() ? " at once" : " per " + seconds(limit.period()) + " s");
		}

		/**
		 * Return whether a denial may tell how long to wait. Nobody knows when other
		 * calls end.
		 */
		boolean tellsWait() {
			return this.rule.limits().stream().anyMatch((limit) -> !limit.period().isZero());
		}

	}

}
