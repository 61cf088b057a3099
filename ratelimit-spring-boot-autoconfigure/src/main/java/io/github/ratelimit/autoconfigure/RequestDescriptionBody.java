package io.github.ratelimit.autoconfigure;

import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.json.JsonParseException;
import org.springframework.boot.json.JsonParserFactory;
import org.springframework.boot.json.JsonWriter;

/**
 * JSON that describes a request to the endpoint {@code ratelimits}, as an object
 * {@code request} with an object {@code headers}. Spring Boot reads texts only from a
 * body, so the description becomes the texts that the operation has: the members of
 * {@code request}, and {@code headers} with one {@code Name: value} per line.
 */
final class RequestDescriptionBody {

	/**
	 * Largest description that is read, in bytes.
	 */
	static final int LARGEST = 256 * 1024;

	/**
	 * Body instead of a larger one, which the endpoint refuses.
	 */
	static final byte[] INSTEAD_OF_LARGER = "{\"request\": \"too large\"}".getBytes(StandardCharsets.UTF_8);

	private static final String REQUEST = "request";

	private RequestDescriptionBody() {
	}

	/**
	 * Return a body that Spring Boot can read.
	 * @param body the body of a request to the endpoint
	 * @return the texts; the same body if it does not describe a request, which the
	 * endpoint refuses
	 */
	static byte[] texts(byte[] body) {
		Map<String, Object> members = read(new String(body, StandardCharsets.UTF_8));
		if (members == null || !members.containsKey(REQUEST)) {
			return body;
		}
		Map<String, @Nullable Object> texts = new LinkedHashMap<>(members);
		if (texts.remove(REQUEST) instanceof Map<?, ?> request) {
			request.forEach((name, value) -> texts.put(String.valueOf(name), text(name, value)));
		}
		else {
			texts.put(REQUEST, String.valueOf(members.get(REQUEST)));
		}
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

	private static @Nullable String text(Object name, @Nullable Object value) {
		if (value instanceof Map<?, ?> headers && name.equals("headers")) {
			return lines(headers);
		}
		return (value != null) ? String.valueOf(value) : null;
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
