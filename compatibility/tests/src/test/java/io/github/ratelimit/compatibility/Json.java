package io.github.ratelimit.compatibility;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Flat JSON object. Boot 3 and 4 bring different versions of Jackson; the tests need
 * neither.
 */
record Json(String object) {

	static Json of(String object) {
		return new Json(object);
	}

	/**
	 * Return a member as text: a string without its quotes, anything else as written.
	 */
	String text(String member) {
		Matcher matcher = Pattern
			.compile('"' + Pattern.quote(member) + "\"\\s*:\\s*(\"((?:[^\"\\\\]|\\\\.)*)\"|\\[[^]]*]|[^,}]+)")
			.matcher(this.object);
		if (!matcher.find()) {
			throw new AssertionError("no member \"" + member + "\" in " + this.object);
		}
		return (matcher.group(2) != null) ? matcher.group(2) : matcher.group(1);
	}

}
