package io.github.ratelimit.autoconfigure;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Bodies of requests to the endpoint. One that does not describe a request stays as it
 * is; of others the members of {@code request} become texts. A number that is too large
 * is refused later.
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
				assertThat(members.keySet()).containsAll(request.keySet().stream().map(String::valueOf).toList());
				request.keySet()
					.forEach((name) -> assertThat(members.get(name)).satisfiesAnyOf((text) -> assertThat(text).isNull(),
							(text) -> assertThat(text).isInstanceOf(String.class)));
			}
			else if (before.get("request") != null) {
				assertThat(members.get("request")).isInstanceOf(String.class);
			}
		}
	}

}
