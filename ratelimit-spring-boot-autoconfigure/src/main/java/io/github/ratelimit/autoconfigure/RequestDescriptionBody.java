package io.github.ratelimit.autoconfigure;

import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;

import io.github.ratelimit.actuate.endpoint.StrictArguments;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.json.JsonParseException;
import org.springframework.boot.json.JsonParserFactory;
import org.springframework.boot.json.JsonWriter;

/**
 * JSON of a request to the endpoint {@code ratelimits}. Spring Boot reads an object of
 * texts only, and refuses all else without a reason.
 * <ul>
 * <li>The description of a request, an object {@code request} with an object
 * {@code headers}, becomes the texts that the operation has: the members of
 * {@code request}, and {@code headers} with one {@code Name: value} per line.</li>
 * <li>Names of other objects and lists get a suffix, which the endpoint refuses with the
 * reason.</li>
 * <li>In place of a body that is no object, the endpoint reads a name that it
 * refuses.</li>
 * </ul>
 */
final class RequestDescriptionBody {

	static final int LARGEST = 256 * 1024;

	/** Body instead of a larger one, or of one that is no object. */
	static final byte[] NO_OBJECT = ("{\"" + StrictArguments.NO_OBJECT + "\": \"\"}").getBytes(StandardCharsets.UTF_8);

	private static final String BYTE_ORDER_MARK = "\uFEFF";

	private RequestDescriptionBody() {
	}

	/**
	 * Return a body that Spring Boot can read.
	 * @param isDescription whether it has to describe a request
	 * @return the texts; the same body if it has nothing else
	 */
	static byte[] texts(byte[] body, boolean isDescription) {
		String json = new String(body, StandardCharsets.UTF_8);
		if (json.isBlank()) {
			return body;
		}
		Map<String, Object> members = read(json.startsWith(BYTE_ORDER_MARK) ? json.substring(1) : json);
		if (members == null) {
			return NO_OBJECT;
		}
		if (members.values().stream().noneMatch((value) -> value instanceof Map || value instanceof Collection)) {
			return body;
		}
		Map<String, @Nullable Object> texts = new LinkedHashMap<>();
		members.forEach((name, value) -> {
			if (isDescription && name.equals("request") && value instanceof Map<?, ?> request) {
				request.forEach((part, each) -> put(String.valueOf(part), each, texts));
			}
			else {
				put(name, value, texts);
			}
		});
		try {
			return JsonWriter.<Map<String, @Nullable Object>>standard()
				.writeToString(texts)
				.getBytes(StandardCharsets.UTF_8);
		}
		catch (RuntimeException ex) { // cannot write an empty name
			return body;
		}
	}

	private static @Nullable Map<String, Object> read(String json) {
		try {
			return JsonParserFactory.getJsonParser().parseMap(json);
		}
		catch (JsonParseException ex) {
			return null;
		}
	}

	private static void put(String name, @Nullable Object value, Map<String, @Nullable Object> texts) {
		if (value instanceof Map<?, ?> headers && name.equals("headers")) {
			texts.put(name, lines(headers));
		}
		else if (value instanceof Map || value instanceof Collection) {
			texts.put(name + StrictArguments.NO_TEXT, (value instanceof Map) ? "an object" : "a list");
		}
		else {
			texts.put(name, (value != null) ? String.valueOf(value) : null);
		}
	}

	private static String lines(Map<?, ?> headers) {
		StringJoiner lines = new StringJoiner("\n");
		headers.forEach((name, value) -> {
			Collection<?> values = (value instanceof Collection<?> several) ? several
					: (value != null) ? List.of(value) : List.of();
			values.forEach((each) -> lines.add(line(String.valueOf(name), each)));
		});
		return lines.toString();
	}

	/**
	 * Return a header, or its name alone, which the operation refuses, if it has no text.
	 */
	private static String line(String name, @Nullable Object value) {
		return (value instanceof Map || value instanceof Collection) ? name.replace(":", "")
				: name + ": " + String.valueOf(value).replaceAll("[\r\n]+", " ");
	}

}
