package io.github.ratelimit.web;

import java.util.Set;

import io.github.ratelimit.interceptor.RequestOperation;

import org.springframework.web.util.pattern.PathPattern;

/**
 * A rule that holds for requests by their URL.
 *
 * @param path which paths, behind the context path
 * @param methods which HTTP methods; empty for all
 * @param operation what such a request asks of the rule
 * @since 0.1.0
 */
public record RequestRule(PathPattern path, Set<String> methods, RequestOperation operation) {

	/**
	 * A HEAD request is answered by what answers GET, so it counts as one.
	 */
	boolean matches(String method, RequestPaths request) {
		boolean methodMatches = this.methods.isEmpty() || this.methods.contains(method)
				|| (method.equals("HEAD") && this.methods.contains("GET"));
		return methodMatches && request.match(this.path);
	}

}
