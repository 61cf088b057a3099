package io.github.ratelimit.interceptor;

import org.springframework.util.ObjectUtils;

/**
 * How a value is written in a key. Arrays are written with their elements: their
 * {@code toString()} would be another one with every call, and nothing would ever be
 * limited.
 */
final class KeyText {

	private KeyText() {
	}

	static String of(Object value) {
		return (value instanceof String text) ? text : ObjectUtils.nullSafeToString(value);
	}

}
