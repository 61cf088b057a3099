package io.github.ratelimit.notation;

import java.util.regex.Pattern;

/**
 * Texts that are meant as addresses or networks, well-formed or not. Other texts of the
 * same characters are not: versions, dates, hardware addresses, addresses with a suffix.
 */
final class NetworkLike {

	private static final String NUMBER = "(?:0[xX][0-9a-fA-F]+|\\d+)";

	private static final String QUAD = NUMBER + "(?:\\." + NUMBER + "){3}";

	private static final Pattern IPV4 = Pattern.compile(QUAD + "(?:[/\\\\].*)?");

	private static final Pattern RANGE = Pattern.compile(QUAD + '-' + QUAD);

	private static final Pattern WILDCARD = Pattern.compile("(?:" + NUMBER + "\\.)+\\*(?:\\.\\*)*(?:[/\\\\].*)?");

	private static final Pattern SHORT = Pattern.compile("\\d{1,3}[/\\\\]\\d{1,3}");

	private static final Pattern WITH_PREFIX = Pattern.compile("[0-9a-fA-F]*[.:][0-9a-fA-FxX.:]*[/\\\\]\\d+");

	private static final Pattern IPV6 = Pattern
		.compile("(?:[0-9a-fA-F:.]*::[0-9a-fA-F:.]*|(?:[0-9a-fA-F]*:){7,}[0-9a-fA-F:.]*)(?:[/\\\\].*)?");

	/** Zones, brackets and blanks, which are no part of a listed address. */
	private static final Pattern TRIMMINGS = Pattern.compile("%[^/\\\\]*|[\\s\\[\\]]");

	private NetworkLike() {
	}

	static boolean matches(String text) {
		String bare = TRIMMINGS.matcher(text).replaceAll("");
		for (Pattern each : new Pattern[] { IPV4, RANGE, WILDCARD, SHORT, WITH_PREFIX, IPV6 }) {
			if (each.matcher(bare).matches()) {
				return true;
			}
		}
		return false;
	}

}
