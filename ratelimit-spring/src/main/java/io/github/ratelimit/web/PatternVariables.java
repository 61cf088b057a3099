package io.github.ratelimit.web;

import java.util.List;
import java.util.Set;

import io.github.ratelimit.interceptor.CallContext;
import io.github.ratelimit.interceptor.PathVariables;
import io.github.ratelimit.interceptor.RequestPart;
import org.jspecify.annotations.Nullable;

import org.springframework.http.server.PathContainer;
import org.springframework.web.util.pattern.PathPattern;

/**
 * Variables of a path pattern. They are read from the canonical form of a path, so no
 * spelling of it has values of its own, or else from the path as sent.
 *
 * @since 0.1.0
 */
public record PatternVariables(PathPattern pattern, Set<String> names) implements PathVariables {

	public PatternVariables(PathPattern pattern) {
		this(pattern, PathVariables.namesIn(pattern.getPatternString()));
	}

	@Override
	public @Nullable String value(String name, CallContext request) {
		String canonical = String.valueOf(request.read(RequestPart.PATH, ""));
		String sent = String.valueOf(request.read(RequestPart.SENT_PATH, ""));
		for (PathContainer form : List.of(RequestPaths.decoded(canonical), PathContainer.parsePath(sent))) {
			PathPattern.PathMatchInfo match = this.pattern.matchAndExtract(form);
			if (match != null) {
				return match.getUriVariables().get(name);
			}
		}
		return null;
	}

}
