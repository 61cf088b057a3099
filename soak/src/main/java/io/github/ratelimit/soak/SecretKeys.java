package io.github.ratelimit.soak;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;

/**
 * Keys that nobody may see outside of the store. Each contains the same word; they have
 * every shape that callers can give a key.
 */
final class SecretKeys {

	/**
	 * Word that no log, meter or exception may contain.
	 */
	static final String SECRET = "hidden-4711-token";

	/**
	 * The same word in bytes, as messages of databases show it.
	 */
	private static final String IN_BYTES = HexFormat.of().formatHex(SECRET.getBytes(StandardCharsets.US_ASCII));

	private static final List<String> SHAPES = List.of("%s", "%s:reply", "{%s}", "%s\r\nInjected: header", "%s\uD800",
			"%s" + "x".repeat(65_536), "%s %%s ${jndi} #{1 + 1} \u00e9\u4e2d");

	private SecretKeys() {
	}

	static String key(int number) {
		return SHAPES.get(number % SHAPES.size()).replace("%s", SECRET + '-' + number);
	}

	static boolean isContainedIn(String text) {
		return text.contains(SECRET) || text.contains(IN_BYTES);
	}

}
