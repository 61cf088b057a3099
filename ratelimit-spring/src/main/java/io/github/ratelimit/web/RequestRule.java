package io.github.ratelimit.web;

import java.util.Set;

import io.github.ratelimit.interceptor.RequestOperation;

import org.springframework.web.util.pattern.PathPattern;

/**
 * Rule that applies to requests by their URL.
 *
 * @param path the paths, without the context path
 * @param methods the HTTP methods; empty for all
 * @param operation limits such a request
 * @since 0.1.0
 */
public record RequestRule(PathPattern path, Set<String> methods, RequestOperation operation) {

	/**
	 * Return whether the rule applies to a request. HEAD counts as GET, since the same
	 * handlers answer it.
	 */
	boolean matches(String method, RequestPaths request) {
		return matches(method) && request.match(this.path);
	}

	/**
	 * Return whether the rule applies to requests with a method.
	 */
	boolean matches(String method) {
		return this.methods.isEmpty() || this.methods.contains(method)
				|| (method.equals("HEAD") && this.methods.contains("GET"));
	}

}
