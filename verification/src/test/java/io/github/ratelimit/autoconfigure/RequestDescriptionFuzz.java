package io.github.ratelimit.autoconfigure;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.ratelimit.actuate.endpoint.StrictArguments;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Bodies of requests to the endpoint. One that does not describe a request stays as it
 * is; of others the members of {@code request} become texts, or names that the endpoint
 * refuses. A number that is too large is refused later.
 */
public final class RequestDescriptionFuzz {

	private static final ObjectMapper JSON = new ObjectMapper();

	private RequestDescriptionFuzz() {
	}

	public static void fuzzerTestOneInput(byte[] input) throws IOException {
		byte[] texts = RequestDescriptionBody.texts(input, true);
		if (texts != input && texts != RequestDescriptionBody.NO_OBJECT
				&& !new String(texts, StandardCharsets.UTF_8).contains("Infinity")) {
			Map<String, Object> members = JSON.readValue(texts, new TypeReference<>() {
			});
			String json = new String(input, StandardCharsets.UTF_8);
			Map<String, Object> before = JSON.readValue(json.startsWith("\uFEFF") ? json.substring(1) : json,
					new TypeReference<>() {
					});
			if (before.get("request") instanceof Map<?, ?> request) {
				request.forEach((name, value) -> assertText(String.valueOf(name), value, members));
			}
			else {
				before.forEach((name, value) -> assertText(name, value, members));
			}
		}
	}

	private static void assertText(String name, Object value, Map<String, Object> members) {
		boolean isRefused = value instanceof List || (value instanceof Map && !name.equals("headers"));
		assertThat(members).hasEntrySatisfying(isRefused ? name + StrictArguments.NO_TEXT : name,
				(text) -> assertThat(text).satisfiesAnyOf((none) -> assertThat(none).isNull(),
						(some) -> assertThat(some).isInstanceOf(String.class)));
	}

}
