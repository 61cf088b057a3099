package io.github.ratelimit.web;

import java.util.Set;

import io.github.ratelimit.interceptor.RateLimitOperation;

import org.springframework.web.util.pattern.PathPattern;
import org.springframework.web.util.pattern.PathPatternParser;

/**
 * Rule that applies to requests by their URL.
 *
 * @since 0.1.0
 */
public record RequestRule(PathPattern path, Set<String> methods, RateLimitOperation operation) {

	/**
	 * Return whether the rule applies to a request. HEAD counts as GET, since the same
	 * handlers answer it.
	 */
	boolean matches(String method, RequestPaths request) {
		return matches(method) && request.match(this.path);
	}

	/**
	 * Return whether the rule applies to all requests of a documented operation.
	 * @param method the HTTP method
	 * @param template the path with its variables, {@code /topics/{id}} for example
	 * @return whether the rule applies; a variable with a constraint applies to every
	 * variable of the path, whose values are not documented
	 */
	public boolean matchesAll(String method, String template) {
		return matches(method) && RequestPaths.of(RequestPaths.decoded(template))
			.match(PathPatternParser.defaultInstance.parse(withoutConstraints(template)));
	}

	private String withoutConstraints(String template) {
		String[] segments = this.path.getPatternString().split("/", -1);
		String[] documented = template.split("/", -1);
		for (int i = 0; i < Math.min(segments.length, documented.length); i++) {
			if (documented[i].contains("{")) {
				segments[i] = segments[i].replaceAll("\\{([^{}:]+):([^{}]|\\{[^{}]*})*}", "{$1}");
			}
		}
		return String.join("/", segments);
	}

	boolean matches(String method) {
		return this.methods.isEmpty() || this.methods.contains(method)
				|| (method.equals("HEAD") && this.methods.contains("GET"));
	}

}
