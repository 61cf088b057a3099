package io.github.ratelimit.web;

import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

import org.jspecify.annotations.Nullable;

import org.springframework.http.server.PathContainer;
import org.springframework.util.StringUtils;
import org.springframework.web.util.pattern.PathPattern;

/**
 * Path of a request in each form that may be used to map it. Controllers are mapped by
 * the path as sent, servlets and static files by the decoded and normalized path. A rule
 * applies if it matches any form, so no spelling bypasses it. Whether to refuse unusual
 * spellings is left to the application.
 *
 * @since 0.1.0
 */
public final class RequestPaths {

	private static final char DELETE = 127;

	private static final PathContainer.Options DECODED = PathContainer.Options.create('/', false);

	private final List<PathContainer> forms;

	private RequestPaths(List<PathContainer> forms) {
		this.forms = forms;
	}

	public static RequestPaths of(PathContainer sent) {
		return of(sent, null);
	}

	/**
	 * Create the forms of a path.
	 * @param sent the path as sent, without the context path
	 * @param resolved the path as the server has decoded and normalized it, or
	 * {@code null} if the server does not
	 */
	public static RequestPaths of(PathContainer sent, @Nullable String resolved) {
		List<PathContainer> forms = new ArrayList<>(1);
		forms.add(sent);
		String canonical = canonical(sent.value());
		if (!canonical.equals(sent.value())) {
			forms.add(decoded(canonical));
		}
		String cleaned = (resolved != null) ? clean(resolved) : canonical;
		if (!cleaned.equals(canonical)) {
			forms.add(decoded(cleaned));
		}
		return new RequestPaths(forms);
	}

	static PathContainer decoded(String path) {
		return PathContainer.parsePath(path, DECODED);
	}

	boolean match(PathPattern pattern) {
		for (PathContainer form : this.forms) {
			if (pattern.matches(form)) {
				return true;
			}
		}
		return false;
	}

	/**
	 * Return the canonical form of a path: decoded, without path parameters, empty
	 * segments, dots, a trailing slash, and blanks and control characters at the
	 * beginning of a segment.
	 * @return {@code /api/replies} for {@code //api;v=1/./%72eplies/}
	 */
	public static String canonical(String sent) {
		return isCanonical(sent) ? sent : clean(decode(withoutParameters(sent)));
	}

	private static boolean isCanonical(String path) {
		char before = '/';
		for (int i = 0; i < path.length(); i++) {
			char c = path.charAt(i);
			boolean isCleaned = c == '/' || c == '.' || isControl(c);
			if (c == '%' || c == ';' || c == '\\' || (before == '/' && i > 0 && isCleaned)) {
				return false;
			}
			before = c;
		}
		return path.startsWith("/") && (before != '/' || path.length() == 1);
	}

	private static String withoutParameters(String path) {
		StringBuilder kept = new StringBuilder(path.length());
		boolean inParameters = false;
		for (int i = 0; i < path.length(); i++) {
			char c = path.charAt(i);
			inParameters = c == ';' || (inParameters && c != '/');
			if (!inParameters) {
				kept.append(c);
			}
		}
		return kept.toString();
	}

	private static String decode(String path) {
		try {
			return StringUtils.uriDecode(path, StandardCharsets.UTF_8);
		}
		catch (IllegalArgumentException ex) {
			return path;
		}
	}

	private static String clean(String decoded) {
		Deque<String> segments = new ArrayDeque<>();
		for (String segment : decoded.replace('\\', '/').split("/")) {
			String name = withoutLeadingControls(segment);
			if (name.equals("..")) {
				segments.pollLast();
			}
			else if (!name.isEmpty() && !name.equals(".")) {
				segments.addLast(name);
			}
		}
		return '/' + String.join("/", segments);
	}

	/**
	 * Drop the leading control characters and spaces, as Spring MVC does for the path of
	 * a static file.
	 */
	private static String withoutLeadingControls(String segment) {
		int i = 0;
		while (i < segment.length() && isControl(segment.charAt(i))) {
			i++;
		}
		return segment.substring(i);
	}

	private static boolean isControl(char c) {
		return c <= ' ' || c == DELETE;
	}

}
